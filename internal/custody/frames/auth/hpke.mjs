// The receiving side of HPKE (RFC 9180), base mode, one suite:
// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Names follow the RFC.

import { concat, fromNumber } from "./encoding.mjs";

const KEM_ID = 0x0010n;
const KDF_ID = 0x0001n;
const AEAD_ID = 0x0002n;

const MODE_BASE = Uint8Array.of(0);
const NO_BYTES = new Uint8Array(0);
const HASH_LENGTH = 32;
const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;

const KEM_SUITE = concat(ascii("KEM"), fromNumber(KEM_ID, 2));
const HPKE_SUITE = concat(
  ascii("HPKE"),
  fromNumber(KEM_ID, 2),
  fromNumber(KDF_ID, 2),
  fromNumber(AEAD_ID, 2),
);

/**
 * The receiver's key pair.
 * @typedef {{privateKey: CryptoKey, publicKey: Uint8Array}} Receiver
 *   privateKey: an ECDH key of P-256 with the usage deriveBits; publicKey: its
 *   uncompressed form, 65 bytes.
 */

/**
 * Opens the first message sealed to the receiver (sequence number 0).
 * @param {Receiver} receiver
 * @param {{enc: Uint8Array, info: Uint8Array, aad: Uint8Array, ciphertext: Uint8Array}} message
 *   enc: the encapsulated key, uncompressed; ciphertext: with its 16-byte tag
 * @returns {Promise<Uint8Array>} the plaintext
 * @throws when enc is no point of the curve or the message is not authentic
 */
export async function open(receiver, { enc, info, aad, ciphertext }) {
  const { key, baseNonce } = await setupBaseReceiver(receiver, enc, info);
  const aesKey = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  key.fill(0);
  // At sequence number 0 the nonce is the base nonce itself (RFC 9180 §5.2).
  const parameters = { name: "AES-GCM", iv: baseNonce, additionalData: aad };
  return new Uint8Array(await crypto.subtle.decrypt(parameters, aesKey, ciphertext));
}

/**
 * SetupBaseR: the key and base nonce that both sides share (RFC 9180 §5.1.1).
 * @param {Receiver} receiver
 * @param {Uint8Array} enc the encapsulated key, uncompressed
 * @param {Uint8Array} info
 * @returns {Promise<{key: Uint8Array, baseNonce: Uint8Array}>}
 */
export async function setupBaseReceiver(receiver, enc, info) {
  const sharedSecret = await decap(receiver, enc);
  const pskIdHash = await labeledExtract(HPKE_SUITE, NO_BYTES, "psk_id_hash", NO_BYTES);
  const infoHash = await labeledExtract(HPKE_SUITE, NO_BYTES, "info_hash", info);
  const context = concat(MODE_BASE, pskIdHash, infoHash);

  const secret = await labeledExtract(HPKE_SUITE, sharedSecret, "secret", NO_BYTES);
  const key = await labeledExpand(HPKE_SUITE, secret, "key", context, KEY_LENGTH);
  const baseNonce = await labeledExpand(HPKE_SUITE, secret, "base_nonce", context, NONCE_LENGTH);
  sharedSecret.fill(0);
  secret.fill(0);
  return { key, baseNonce };
}

/** Decap: the KEM's shared secret (RFC 9180 §4.1). */
async function decap(receiver, enc) {
  const ecdh = { name: "ECDH", namedCurve: "P-256" };
  const publicKey = await crypto.subtle.importKey("raw", enc, ecdh, false, []);
  const dh = new Uint8Array(
    await crypto.subtle.deriveBits({ name: "ECDH", public: publicKey }, receiver.privateKey, 8 * HASH_LENGTH),
  );
  const prk = await labeledExtract(KEM_SUITE, NO_BYTES, "eae_prk", dh);
  const context = concat(enc, receiver.publicKey);
  const sharedSecret = await labeledExpand(KEM_SUITE, prk, "shared_secret", context, HASH_LENGTH);
  dh.fill(0);
  prk.fill(0);
  return sharedSecret;
}

function labeledExtract(suite, salt, label, ikm) {
  return hmac(salt, concat(ascii("HPKE-v1"), suite, ascii(label), ikm));
}

/** LabeledExpand for at most one hash of output, which is all that this suite needs. */
async function labeledExpand(suite, prk, label, info, length) {
  const labeledInfo = concat(fromNumber(BigInt(length), 2), ascii("HPKE-v1"), suite, ascii(label), info);
  const block = await hmac(prk, concat(labeledInfo, Uint8Array.of(1)));
  return block.slice(0, length);
}

async function hmac(key, message) {
  // WebCrypto refuses an empty HMAC key; HMAC pads keys with zeros anyway.
  const material = key.length === 0 ? new Uint8Array(HASH_LENGTH) : key;
  const hmacKey = await crypto.subtle.importKey("raw", material, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", hmacKey, message));
}

function ascii(text) {
  return new TextEncoder().encode(text);
}
