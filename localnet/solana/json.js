// @ts-check
/**
 * JSON with 64-bit integers. Solana's JSON-RPC carries u64 numbers as bare digits (lamports, rent epochs,
 * and ids chosen by clients), which JSON.parse and JSON.stringify would round to 53 bits.
 */
import { randomBytes } from 'node:crypto';

// Marks a number inside a string while JSON.parse or JSON.stringify runs. Random for each process, so that
// no client, log line or memo can contain it and be turned into a number.
const MARK = `int-${randomBytes(16).toString('hex')}:`;
const MARKED_STRING = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

// A JSON string, or an integer of 16 digits and more that is not a part of a fraction. Strings are matched
// so that digits inside them are stepped over.
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;

/**
 * Parses JSON; integers that a double can't hold come back as bigint.
 * @param {string} text
 * @returns {unknown}
 * @throws {SyntaxError} when the text is not JSON
 */
export function parse(text) {
  const marked = text.replace(STRING_OR_LONG_INTEGER, (token) => (token[0] === '"' ? token : `"${MARK}${token}"`));
  return JSON.parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? smallest(BigInt(value.slice(MARK.length))) : value,
  );
}

/**
 * Writes JSON; bigint values become bare digits.
 * @param {unknown} value
 * @returns {string}
 */
export function stringify(value) {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${MARK}${part}` : part)).replace(
    MARKED_STRING,
    '$1',
  );
}

/** @param {bigint} n */
function smallest(n) {
  const rounded = Number(n);
  return Number.isSafeInteger(rounded) ? rounded : n;
}
