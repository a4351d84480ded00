// Keys for the tests, made without the code under test.
import { createECDH } from "node:crypto";

/** @param {string} hex @returns {Uint8Array} */
export const fromHex = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));

/**
 * The receiver of a P-256 private key in hexadecimal.
 * @param {string} privateKey
 * @returns {Promise<import("../auth/hpke.mjs").Receiver>}
 */
export async function receiverOf(privateKey) {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey, "hex");
  const publicKey = Uint8Array.from(pair.getPublicKey());
  const text = (bytes) => Buffer.from(bytes).toString("base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: text(Buffer.from(privateKey, "hex")),
    x: text(publicKey.subarray(1, 33)),
    y: text(publicKey.subarray(33)),
  };
  const ecdh = { name: "ECDH", namedCurve: "P-256" };
  return { publicKey, privateKey: await crypto.subtle.importKey("jwk", jwk, ecdh, false, ["deriveBits"]) };
}
