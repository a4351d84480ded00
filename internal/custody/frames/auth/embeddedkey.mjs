// The embedded key: the P-256 key pair that credential bundles are sealed to.
// It lives in the storage of the frame's own origin, which the app's page
// cannot read, and survives a reload so that a bundle can be injected again.

import { concat, fromBase64Url, toHex } from "./encoding.mjs";
import { parsePublicKey } from "./p256.mjs";

const STORAGE_KEY = "TURNKEY_EMBEDDED_KEY";
const DEFAULT_LIFETIME_MS = 48 * 60 * 60 * 1000;
const ECDH = { name: "ECDH", namedCurve: "P-256" };

/** Keeps the embedded key in a Storage under the provider's name for it. */
export class EmbeddedKeyStore {
  #storage;
  #locks;

  /**
   * @param {Storage} storage
   * @param {{request: (name: string, callback: () => Promise<string>) => Promise<string>}} locks
   *   navigator.locks, or its like: two tabs that start at once must agree on one key
   */
  constructor(storage, locks) {
    this.#storage = storage;
    this.#locks = locks;
  }

  /**
   * The key's public part, making a key when there is none.
   * @param {unknown} [lifetimeMs] the life of a key made now, in milliseconds
   *   (48 hours unless it is a positive number); an existing key keeps its own
   * @returns {Promise<string>} uncompressed, hexadecimal
   */
  async ensure(lifetimeMs) {
    return this.#locks.request(STORAGE_KEY, async () => this.publicKey() || this.#create(lifetimeMs));
  }

  /** The key's public part, uncompressed hexadecimal, or "" when there is no key. @returns {string} */
  publicKey() {
    const jwk = this.#read();
    return jwk ? toHex(publicBytes(jwk)) : "";
  }

  /**
   * The key as the receiver of bundles.
   * @returns {Promise<import("./hpke.mjs").Receiver>}
   * @throws when there is no key, or it has expired
   */
  async receiver() {
    const jwk = this.#read();
    if (!jwk) throw new Error("no embedded key: it was reset or has expired");
    const privateKey = await crypto.subtle.importKey("jwk", jwk, ECDH, false, ["deriveBits"]);
    return { privateKey, publicKey: publicBytes(jwk) };
  }

  /** Forgets the key; bundles sealed to it can never be opened again. */
  remove() {
    this.#storage.removeItem(STORAGE_KEY);
  }

  /**
   * Whether a storage event tells that another tab removed the key.
   * @param {{key: string | null, newValue: string | null}} event key is null when all was cleared
   * @returns {boolean}
   */
  isRemoval({ key, newValue }) {
    return key === null || (key === STORAGE_KEY && newValue === null);
  }

  async #create(lifetimeMs) {
    const pair = await crypto.subtle.generateKey(ECDH, true, ["deriveBits"]);
    const { kty, crv, d, x, y } = await crypto.subtle.exportKey("jwk", pair.privateKey);
    const lifetime = Number.isFinite(lifetimeMs) && lifetimeMs > 0 ? lifetimeMs : DEFAULT_LIFETIME_MS;
    const record = { value: JSON.stringify({ kty, crv, d, x, y }), expiry: Date.now() + lifetime };
    this.#storage.setItem(STORAGE_KEY, JSON.stringify(record));
    return this.publicKey();
  }

  /** The stored key as a JWK. One that has expired or cannot be read is removed. */
  #read() {
    const text = this.#storage.getItem(STORAGE_KEY);
    if (text === null) return null;
    try {
      const { value, expiry } = JSON.parse(text);
      const jwk = JSON.parse(value);
      if (Date.now() < expiry && publicBytes(jwk)) return jwk;
    } catch {
      // Falls through: an unreadable key is as good as none.
    }
    this.remove();
    return null;
  }
}

/** @param {JsonWebKey} jwk @returns {Uint8Array} the uncompressed public key */
function publicBytes(jwk) {
  return parsePublicKey(concat(Uint8Array.of(4), fromBase64Url(jwk.x), fromBase64Url(jwk.y))).uncompressed;
}
