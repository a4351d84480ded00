// Chromium with a virtual authenticator: passkeys without a person.

import { chromium } from "playwright-core";
import { chromiumPath } from "./paths.mjs";

/**
 * Starts a headless Chromium.
 * @returns {Promise<import("playwright-core").Browser>}
 */
export function launchChromium() {
  // Chromium refuses its own sandbox to the root user, which CI machines have.
  const asRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: chromiumPath, args: asRoot ? ["--no-sandbox"] : [] });
}

/**
 * Gives a page a platform authenticator that consents to everything at once.
 * Call it before the page is navigated.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<{setUserVerified: (verified: boolean) => Promise<void>, credentials: () => Promise<object[]>}>}
 */
export async function addVirtualAuthenticator(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setUserVerified: (isUserVerified) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    credentials: async () =>
      (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}
