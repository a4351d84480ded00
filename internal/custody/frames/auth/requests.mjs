// What the app's page may ask of the frame, and the answers.

import { openCredentialBundle } from "./bundle.mjs";
import { importCredential, stamp } from "./credential.mjs";

/** Answers the requests of one channel. It holds at most one credential, in memory only. */
export class SessionKeeper {
  #embeddedKey;
  /** @type {import("./credential.mjs").Credential | null} */
  #credential = null;

  #answers = new Map([
    ["INJECT_CREDENTIAL_BUNDLE", (value) => this.#inject(value)],
    // The name that clients of the provider's recovery flow use.
    ["INJECT_RECOVERY_BUNDLE", (value) => this.#inject(value)],
    ["STAMP_REQUEST", (value) => this.#stamp(value)],
    ["GET_EMBEDDED_PUBLIC_KEY", () => reply("EMBEDDED_PUBLIC_KEY", this.#embeddedKey.publicKey())],
    ["INIT_EMBEDDED_KEY", async () => reply("EMBEDDED_PUBLIC_KEY", await this.#embeddedKey.ensure())],
    ["RESET_EMBEDDED_KEY", () => this.#reset()],
    // Settings are styles of frames that show something; this one shows nothing.
    ["APPLY_SETTINGS", () => reply("SETTINGS_APPLIED", true)],
  ]);

  /** @param {import("./embeddedkey.mjs").EmbeddedKeyStore} embeddedKey */
  constructor(embeddedKey) {
    this.#embeddedKey = embeddedKey;
  }

  /**
   * Answers one request.
   * @param {unknown} message `{type, requestId, value}` as the page sent it
   * @returns {Promise<{type: string, value: unknown, requestId?: string}>}
   *   the answer, of type ERROR when the request failed
   */
  async answer(message) {
    const { type, value, requestId } = Object(message);
    try {
      const answer = this.#answers.get(type);
      if (!answer) throw new Error(`unsupported request: ${type}`);
      return { ...(await answer(value)), requestId };
    } catch (error) {
      return { ...reply("ERROR", String(error)), requestId };
    }
  }

  /** Drops the credential; from now on nothing can be stamped until a bundle is injected. */
  forgetCredential() {
    this.#credential = null;
  }

  /** A bundle that does not open leaves the credential as it was. */
  async #inject(bundle) {
    requireText(bundle, "bundle");
    const scalar = await openCredentialBundle(bundle, await this.#embeddedKey.receiver());
    this.#credential = await importCredential(scalar);
    return reply("BUNDLE_INJECTED", true);
  }

  async #stamp(body) {
    if (!this.#credential) {
      throw new Error(
        "cannot sign payload without credential. Credential bytes are null. " +
          "Has a credential bundle been injected into the iframe?",
      );
    }
    requireText(body, "payload");
    return reply("STAMP", await stamp(this.#credential, body));
  }

  /** Leaves nothing behind: the app calls this when the person logs out. */
  #reset() {
    this.forgetCredential();
    this.#embeddedKey.remove();
    return reply("EMBEDDED_KEY_RESET", true);
  }
}

function reply(type, value) {
  return { type, value };
}

function requireText(value, name) {
  if (typeof value !== "string" || value === "") throw new Error(`${name} must be a non-empty string`);
}
