// A session's credential: a P-256 API key that stamps requests. The private
// part becomes a CryptoKey that cannot be read back, by this frame's own code
// either.

import { concat, toBase64Url, toHex } from "./encoding.mjs";
import { publicKeyOf } from "./p256.mjs";

const SCHEME = "SIGNATURE_SCHEME_TK_API_P256";
const ECDSA = { name: "ECDSA", namedCurve: "P-256" };

/**
 * @typedef {{publicKey: string, signingKey: CryptoKey}} Credential
 *   publicKey: compressed, hexadecimal
 */

/**
 * Makes a credential of a private scalar and wipes the scalar.
 * @param {Uint8Array} scalar 32 bytes; zeros afterwards
 * @returns {Promise<Credential>}
 * @throws when the scalar is no private key of P-256
 */
export async function importCredential(scalar) {
  try {
    const { x, y, compressed } = publicKeyOf(scalar);
    const jwk = { kty: "EC", crv: "P-256", d: toBase64Url(scalar), x: toBase64Url(x), y: toBase64Url(y) };
    const signingKey = await crypto.subtle.importKey("jwk", jwk, ECDSA, false, ["sign"]);
    return { publicKey: toHex(compressed), signingKey };
  } finally {
    scalar.fill(0);
  }
}

/**
 * Stamps a request body.
 * @param {Credential} credential
 * @param {string} body the body's exact text
 * @returns {Promise<string>} the value of the X-Stamp header
 */
export async function stamp(credential, body) {
  const text = new TextEncoder().encode(body);
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, credential.signingKey, text);
  const content = {
    publicKey: credential.publicKey,
    scheme: SCHEME,
    signature: toHex(derSignature(new Uint8Array(signature))),
  };
  return toBase64Url(new TextEncoder().encode(JSON.stringify(content)));
}

/**
 * Turns WebCrypto's signature form (r, then s, 32 bytes each) into ASN.1 DER.
 * @param {Uint8Array} signature 64 bytes
 * @returns {Uint8Array} SEQUENCE { INTEGER r, INTEGER s }
 */
export function derSignature(signature) {
  const integers = concat(derInteger(signature.subarray(0, 32)), derInteger(signature.subarray(32)));
  return concat(Uint8Array.of(0x30, integers.length), integers);
}

/** DER integers are signed and as short as can be. */
function derInteger(bytes) {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const magnitude = bytes.subarray(start);
  const padding = magnitude[0] >= 0x80 ? Uint8Array.of(0) : new Uint8Array(0);
  return concat(Uint8Array.of(0x02, padding.length + magnitude.length), padding, magnitude);
}
