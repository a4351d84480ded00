// @ts-check
/** Accounts in the forms that JSON-RPC clients ask for. */
import { toBase58 } from './base58.js';
import { INVALID_REQUEST, RpcError, invalidParams } from './rpc-error.js';
import { parsedData } from './token-accounts.js';

const RENT_EXEMPT_EPOCH = 18446744073709551615n;
/** The longest data that is given in base58. */
export const MAX_BASE58_BYTES = 128;
const ENCODINGS = ['base64', 'base58', 'binary', 'jsonParsed'];

/** @typedef {{encoding?: string, dataSlice?: {offset: number, length: number}}} AccountForm */

/**
 * @param {AccountForm} form
 * @returns {AccountForm} the same
 * @throws {RpcError} INVALID_PARAMS
 */
export function checkEncoding(form) {
  const { encoding = 'binary' } = form;
  if (ENCODINGS.includes(encoding)) return form;
  throw invalidParams(`encoding ${encoding} is not supported; use base64, base58 or jsonParsed`);
}

/**
 * @param {import('./transaction.js').Account | null} account
 * @param {AccountForm} form
 * @param {(mint: string) => number} decimalsOf
 * @returns {object | null}
 * @throws {RpcError} when the form is unknown, or base58 of long data is asked for
 */
export function accountJson(account, form, decimalsOf) {
  checkEncoding(form);
  if (!account) return null;
  return {
    lamports: account.lamports,
    data: dataJson(account, form, decimalsOf),
    owner: account.owner,
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: account.data.length,
  };
}

/**
 * @param {import('./transaction.js').Account} account
 * @param {AccountForm} form
 * @param {(mint: string) => number} decimalsOf
 */
function dataJson(account, { encoding = 'binary', dataSlice }, decimalsOf) {
  const parsed = encoding === 'jsonParsed' ? parsedData(account, decimalsOf) : null;
  if (parsed) return parsed;
  const data = dataSlice ? account.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : account.data;
  switch (encoding) {
    case 'base64':
    case 'jsonParsed': // nothing to parse: base64, as nodes do
      return [Buffer.from(data).toString('base64'), 'base64'];
    case 'base58':
      return [shortBase58(data), 'base58'];
    default: // 'binary', what a request without an encoding gets
      return shortBase58(data);
  }
}

/** @param {Uint8Array} data */
function shortBase58(data) {
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcError(
      INVALID_REQUEST,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  return toBase58(data);
}
