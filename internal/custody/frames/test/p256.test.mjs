import assert from "node:assert/strict";
import { createECDH, ECDH } from "node:crypto";
import { test } from "node:test";
import { fromHex } from "./keys.mjs";
import { parsePublicKey, publicKeyOf } from "../auth/p256.mjs";

const order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
const field = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** A key pair of OpenSSL's: the oracle. */
function opensslKey(privateKey) {
  const pair = createECDH("prime256v1");
  if (privateKey) pair.setPrivateKey(privateKey, "hex");
  else pair.generateKeys();
  return {
    scalar: Uint8Array.from(Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex")),
    compressed: pair.getPublicKey("hex", "compressed"),
    uncompressed: pair.getPublicKey("hex", "uncompressed"),
  };
}

test("the public key of a scalar is OpenSSL's", () => {
  const edges = [
    "01".padStart(64, "0"),
    "02".padStart(64, "0"),
    `${order.slice(0, -1)}0`,
    `${order.slice(0, -1)}f`,
  ];
  const keys = [...edges.map(opensslKeyUnlessOutOfRange), ...Array.from({ length: 40 }, () => opensslKey())];
  for (const { scalar, compressed, uncompressed } of keys.filter(Boolean)) {
    const key = publicKeyOf(scalar);
    assert.equal(hex(key.compressed), compressed);
    assert.equal(hex(key.uncompressed), uncompressed);
    assert.equal(hex(key.x) + hex(key.y), uncompressed.slice(2));
  }
});

function opensslKeyUnlessOutOfRange(privateKey) {
  try {
    return opensslKey(privateKey);
  } catch {
    assert.throws(() => publicKeyOf(fromHex(privateKey)), /not a P-256 private key/);
    return null;
  }
}

test("reads points in both forms as OpenSSL does", () => {
  for (let i = 0; i < 40; i++) {
    const { compressed, uncompressed } = opensslKey();
    assert.equal(hex(parsePublicKey(fromHex(compressed)).uncompressed), uncompressed);
    assert.equal(hex(parsePublicKey(fromHex(uncompressed)).compressed), compressed);
  }
});

test("refuses what is no private key", async (t) => {
  const cases = {
    zero: "00".repeat(32),
    "the order": order,
    "too short": "01".repeat(31),
    "too long": "01".repeat(33),
  };
  for (const [name, scalar] of Object.entries(cases)) {
    await t.test(name, () => assert.throws(() => publicKeyOf(fromHex(scalar)), /not a P-256 private key/));
  }
});

test("refuses what is no point", async (t) => {
  const { compressed, uncompressed } = opensslKey();
  // An x for which OpenSSL, too, finds no y.
  const offCurve = Array.from({ length: 64 }, (_, i) => `02${i.toString(16).padStart(64, "0")}`).find(
    (point) => {
      try {
        ECDH.convertKey(point, "prime256v1", "hex", "hex", "uncompressed");
        return false;
      } catch {
        return true;
      }
    },
  );
  const cases = {
    empty: "",
    "the point at infinity": "00",
    "compressed, off the curve": offCurve,
    "uncompressed, off the curve": uncompressed.slice(0, -1) + (uncompressed.endsWith("0") ? "1" : "0"),
    "x not reduced": `02${field}`,
    "y not reduced": uncompressed.slice(0, 66) + "ff".repeat(32),
    "hybrid form": `06${uncompressed.slice(2)}`,
    "one byte short": compressed.slice(0, -2),
    "one byte more": `${compressed}00`,
    "compressed with the uncompressed mark": `04${compressed.slice(2)}`,
  };
  for (const [name, point] of Object.entries(cases)) {
    await t.test(name, () => assert.throws(() => parsePublicKey(fromHex(point)), /not a P-256 public key/));
  }
});
