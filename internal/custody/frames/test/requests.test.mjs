import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedKeyStore } from "../auth/embeddedkey.mjs";
import { SessionKeeper } from "../auth/requests.mjs";

const published = {
  bundle:
    "w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf",
  receiverJwk: {
    kty: "EC",
    crv: "P-256",
    d: Buffer.from("20fa65df11f24833790ae283fc9a0c215eecbbc589549767977994dc69d05a56", "hex").toString(
      "base64url",
    ),
  },
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** The parts of the browser's Storage and LockManager that the frame uses. */
function browser() {
  const items = new Map();
  const storage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  };
  let last = Promise.resolve();
  const locks = {
    request: (_name, callback) => {
      last = last.then(callback);
      return last;
    },
  };
  return { items, storage, locks };
}

function setup() {
  const { items, storage, locks } = browser();
  const embeddedKey = new EmbeddedKeyStore(storage, locks);
  const keeper = new SessionKeeper(embeddedKey);
  const ask = (type, value) => keeper.answer({ type, value, requestId: `request of ${type}` });
  const stored = () => JSON.parse(items.get("TURNKEY_EMBEDDED_KEY"));
  return { items, storage, locks, embeddedKey, keeper, ask, stored };
}

/** Puts the published bundle's receiver in place of the embedded key. */
async function withPublishedKey() {
  const parts = setup();
  const { createECDH } = await import("node:crypto");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(Buffer.from(published.receiverJwk.d, "base64url"));
  const point = pair.getPublicKey();
  const jwk = {
    ...published.receiverJwk,
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  parts.items.set(
    "TURNKEY_EMBEDDED_KEY",
    JSON.stringify({ value: JSON.stringify(jwk), expiry: Date.now() + DAY_MS }),
  );
  return parts;
}

test("the embedded key lives 48 hours under the provider's name and form", async () => {
  const { embeddedKey, stored } = setup();
  const publicKey = await embeddedKey.ensure();
  assert.match(publicKey, /^04[0-9a-f]{128}$/);
  const { value, expiry } = stored();
  assert.ok(Math.abs(expiry - Date.now() - 2 * DAY_MS) < 60_000, "48 hours");
  const jwk = JSON.parse(value);
  const coordinates = Buffer.concat([Buffer.from(jwk.x, "base64url"), Buffer.from(jwk.y, "base64url")]);
  assert.equal(`04${coordinates.toString("hex")}`, publicKey);
});

test("a lifetime is honoured only for a key made with it", async () => {
  const { embeddedKey, stored } = setup();
  const publicKey = await embeddedKey.ensure(1000 * 60);
  const { expiry } = stored();
  assert.ok(expiry <= Date.now() + 60_000);
  assert.equal(await embeddedKey.ensure(5 * DAY_MS), publicKey);
  assert.equal(stored().expiry, expiry);
});

test("a nonsense lifetime means the usual one", async () => {
  for (const lifetime of [0, -5, NaN, Infinity, "600", null, {}]) {
    const { embeddedKey, stored } = setup();
    await embeddedKey.ensure(lifetime);
    assert.ok(stored().expiry > Date.now() + 1.9 * DAY_MS, String(lifetime));
    assert.ok(stored().expiry < Date.now() + 2.1 * DAY_MS, String(lifetime));
  }
});

test("tabs that start at once agree on one key", async () => {
  const { storage, locks } = browser();
  const keys = await Promise.all([1, 2, 3].map(() => new EmbeddedKeyStore(storage, locks).ensure()));
  assert.equal(new Set(keys).size, 1);
});

test("an expired or damaged key is removed and replaced", async (t) => {
  const { embeddedKey, items, stored } = setup();
  const first = await embeddedKey.ensure();
  const good = stored();
  const cases = {
    expired: JSON.stringify({ ...good, expiry: Date.now() - 1 }),
    "without expiry": JSON.stringify({ value: good.value }),
    "not JSON": "{",
    "not a key": JSON.stringify({ ...good, value: "{}" }),
  };
  for (const [name, text] of Object.entries(cases)) {
    await t.test(name, async () => {
      items.set("TURNKEY_EMBEDDED_KEY", text);
      assert.equal(embeddedKey.publicKey(), "");
      assert.equal(items.size, 0);
      assert.notEqual(await embeddedKey.ensure(), first);
    });
  }
});

test("injects a bundle, stamps, and answers with the request's id", async () => {
  const { ask } = await withPublishedKey();
  assert.deepEqual(await ask("INJECT_CREDENTIAL_BUNDLE", published.bundle), {
    type: "BUNDLE_INJECTED",
    value: true,
    requestId: "request of INJECT_CREDENTIAL_BUNDLE",
  });
  const { type, value, requestId } = await ask("STAMP_REQUEST", "{}");
  assert.equal(type, "STAMP");
  assert.equal(requestId, "request of STAMP_REQUEST");
  assert.equal(JSON.parse(Buffer.from(value, "base64url")).scheme, "SIGNATURE_SCHEME_TK_API_P256");
});

test("takes the older name of the injection", async () => {
  const { ask } = await withPublishedKey();
  assert.equal((await ask("INJECT_RECOVERY_BUNDLE", published.bundle)).type, "BUNDLE_INJECTED");
});

test("refuses to stamp before anything was injected", async () => {
  const { ask } = setup();
  const { type, value } = await ask("STAMP_REQUEST", "{}");
  assert.equal(type, "ERROR");
  assert.match(
    value,
    /cannot sign payload without credential\. Credential bytes are null\. Has a credential bundle been injected into the iframe\?/,
  );
});

test("a bundle that does not open injects nothing and keeps what was there", async () => {
  const { ask } = await withPublishedKey();
  const changed = published.bundle.replace("x", "y");
  assert.equal((await ask("INJECT_CREDENTIAL_BUNDLE", changed)).type, "ERROR");
  assert.equal((await ask("STAMP_REQUEST", "{}")).type, "ERROR");

  await ask("INJECT_CREDENTIAL_BUNDLE", published.bundle);
  assert.equal((await ask("INJECT_CREDENTIAL_BUNDLE", changed)).type, "ERROR");
  assert.equal((await ask("STAMP_REQUEST", "{}")).type, "STAMP");
});

test("a reset leaves neither credential nor key", async () => {
  const { ask, items } = await withPublishedKey();
  await ask("INJECT_CREDENTIAL_BUNDLE", published.bundle);
  assert.deepEqual((await ask("RESET_EMBEDDED_KEY")).type, "EMBEDDED_KEY_RESET");
  assert.equal(items.size, 0);
  assert.equal((await ask("STAMP_REQUEST", "{}")).type, "ERROR");
  assert.equal((await ask("GET_EMBEDDED_PUBLIC_KEY")).value, "");
  assert.match((await ask("INJECT_CREDENTIAL_BUNDLE", published.bundle)).value, /no embedded key/);
});

test("a removal in another tab is told from every other change of the storage", () => {
  const { embeddedKey } = setup();
  assert.ok(embeddedKey.isRemoval({ key: "TURNKEY_EMBEDDED_KEY", newValue: null }));
  assert.ok(embeddedKey.isRemoval({ key: null, newValue: null }), "the whole storage was cleared");
  assert.ok(!embeddedKey.isRemoval({ key: "TURNKEY_EMBEDDED_KEY", newValue: "{}" }));
  assert.ok(!embeddedKey.isRemoval({ key: "TURNKEY_SETTINGS", newValue: null }));
});

test("makes and tells the embedded key on request", async () => {
  const { ask } = setup();
  const made = await ask("INIT_EMBEDDED_KEY");
  assert.equal(made.type, "EMBEDDED_PUBLIC_KEY");
  assert.match(made.value, /^04[0-9a-f]{128}$/);
  assert.equal((await ask("INIT_EMBEDDED_KEY")).value, made.value);
  assert.equal((await ask("GET_EMBEDDED_PUBLIC_KEY")).value, made.value);
});

test("settings change nothing", async () => {
  const { ask, items } = setup();
  assert.deepEqual((await ask("APPLY_SETTINGS", '{"styles":{}}')).value, true);
  assert.equal(items.size, 0);
});

test("answers every malformed request with an error", async (t) => {
  const { keeper } = await withPublishedKey();
  await keeper.answer({ type: "INJECT_CREDENTIAL_BUNDLE", value: published.bundle });
  const cases = {
    nothing: undefined,
    null: null,
    text: "STAMP_REQUEST",
    "an unknown type": { type: "INJECT_KEY_EXPORT_BUNDLE", requestId: "1" },
    "a name every object has": { type: "constructor", requestId: "1" },
    "a body that is no text": { type: "STAMP_REQUEST", value: { toString: () => "{}" }, requestId: "1" },
    "no body": { type: "STAMP_REQUEST", requestId: "1" },
    "a bundle that is no text": {
      type: "INJECT_CREDENTIAL_BUNDLE",
      value: [published.bundle],
      requestId: "1",
    },
  };
  for (const [name, message] of Object.entries(cases)) {
    await t.test(name, async () => assert.equal((await keeper.answer(message)).type, "ERROR"));
  }
});
