// Credential bundles: an API private key sealed to the frame's embedded key.
// Layout: encapsulated key (compressed, 33 bytes), then ciphertext and tag.

import { concat, fromBase58Check, fromBase64Url } from "./encoding.mjs";
import { open } from "./hpke.mjs";
import { parsePublicKey } from "./p256.mjs";

const INFO = new TextEncoder().encode("turnkey_hpke");
const ENCAPSULATED_KEY_LENGTH = 33;

// Characters that base64url has and base58 lacks.
const ONLY_BASE64URL = /[-_OIl0]/;

/**
 * Opens a credential bundle.
 * @param {string} bundle base58check, or base64url
 * @param {import("./hpke.mjs").Receiver} receiver the embedded key
 * @returns {Promise<Uint8Array>} the credential: the private scalar of a P-256 key
 * @throws when the text is no bundle, or the bundle is not sealed to this key
 */
export async function openCredentialBundle(bundle, receiver) {
  const bytes = ONLY_BASE64URL.test(bundle) ? fromBase64Url(bundle) : await fromBase58Check(bundle);
  if (bytes.length <= ENCAPSULATED_KEY_LENGTH) {
    throw new Error(
      `bundle size ${bytes.length} is too low. ` +
        "Expecting a compressed public key (33 bytes) and an encrypted credential",
    );
  }
  try {
    // The bundle carries the compressed key; what is authenticated is the uncompressed one.
    const enc = parsePublicKey(bytes.subarray(0, ENCAPSULATED_KEY_LENGTH)).uncompressed;
    const aad = concat(enc, receiver.publicKey);
    return await open(receiver, {
      enc,
      info: INFO,
      aad,
      ciphertext: bytes.subarray(ENCAPSULATED_KEY_LENGTH),
    });
  } catch (error) {
    throw new Error(
      `unable to decrypt bundle using embedded key. the bundle may be incorrect. failed with error: ${error}`,
    );
  }
}
