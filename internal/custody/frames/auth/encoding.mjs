// Text forms of bytes: hexadecimal, base64url and base58check. Decoders refuse
// what they do not understand; a lenient decoder gives two texts one meaning.

const BASE58_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 4;

/** Joins byte arrays. @param {...Uint8Array} parts @returns {Uint8Array} */
export function concat(...parts) {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Lowercase hexadecimal, two digits a byte. @param {Uint8Array} bytes @returns {string} */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Reads big-endian bytes as a number.
 * @param {Uint8Array} bytes
 * @returns {bigint}
 */
export function toNumber(bytes) {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}

/**
 * Writes a number as big-endian bytes of a fixed length.
 * @param {bigint} number not negative, below 256^length
 * @param {number} length in bytes
 * @returns {Uint8Array}
 */
export function fromNumber(number, length) {
  const bytes = new Uint8Array(length);
  let rest = number;
  for (let i = length - 1; i >= 0; i--) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  if (rest !== 0n) throw new Error(`number does not fit ${length} bytes`);
  return bytes;
}

/** Base64url without padding (RFC 4648 §5). @param {Uint8Array} bytes @returns {string} */
export function toBase64Url(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Decodes base64url; padding is optional.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromBase64Url(text) {
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(text)) throw new Error("not base64url text");
  const standard = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/**
 * Decodes base58check without a version byte: payload, then the first four
 * bytes of SHA-256(SHA-256(payload)).
 * @param {string} text
 * @returns {Promise<Uint8Array>} the payload
 */
export async function fromBase58Check(text) {
  const bytes = fromBase58(text);
  if (bytes.length < CHECKSUM_LENGTH) throw new Error("base58check text is too short");
  const payload = bytes.subarray(0, -CHECKSUM_LENGTH);
  const checksum = bytes.subarray(-CHECKSUM_LENGTH);
  const once = await crypto.subtle.digest("SHA-256", payload);
  const twice = new Uint8Array(await crypto.subtle.digest("SHA-256", once));
  if (checksum.some((byte, i) => byte !== twice[i])) throw new Error("base58check checksum does not match");
  return payload;
}

/** @param {string} text @returns {Uint8Array} */
function fromBase58(text) {
  let number = 0n;
  for (const character of text) {
    const digit = BASE58_ALPHABET.indexOf(character);
    if (digit < 0) throw new Error("not base58 text");
    number = number * 58n + BigInt(digit);
  }
  // Each leading "1" stands for one leading zero byte.
  const zeros = text.length - text.replace(/^1+/, "").length;
  const length = number === 0n ? 0 : Math.ceil(number.toString(16).length / 2);
  return concat(new Uint8Array(zeros), fromNumber(number, length));
}
