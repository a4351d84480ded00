// P-256 signatures of API keys, checked by OpenSSL.

import { createPublicKey, verify } from "node:crypto";

// SubjectPublicKeyInfo up to the point, for a compressed point of P-256.
const SPKI_PREFIX = "3039301306072a8648ce3d020106082a8648ce3d030107032200";

/**
 * Whether a signature over the text is that of an API key.
 * @param {string} publicKey compressed, hexadecimal
 * @param {string} text
 * @param {string} signature DER, hexadecimal
 * @returns {boolean}
 */
export function isSignedByApiKey(publicKey, text, signature) {
  const spki = Buffer.from(SPKI_PREFIX + publicKey, "hex");
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return verify("sha256", Buffer.from(text), key, Buffer.from(signature, "hex"));
}
