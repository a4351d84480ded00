// @ts-check
/** Reading transactions: wire bytes to message, the accounts it names, what it costs, how long it may live. */
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { fromBase58, toBase58 } from './base58.js';
import { RpcError, INVALID_PARAMS } from './rpc-error.js';

/** The largest transaction that fits a network packet, in bytes. */
const MAX_TRANSACTION_BYTES = 1232;
const LAMPORTS_PER_SIGNATURE = 5000n;
const MICRO_LAMPORTS = 1_000_000n;
const MAX_COMPUTE_UNITS = 1_400_000;
const DEFAULT_PROGRAM_UNITS = 200_000;
const DEFAULT_BUILTIN_UNITS = 3_000;
const LOOKUP_TABLE_HEADER_BYTES = 56;
const NONCE_ACCOUNT_BYTES = 80;
const ADVANCE_NONCE_INSTRUCTION = 4;

/** The program that owns plain accounts and moves SOL. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
const SIGNATURE_CHECKING_PROGRAMS = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
// Programs that are part of the runtime get a small default compute budget.
const BUILTIN_PROGRAMS = new Set([
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
]);
const MEMO_PROGRAMS = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]);

/**
 * @typedef {{programIndex: number, accounts: number[], data: Uint8Array}} Instruction
 * @typedef {{table: string, writable: number[], readonly: number[]}} TableLookup
 * @typedef {{signers: number, readonlySigners: number, readonlyOthers: number}} Header
 * @typedef {object} Message
 * @property {'legacy' | 0} version
 * @property {Header} header
 * @property {string[]} staticKeys
 * @property {string} lifetime recent blockhash, or the value of a durable nonce
 * @property {Instruction[]} instructions
 * @property {TableLookup[]} lookups
 *
 * @typedef {object} WireTransaction
 * @property {Uint8Array} bytes
 * @property {Array<string | null>} signatures base58, null where a signer has not signed
 * @property {Message} message
 *
 * @typedef {{lamports: bigint, data: Uint8Array, owner: string, executable: boolean}} Account
 * @typedef {(address: string) => Account | null} AccountReader
 * @typedef {{keys: string[], loaded: {writable: string[], readonly: string[]}}} ResolvedKeys
 */

/**
 * Decodes the text that sendTransaction and simulateTransaction receive.
 * @param {unknown} text
 * @param {unknown} encoding 'base58' or 'base64'
 * @returns {WireTransaction}
 * @throws {RpcError} INVALID_PARAMS
 */
export function decodeTransactionText(text, encoding) {
  if (typeof text !== 'string') {
    throw new RpcError(INVALID_PARAMS, 'invalid type: expected the transaction as a string');
  }
  const bytes = decodeBytes(text, encoding);
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw new RpcError(
      INVALID_PARAMS,
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes ` +
        `(max: ${MAX_TRANSACTION_BYTES} bytes)`,
    );
  }
  return decodeTransaction(bytes);
}

/**
 * @param {string} text
 * @param {unknown} encoding
 * @returns {Uint8Array}
 */
function decodeBytes(text, encoding) {
  if (encoding === 'base64') {
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
      throw new RpcError(INVALID_PARAMS, 'invalid base64 encoding');
    }
    return new Uint8Array(Buffer.from(text, 'base64'));
  }
  if (encoding !== 'base58') {
    throw new RpcError(INVALID_PARAMS, `unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  }
  try {
    return fromBase58(text);
  } catch {
    throw new RpcError(INVALID_PARAMS, 'invalid base58 encoding');
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {WireTransaction}
 * @throws {RpcError} INVALID_PARAMS when the bytes are not a legacy or version 0 transaction
 */
export function decodeTransaction(bytes) {
  try {
    const wire = getTransactionDecoder().decode(bytes);
    const signatures = Object.values(wire.signatures).map((s) => (s ? toBase58(s) : null));
    return { bytes, signatures, message: decodeMessage(Uint8Array.from(wire.messageBytes)) };
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw new RpcError(INVALID_PARAMS, `failed to deserialize transaction: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {Message}
 * @throws {RpcError} INVALID_PARAMS
 */
export function decodeMessage(bytes) {
  let compiled;
  try {
    compiled = getCompiledTransactionMessageDecoder().decode(bytes);
  } catch (error) {
    throw new RpcError(INVALID_PARAMS, `failed to deserialize message: ${/** @type {Error} */ (error).message}`);
  }
  if (compiled.version !== 'legacy' && compiled.version !== 0) {
    throw new RpcError(INVALID_PARAMS, `unsupported transaction version ${compiled.version}`);
  }
  const lookups = 'addressTableLookups' in compiled ? (compiled.addressTableLookups ?? []) : [];
  return {
    version: compiled.version,
    header: {
      signers: compiled.header.numSignerAccounts,
      readonlySigners: compiled.header.numReadonlySignerAccounts,
      readonlyOthers: compiled.header.numReadonlyNonSignerAccounts,
    },
    staticKeys: [...compiled.staticAccounts],
    lifetime: compiled.lifetimeToken,
    instructions: compiled.instructions.map((instruction) => ({
      programIndex: instruction.programAddressIndex,
      accounts: [...(instruction.accountIndices ?? [])],
      data: Uint8Array.from(instruction.data ?? []),
    })),
    lookups: lookups.map((lookup) => ({
      table: lookup.lookupTableAddress,
      writable: [...lookup.writableIndexes],
      readonly: [...lookup.readonlyIndexes],
    })),
  };
}

/**
 * All accounts of a message in the order that instructions index them: static ones, then those from lookup tables,
 * writable ones first.
 * @param {Message} message
 * @param {AccountReader} read
 * @returns {ResolvedKeys | {error: string}} the error is a transaction error name
 */
export function resolveKeys(message, read) {
  /** @type {string[]} */ const writable = [];
  /** @type {string[]} */ const readonly = [];
  for (const lookup of message.lookups) {
    const table = read(lookup.table);
    if (!table) return { error: 'AddressLookupTableNotFound' };
    const entries = (table.data.length - LOOKUP_TABLE_HEADER_BYTES) / 32;
    if ([...lookup.writable, ...lookup.readonly].some((index) => index >= entries)) {
      return { error: 'InvalidAddressLookupTableIndex' };
    }
    const entry = (/** @type {number} */ index) => {
      const start = LOOKUP_TABLE_HEADER_BYTES + 32 * index;
      return toBase58(table.data.subarray(start, start + 32));
    };
    writable.push(...lookup.writable.map(entry));
    readonly.push(...lookup.readonly.map(entry));
  }
  return { keys: [...message.staticKeys, ...writable, ...readonly], loaded: { writable, readonly } };
}

/**
 * Whether the account at an index of the resolved keys may be written to.
 * @param {Message} message
 * @param {ResolvedKeys} resolved
 * @param {number} index
 */
export function isWritable(message, resolved, index) {
  const { signers, readonlySigners, readonlyOthers } = message.header;
  const statics = message.staticKeys.length;
  if (index >= statics) return index - statics < resolved.loaded.writable.length;
  return index < signers ? index < signers - readonlySigners : index < statics - readonlyOthers;
}

/**
 * The fee in lamports: a base fee for each signature, and the compute-unit price times the limit, rounded up.
 * @param {Message} message
 * @returns {bigint}
 */
export function feeOf(message) {
  let signatures = BigInt(message.header.signers);
  let price = 0n;
  /** @type {number | null} */ let limit = null;
  let defaultLimit = 0;
  for (const { programIndex, data } of message.instructions) {
    const program = message.staticKeys[programIndex];
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    if (program === COMPUTE_BUDGET_PROGRAM) {
      if (data[0] === 2 && data.length >= 5) limit = view.getUint32(1, true);
      if (data[0] === 3 && data.length >= 9) price = view.getBigUint64(1, true);
    }
    if (SIGNATURE_CHECKING_PROGRAMS.has(program)) signatures += BigInt(data[0] ?? 0);
    defaultLimit += BUILTIN_PROGRAMS.has(program) ? DEFAULT_BUILTIN_UNITS : DEFAULT_PROGRAM_UNITS;
  }
  const units = BigInt(Math.min(limit ?? defaultLimit, MAX_COMPUTE_UNITS));
  return LAMPORTS_PER_SIGNATURE * signatures + (price * units + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

/**
 * Whether the message lives by a durable nonce whose stored value is the message's lifetime.
 * @param {Message} message
 * @param {AccountReader} read
 */
export function hasCurrentNonce(message, read) {
  const first = message.instructions[0];
  const isAdvance =
    first !== undefined &&
    message.staticKeys[first.programIndex] === SYSTEM_PROGRAM &&
    first.data.length === 4 &&
    first.data[0] === ADVANCE_NONCE_INSTRUCTION;
  if (!isAdvance || first.accounts.length === 0) return false;
  const nonce = read(message.staticKeys[first.accounts[0]]);
  return (
    nonce !== null &&
    nonce.owner === SYSTEM_PROGRAM &&
    nonce.data.length === NONCE_ACCOUNT_BYTES &&
    toBase58(nonce.data.subarray(40, 72)) === message.lifetime
  );
}

/**
 * The memos of a message in the form of getSignaturesForAddress: `[5] hello`, several joined by `; `.
 * @param {Message} message
 * @returns {string | null}
 */
export function memoOf(message) {
  const memos = message.instructions
    .filter((instruction) => MEMO_PROGRAMS.has(message.staticKeys[instruction.programIndex]))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}
