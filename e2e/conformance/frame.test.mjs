// The auth frame in a real browser, driven by the official iframe stampers and
// attacked by other pages.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hpkeEncrypt } from "@turnkey/crypto";
import { bs58check } from "@turnkey/encoding";
import { launchChromium, newApiKey, startCustody } from "../stack/index.mjs";
import { clients, serveAppPage } from "./app-page.mjs";
import { isSignedByApiKey } from "./p256.mjs";

const timeout = 30_000;

let app;
let stranger;
let custody;
let browser;

before(async () => {
  app = await serveAppPage();
  stranger = await serveAppPage();
  custody = await startCustody({ origins: [app.origin] });
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  await custody?.stop();
  await stranger?.stop();
  await app?.stop();
});

/** Opens a page in a browser context of its own, which ends with the test. */
async function openPage(t, url) {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Starts an official stamper in a page, as window.stamper. Gives the frame's public key. */
function startStamper(page, version = "2.11.1", keyLifetimeMs = undefined) {
  const settings = { module: clients.iframeStamper[version], iframeUrl: custody.authFrameUrl, keyLifetimeMs };
  return page.evaluate(async ({ module, iframeUrl, keyLifetimeMs }) => {
    const { IframeStamper } = await import(module);
    window.stamper = new IframeStamper({
      iframeUrl,
      iframeElementId: "auth-frame",
      iframeContainer: document.body,
    });
    return window.stamper.init(keyLifetimeMs);
  }, settings);
}

/** A credential sealed to the frame by the provider's own library. */
function sealedCredential(targetPublicKey) {
  const key = newApiKey();
  const bytes = hpkeEncrypt({
    plainTextBuf: Buffer.from(key.privateKey, "hex"),
    targetKeyBuf: Buffer.from(targetPublicKey, "hex"),
  });
  return { key, bytes, bundle: bs58check.encode(bytes) };
}

const inject = (page, bundle) => page.evaluate((text) => window.stamper.injectCredentialBundle(text), bundle);
const stamp = (page, body) => page.evaluate((text) => window.stamper.stamp(text), body);

/** Whether a stamp is the key's signature over the body. */
function isStampOf({ stampHeaderName, stampHeaderValue }, key, body) {
  assert.equal(stampHeaderName, "X-Stamp");
  const { publicKey, scheme, signature } = JSON.parse(
    Buffer.from(stampHeaderValue, "base64url").toString("utf8"),
  );
  assert.equal(scheme, "SIGNATURE_SCHEME_TK_API_P256");
  assert.equal(publicKey, key.publicKey);
  return isSignedByApiKey(publicKey, body, signature);
}

for (const version of Object.keys(clients.iframeStamper)) {
  test(`iframe-stamper ${version} injects a credential and stamps`, { timeout }, async (t) => {
    const page = await openPage(t, app.origin);
    const publicKey = await startStamper(page, version);
    assert.match(publicKey, /^04[0-9a-f]{128}$/);
    assert.equal(await page.evaluate(() => window.stamper.publicKey()), publicKey);

    const { key, bundle } = sealedCredential(publicKey);
    assert.equal(await inject(page, bundle), true);
    const body = '{"organizationId":"é < > & \u{1F511}"}';
    assert.ok(isStampOf(await stamp(page, body), key, body));
    assert.ok(!isStampOf(await stamp(page, body), key, `${body} `));
  });
}

test("a bundle with any byte flipped is refused and injects nothing", { timeout }, async (t) => {
  const page = await openPage(t, app.origin);
  const { bytes } = sealedCredential(await startStamper(page));
  const flipped = Array.from(bytes, (_, i) =>
    bs58check.encode(bytes.map((byte, j) => (i === j ? byte ^ 1 : byte))),
  );
  const refusals = await page.evaluate(
    (bundles) =>
      Promise.all(bundles.map((text) => window.stamper.injectCredentialBundle(text).catch((e) => e.message))),
    flipped,
  );
  assert.equal(refusals.length, 81);
  for (const refusal of refusals) assert.match(refusal, /unable to decrypt bundle using embedded key/);
  await assert.rejects(stamp(page, "{}"), /cannot sign payload without credential/);
});

test("after a reload the key is the same and the credential gone", { timeout }, async (t) => {
  const page = await openPage(t, app.origin);
  const publicKey = await startStamper(page);
  const { key, bundle } = sealedCredential(publicKey);
  await inject(page, bundle);
  await page.reload();
  assert.equal(await startStamper(page), publicKey);
  await assert.rejects(stamp(page, "{}"), /Has a credential bundle been injected/);
  await inject(page, bundle);
  assert.ok(isStampOf(await stamp(page, "{}"), key, "{}"));
});

test("logging out leaves no key and no credential, in this tab and in others", { timeout }, async (t) => {
  const page = await openPage(t, app.origin);
  const { key, bundle } = sealedCredential(await startStamper(page));
  await inject(page, bundle);
  const other = await page.context().newPage();
  await other.goto(app.origin);
  await startStamper(other);
  await inject(other, bundle);
  assert.ok(isStampOf(await stamp(other, "{}"), key, "{}"));

  await page.evaluate(() => window.stamper.clearEmbeddedKey());
  assert.equal(await page.evaluate(() => window.stamper.getEmbeddedPublicKey()), "");
  await assert.rejects(stamp(page, "{}"), /cannot sign payload without credential/);
  await assert.rejects(inject(page, bundle), /no embedded key/);
  assert.equal(await storedKey(page), null);
  assert.match(await refusalToStamp(other), /cannot sign payload without credential/);

  const renewed = await page.evaluate(() => window.stamper.initEmbeddedKey());
  assert.match(renewed, /^04[0-9a-f]{128}$/);
  await assert.rejects(inject(page, bundle), /unable to decrypt bundle/);
});

test("the key's lifetime is the page's to choose only before there is a key", { timeout }, async (t) => {
  const page = await openPage(t, app.origin);
  const publicKey = await startStamper(page, "2.3.0", 3_600_000);
  const { expiry } = JSON.parse(await storedKey(page));
  assert.ok(expiry > Date.now() && expiry <= Date.now() + 3_600_000);
  await page.reload();
  assert.equal(await startStamper(page, "2.3.0", 7_200_000), publicKey);
  assert.equal(JSON.parse(await storedKey(page)).expiry, expiry);
});

/** Stamps until the frame refuses, as it must once it hears of the other tab. */
function refusalToStamp(page) {
  return page.evaluate(async () => {
    for (;;) {
      const refusal = await window.stamper.stamp("{}").then(
        () => null,
        (error) => error.message,
      );
      if (refusal) return refusal;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
}

/** The embedded key as the frame stores it. The page itself cannot read it. */
function storedKey(page) {
  return authFrame(page).evaluate(() => localStorage.getItem("TURNKEY_EMBEDDED_KEY"));
}

const authFrame = (page) => page.frames().find((frame) => frame.url() === custody.authFrameUrl);

test("the app's page reaches neither the frame's document nor its storage", { timeout }, async (t) => {
  const page = await openPage(t, app.origin);
  await startStamper(page);
  const seen = await page.evaluate(() => {
    const frame = document.getElementById("auth-frame");
    const read = (reader) => {
      try {
        return reader();
      } catch (error) {
        return error.name;
      }
    };
    return [
      frame.contentDocument,
      read(() => frame.contentWindow.localStorage),
      localStorage.getItem("TURNKEY_EMBEDDED_KEY"),
    ];
  });
  assert.deepEqual(seen, [null, "SecurityError", null]);
});

test("another origin's page cannot embed the frame", { timeout }, async (t) => {
  const page = await openPage(t, stranger.origin);
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.evaluate((src) => {
    const frame = document.createElement("iframe");
    frame.src = src;
    document.body.append(frame);
  }, custody.authFrameUrl);
  await refused;
  assert.equal(authFrame(page), undefined);
});

/** Notes in the frame that the next channel offer arrived, whatever the frame makes of it. */
async function noteOffer(frame) {
  await frame.evaluate(() => {
    window.offerArrived = new Promise((resolve) => {
      window.addEventListener("message", () => resolve(), { once: true });
    });
  });
  return () => frame.evaluate(() => window.offerArrived);
}

/** Offers a channel to a window; what it answers is collected in window.answers. */
function offerChannel(page, findTarget) {
  return page.evaluate((expression) => {
    const channel = new MessageChannel();
    window.answers ??= [];
    window.offered = channel.port1;
    channel.port1.onmessage = (event) => window.answers.push(event.data);
    const target = new Function(`return ${expression}`)();
    target.postMessage({ type: "TURNKEY_INIT_MESSAGE_CHANNEL" }, "*", [channel.port2]);
  }, findTarget);
}

test("a second channel is refused, also from the app's own page", { timeout }, async (t) => {
  const page = await openPage(t, app.origin);
  const publicKey = await startStamper(page);
  const arrived = await noteOffer(authFrame(page));
  await offerChannel(page, "document.getElementById('auth-frame').contentWindow");
  await arrived();
  await page.evaluate(() => window.offered.postMessage({ type: "GET_EMBEDDED_PUBLIC_KEY", requestId: "1" }));
  assert.equal(await page.evaluate(() => window.stamper.getEmbeddedPublicKey()), publicKey);
  assert.deepEqual(await page.evaluate(() => window.answers), []);
});

test("a page that opened the app cannot take the frame's first channel", { timeout }, async (t) => {
  const attacker = await openPage(t, stranger.origin);
  const opened = attacker.context().waitForEvent("page");
  const embedding = `${app.origin}/?frame=${encodeURIComponent(custody.authFrameUrl)}`;
  await attacker.evaluate((url) => {
    window.victim = window.open(url);
  }, embedding);
  const victim = await opened;
  await victim.waitForLoadState("load");
  const arrived = await noteOffer(authFrame(victim));
  await offerChannel(attacker, "window.victim.frames[0]");
  await arrived();

  // The app's own offer, later, is the first legitimate one.
  await offerChannel(victim, "document.getElementById('embedded').contentWindow");
  await victim.waitForFunction(() => window.answers.length > 0);
  assert.equal((await victim.evaluate(() => window.answers))[0].type, "PUBLIC_KEY_READY");
  assert.deepEqual(await attacker.evaluate(() => window.answers), []);
});

test("a frame inside another frame talks to nobody", { timeout }, async (t) => {
  const inner = `${app.origin}/?frame=${encodeURIComponent(custody.authFrameUrl)}`;
  const page = await openPage(t, `${app.origin}/?frame=${encodeURIComponent(inner)}`);
  const middle = page.frames().find((frame) => frame.url() === inner);
  const frame = authFrame(page);
  const arrived = await noteOffer(frame);
  await offerChannel(middle, "document.getElementById('embedded').contentWindow");
  await arrived();
  // Had the frame accepted, making its key would hold this lock before us.
  const key = await frame.evaluate(() =>
    navigator.locks.request("TURNKEY_EMBEDDED_KEY", async () => localStorage.getItem("TURNKEY_EMBEDDED_KEY")),
  );
  assert.equal(key, null);
  assert.deepEqual(await middle.evaluate(() => window.answers), []);
});

test("the frame opened as a page of its own does nothing", { timeout }, async (t) => {
  const page = await openPage(t, custody.authFrameUrl);
  const arrived = await noteOffer(page.mainFrame());
  await offerChannel(page, "window");
  await arrived();
  assert.deepEqual(await page.evaluate(() => [window.answers, localStorage.length]), [[], 0]);
});
