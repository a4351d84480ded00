import assert from "node:assert/strict";
import { test } from "node:test";
import { receiverOf } from "./keys.mjs";
import { openCredentialBundle } from "../auth/bundle.mjs";

// The credential bundle that the provider publishes with its SDK, the key it
// is sealed to, and what is in it.
const published = {
  bundle:
    "w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf",
  receiver: "20fa65df11f24833790ae283fc9a0c215eecbbc589549767977994dc69d05a56",
  credential: "67ee05fc3bdf4161bc70701c221d8d77180294cefcfcea64ba83c4d4c732fcb9",
};

/** The bundle's bytes, decoded without the code under test. */
function publishedBytes() {
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const number = [...published.bundle].reduce(
    (sum, digit) => sum * 58n + BigInt(alphabet.indexOf(digit)),
    0n,
  );
  return Buffer.from(number.toString(16).padStart(2 * 85, "0"), "hex").subarray(0, -4);
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");

test("opens the provider's published bundle", async () => {
  const receiver = await receiverOf(published.receiver);
  assert.equal(hex(await openCredentialBundle(published.bundle, receiver)), published.credential);
});

test("opens the same bundle in base64url", async () => {
  const receiver = await receiverOf(published.receiver);
  const text = publishedBytes().toString("base64url");
  assert.match(text, /[-_OIl0]/, "the text can be told from base58");
  assert.equal(hex(await openCredentialBundle(text, receiver)), published.credential);
});

test("refuses the bundle with any one byte changed", async () => {
  const receiver = await receiverOf(published.receiver);
  for (let i = 0; i < publishedBytes().length; i++) {
    const bytes = publishedBytes();
    bytes[i] ^= 0x01;
    // A letter that base58 lacks must be in the text, or it is read as base58.
    const text = bytes.toString("base64url");
    if (!/[-_OIl0]/.test(text)) continue;
    await assert.rejects(
      openCredentialBundle(text, receiver),
      /unable to decrypt bundle using embedded key/,
      `byte ${i}`,
    );
  }
});

test("refuses what is no bundle for this key", async (t) => {
  const receiver = await receiverOf(published.receiver);
  const stranger = await receiverOf(published.credential);
  const last = published.bundle.at(-1) === "f" ? "g" : "f";
  const cases = {
    "sealed to another key": [published.bundle, stranger, /unable to decrypt bundle using embedded key/],
    "a wrong checksum": [published.bundle.slice(0, -1) + last, receiver, /checksum/],
    "a letter of neither alphabet": ["w99a5+V6", receiver, /not base58/],
    "letters of both alphabets": ["0w99a5+V6", receiver, /not base64url/],
    "text too short for a checksum": ["2g", receiver, /too short/],
    "an encapsulated key alone": [
      publishedBytes().subarray(0, 33).toString("base64url"),
      receiver,
      /bundle size 33 is too low\. Expecting a compressed public key \(33 bytes\) and an encrypted credential/,
    ],
  };
  for (const [name, [bundle, key, message]] of Object.entries(cases)) {
    await t.test(name, () => assert.rejects(openCredentialBundle(bundle, key), message));
  }
});
