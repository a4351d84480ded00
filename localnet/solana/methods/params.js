// @ts-check
/** Reading and checking the positional parameters of JSON-RPC requests. */
import { fromBase58 } from '../base58.js';
import { MIN_CONTEXT_SLOT_NOT_REACHED, RpcError, invalidParams } from '../rpc-error.js';

/**
 * @param {unknown} value
 * @param {number} bytes
 * @param {string} what
 * @returns {string}
 */
function base58Of(value, bytes, what) {
  if (typeof value === 'string') {
    try {
      if (fromBase58(value).length === bytes) return value;
    } catch {
      // reported below
    }
  }
  throw invalidParams(`${what} must be the base58 text of ${bytes} bytes`);
}

/** @param {unknown} value */
export const address = (value) => base58Of(value, 32, 'address');

/** @param {unknown} value */
export const hash = (value) => base58Of(value, 32, 'hash');

/** @param {unknown} value */
export const signature = (value) => base58Of(value, 64, 'signature');

/**
 * @template T
 * @param {unknown} value
 * @param {(element: unknown) => T} read
 * @param {number} most
 * @returns {T[]}
 */
export function list(value, read, most) {
  if (!Array.isArray(value)) throw invalidParams('expected an array');
  if (value.length > most) throw invalidParams(`too many inputs provided; max ${most}`);
  return value.map(read);
}

/**
 * A natural number that fits u64.
 * @param {unknown} value
 * @returns {bigint}
 */
export function u64(value) {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  const number = isWhole ? BigInt(/** @type {number | bigint} */ (value)) : -1n;
  if (number < 0n || number >= 1n << 64n) throw invalidParams('expected an integer of 64 bits');
  return number;
}

/**
 * The optional configuration object of a request.
 * @param {unknown} value
 * @returns {Record<string, any>}
 */
export function config(value) {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidParams('configuration must be an object');
  return /** @type {Record<string, any>} */ (value);
}

/**
 * @param {unknown} value
 * @returns {'processed' | 'confirmed' | 'finalized'} finalized when absent, as in the public interface
 */
export function commitment(value) {
  if (value === undefined || value === null) return 'finalized';
  if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value;
  throw invalidParams(`unknown commitment ${value}`);
}

/**
 * The slot up to which a request with this commitment sees the chain. What is not final is confirmed here, since a
 * transaction is durable before anybody is told of it.
 * @param {import('../chain.js').Chain} chain
 * @param {unknown} value commitment
 */
export function visibleSlot(chain, value) {
  return commitment(value) === 'finalized' ? chain.clock.finalSlot() : chain.clock.slot();
}

/**
 * @param {import('../chain.js').Chain} chain
 * @param {Record<string, any>} settings
 * @throws {RpcError} when the client asks for a state later than ours
 */
export function requireMinContextSlot(chain, { minContextSlot }) {
  if (minContextSlot !== undefined && minContextSlot !== null && u64(minContextSlot) > BigInt(chain.clock.slot())) {
    throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
      contextSlot: chain.clock.slot(),
    });
  }
}

/**
 * A value with the slot it was read at.
 * @template T
 * @param {import('../chain.js').Chain} chain
 * @param {T} value
 */
export function withContext(chain, value) {
  return { context: { apiVersion: API_VERSION, slot: chain.clock.slot() }, value };
}

/** The version of Solana's interface that this service follows. */
export const API_VERSION = '2.3.0';
