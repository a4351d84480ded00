// @ts-check
/** Base58 of byte strings: addresses, blockhashes, signatures. */
import { getBase58Decoder, getBase58Encoder } from '@solana/kit';

const decoder = getBase58Decoder();
const encoder = getBase58Encoder();

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function toBase58(bytes) {
  return decoder.decode(bytes);
}

/**
 * @param {string} text
 * @returns {Uint8Array}
 * @throws {Error} when a character is not of the alphabet
 */
export function fromBase58(text) {
  return Uint8Array.from(encoder.encode(text));
}
