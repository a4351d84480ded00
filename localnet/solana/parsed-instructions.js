// @ts-check
/**
 * The jsonParsed form of the instructions that wallets read most: SOL and token transfers, memos. Any other comes
 * partially decoded (program, account addresses, base58 data), as nodes do for programs that they don't know.
 */
import { fromBase58, toBase58 } from './base58.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAmountJson } from './token-accounts.js';
import { SYSTEM_PROGRAM } from './transaction.js';

const MEMO_PROGRAMS = ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'];
const SYSTEM_TRANSFER = 2;
const TOKEN_TRANSFER = 3;
const TOKEN_TRANSFER_CHECKED = 12;

/**
 * @param {string} programId
 * @param {string[]} accounts
 * @param {Uint8Array | string} data bytes or base58
 * @param {number} stackHeight
 */
export function parsedInstruction(programId, accounts, data, stackHeight) {
  const bytes = typeof data === 'string' ? fromBase58(data) : data;
  const known = parse(programId, accounts, bytes);
  if (known) return { ...known, programId, stackHeight };
  return { programId, accounts, data: toBase58(bytes), stackHeight };
}

/**
 * @param {string} programId
 * @param {string[]} accounts
 * @param {Uint8Array} data
 */
function parse(programId, accounts, data) {
  if (programId === SYSTEM_PROGRAM) return systemTransfer(accounts, data);
  if (programId === TOKEN_PROGRAM) return tokenTransfer('spl-token', accounts, data);
  if (programId === TOKEN_2022_PROGRAM) return tokenTransfer('spl-token-2022', accounts, data);
  if (MEMO_PROGRAMS.includes(programId)) return { program: 'spl-memo', parsed: Buffer.from(data).toString('utf8') };
  return null;
}

/**
 * @param {string[]} accounts
 * @param {Uint8Array} data
 */
function systemTransfer([source, destination], data) {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  if (data.length !== 12 || view.getUint32(0, true) !== SYSTEM_TRANSFER || !destination) return null;
  const info = { source, destination, lamports: view.getBigUint64(4, true) };
  return { program: 'system', parsed: { type: 'transfer', info } };
}

/**
 * Transfers signed by one authority; those of multisignature accounts stay partially decoded.
 * @param {string} program
 * @param {string[]} accounts
 * @param {Uint8Array} data
 */
function tokenTransfer(program, accounts, data) {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  if (data[0] === TOKEN_TRANSFER && data.length === 9 && accounts.length === 3) {
    const [source, destination, authority] = accounts;
    const info = { source, destination, authority, amount: view.getBigUint64(1, true).toString() };
    return { program, parsed: { type: 'transfer', info } };
  }
  if (data[0] === TOKEN_TRANSFER_CHECKED && data.length === 10 && accounts.length === 4) {
    const [source, mint, destination, authority] = accounts;
    const tokenAmount = tokenAmountJson(view.getBigUint64(1, true), data[9]);
    return {
      program,
      parsed: { type: 'transferChecked', info: { source, mint, destination, authority, tokenAmount } },
    };
  }
  return null;
}
