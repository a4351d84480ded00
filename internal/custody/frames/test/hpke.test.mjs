import assert from "node:assert/strict";
import { createCipheriv, createHash } from "node:crypto";
import { test } from "node:test";
import { fromHex, receiverOf } from "./keys.mjs";
import { open, setupBaseReceiver } from "../auth/hpke.mjs";

// The published vector of RFC 9180 for mode 0, KEM 0x0010, KDF 0x0001, AEAD
// 0x0002, in the accumulated form of Go's crypto/hpke tests.
const vector = {
  info: "4f6465206f6e2061204772656369616e2055726e",
  skRm: "317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2",
  pkRm:
    "04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f" +
    "853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c",
  enc:
    "04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e" +
    "0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0",
  encryptions: "8d3263541fc1695b6e88ff3a1208577c",
};

const enc = fromHex(vector.enc);
const info = fromHex(vector.info);

/** Draws the vector's inputs: one length byte, then that many bytes, from SHAKE128 of nothing. */
function inputs(count) {
  const stream = createHash("shake128", { outputLength: count * 2 * 256 }).digest();
  let offset = 0;
  const draw = () => {
    const length = stream[offset];
    offset += 1 + length;
    return stream.subarray(offset - length, offset);
  };
  return Array.from({ length: count }, () => ({ aad: draw(), plaintext: draw() }));
}

/** Seals with Node's own AES under the nonce of a sequence number (RFC 9180 §5.2). */
function seal({ key, baseNonce }, sequence, { aad, plaintext }) {
  const nonce = Buffer.from(baseNonce);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

test("the shared key and nonce reproduce the RFC 9180 vector", async () => {
  const receiver = await receiverOf(vector.skRm);
  assert.equal(Buffer.from(receiver.publicKey).toString("hex"), vector.pkRm);

  const context = await setupBaseReceiver(receiver, enc, info);
  const sink = createHash("shake128", { outputLength: 16 });
  for (const [sequence, input] of inputs(1000).entries()) sink.update(seal(context, sequence, input));
  assert.equal(sink.digest("hex"), vector.encryptions);
});

test("opens the first message and nothing that was changed", async (t) => {
  const receiver = await receiverOf(vector.skRm);
  const [input] = inputs(1);
  const ciphertext = seal(await setupBaseReceiver(receiver, enc, info), 0, input);
  const message = { enc, info, aad: input.aad, ciphertext };
  assert.deepEqual(Buffer.from(await open(receiver, message)), Buffer.from(input.plaintext));

  const changed = (bytes, at = 0) => Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte));
  const cases = {
    "another ciphertext": { ...message, ciphertext: changed(ciphertext) },
    "another tag": { ...message, ciphertext: changed(ciphertext, ciphertext.length - 1) },
    "another associated data": { ...message, aad: changed(input.aad) },
    "another info": { ...message, info: changed(info) },
    "an encapsulated key off the curve": { ...message, enc: changed(enc, 64) },
    "no tag": { ...message, ciphertext: ciphertext.subarray(0, 8) },
  };
  for (const [name, bad] of Object.entries(cases)) {
    await t.test(name, () => assert.rejects(open(receiver, bad)));
  }
});
