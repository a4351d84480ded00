// @ts-check
/** Token accounts and mints: their bytes, and the parsed form that JSON-RPC gives them. */
import { toBase58 } from './base58.js';

/** The classic token program, and the one with extensions. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const PROGRAM_NAMES = /** @type {Record<string, string>} */ ({
  [TOKEN_PROGRAM]: 'spl-token',
  [TOKEN_2022_PROGRAM]: 'spl-token-2022',
});
const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
// Token-2022 appends extensions behind a type byte at this offset.
const TYPE_OFFSET = 165;
const TYPE_MINT = 1;
const TYPE_ACCOUNT = 2;
const STATES = ['uninitialized', 'initialized', 'frozen'];

/**
 * @typedef {import('./transaction.js').Account} Account
 * @typedef {object} TokenAccount
 * @property {string} mint
 * @property {string} owner
 * @property {bigint} amount
 * @property {string} state
 * @property {bigint | null} rentReserve of a wrapped SOL account, lamports
 * @property {string | null} delegate
 * @property {bigint} delegatedAmount
 * @property {string | null} closeAuthority
 *
 * @typedef {object} Mint
 * @property {bigint} supply
 * @property {number} decimals
 * @property {boolean} initialized
 * @property {string | null} mintAuthority
 * @property {string | null} freezeAuthority
 */

/**
 * @param {Account | null} account
 * @returns {TokenAccount | null} null when it is not an initialized token account
 */
export function readTokenAccount(account) {
  if (!account || !(account.owner in PROGRAM_NAMES)) return null;
  const { data } = account;
  const isAccount = data.length === ACCOUNT_BYTES || (data.length > TYPE_OFFSET && data[TYPE_OFFSET] === TYPE_ACCOUNT);
  if (!isAccount || data[108] === 0) return null;
  const view = viewOf(data);
  return {
    mint: toBase58(data.subarray(0, 32)),
    owner: toBase58(data.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    delegate: optionalKey(view, data, 72),
    state: STATES[data[108]],
    rentReserve: view.getUint32(109, true) === 1 ? view.getBigUint64(113, true) : null,
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: optionalKey(view, data, 129),
  };
}

/**
 * @param {Account | null} account
 * @returns {Mint | null} null when it is not an initialized mint
 */
export function readMint(account) {
  if (!account || !(account.owner in PROGRAM_NAMES)) return null;
  const { data } = account;
  const isMint = data.length === MINT_BYTES || (data.length > TYPE_OFFSET && data[TYPE_OFFSET] === TYPE_MINT);
  if (!isMint || data[45] !== 1) return null;
  const view = viewOf(data);
  return {
    mintAuthority: optionalKey(view, data, 0),
    supply: view.getBigUint64(36, true),
    decimals: data[44],
    initialized: true,
    freezeAuthority: optionalKey(view, data, 46),
  };
}

/**
 * The bytes of a mint of the classic token program without freeze authority.
 * @param {{mintAuthority: Uint8Array, decimals: number}} mint
 */
export function mintBytes({ mintAuthority, decimals }) {
  const data = new Uint8Array(MINT_BYTES);
  viewOf(data).setUint32(0, 1, true);
  data.set(mintAuthority, 4);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

/**
 * @param {bigint} amount base units
 * @param {number} decimals
 */
export function tokenAmountJson(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: Number(amount) / 10 ** decimals,
    uiAmountString: fraction === '' ? whole : `${whole}.${fraction}`,
  };
}

/**
 * The jsonParsed form of an account's data, or null when there is none for it.
 * @param {Account} account
 * @param {(mint: string) => number} decimalsOf
 */
export function parsedData(account, decimalsOf) {
  const program = PROGRAM_NAMES[account.owner];
  const mint = readMint(account);
  if (mint) {
    const info = {
      decimals: mint.decimals,
      freezeAuthority: mint.freezeAuthority,
      isInitialized: mint.initialized,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
    };
    return { program, parsed: { info, type: 'mint' }, space: account.data.length };
  }
  const token = readTokenAccount(account);
  if (!token) return null;
  const decimals = decimalsOf(token.mint);
  const info = {
    isNative: token.rentReserve !== null,
    mint: token.mint,
    owner: token.owner,
    state: token.state,
    tokenAmount: tokenAmountJson(token.amount, decimals),
    ...(token.rentReserve !== null && { rentExemptReserve: tokenAmountJson(token.rentReserve, decimals) }),
    ...(token.delegate !== null && {
      delegate: token.delegate,
      delegatedAmount: tokenAmountJson(token.delegatedAmount, decimals),
    }),
    ...(token.closeAuthority !== null && { closeAuthority: token.closeAuthority }),
  };
  return { program, parsed: { info, type: 'account' }, space: account.data.length };
}

/** @param {Uint8Array} data */
function viewOf(data) {
  return new DataView(data.buffer, data.byteOffset, data.length);
}

/**
 * A key behind a 4-byte tag that says whether it is there.
 * @param {DataView} view
 * @param {Uint8Array} data
 * @param {number} offset
 */
function optionalKey(view, data, offset) {
  return view.getUint32(offset, true) === 1 ? toBase58(data.subarray(offset + 4, offset + 36)) : null;
}
