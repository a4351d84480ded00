// Ed25519 signatures, checked by OpenSSL.

import { createPublicKey, verify } from "node:crypto";
import { PublicKey } from "@solana/web3.js";

/**
 * Whether a signature over the bytes is that of a Solana address.
 * @param {string} address base58
 * @param {Uint8Array} bytes
 * @param {Uint8Array} signature 64 bytes
 * @returns {boolean}
 */
export function isSignedBy(address, bytes, signature) {
  const x = Buffer.from(new PublicKey(address).toBytes()).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, bytes, key, signature);
}
