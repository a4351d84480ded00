// The auth frame: wires the handshake, the embedded key and the requests.

import { acceptFirstChannel, answerInOrder } from "./channel.mjs";
import { EmbeddedKeyStore } from "./embeddedkey.mjs";
import { SessionKeeper } from "./requests.mjs";

const appOrigins = document.querySelector('meta[name="tenfold-app-origins"]').content.split(" ");

acceptFirstChannel(window, appOrigins, async (port, keyLifetimeMs) => {
  try {
    const embeddedKey = new EmbeddedKeyStore(window.localStorage, navigator.locks);
    const publicKey = await embeddedKey.ensure(keyLifetimeMs);
    const keeper = new SessionKeeper(embeddedKey);
    // Logging out in one tab leaves no credential in the others.
    window.addEventListener("storage", (event) => {
      if (embeddedKey.isRemoval(event)) keeper.forgetCredential();
    });
    answerInOrder(port, (message) => keeper.answer(message));
    port.postMessage({ type: "PUBLIC_KEY_READY", value: publicKey });
  } catch (error) {
    // A browser that denies this frame its storage, for one.
    port.postMessage({ type: "ERROR", value: String(error) });
  }
});
