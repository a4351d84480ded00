import assert from "node:assert/strict";
import { createECDH, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { test } from "node:test";
import { derSignature, importCredential, stamp } from "../auth/credential.mjs";

const body = '{"organizationId":"0190","note":"< > & é \\n"}';

function newScalar() {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  return { publicKey: pair.getPublicKey("hex", "compressed"), scalar: paddedScalar(pair), pair };
}

const paddedScalar = (pair) =>
  Uint8Array.from(Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex"));

/** OpenSSL's view of the public key. */
function opensslPublicKey(pair) {
  const point = pair.getPublicKey();
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  return createPublicKey({ key: jwk, format: "jwk" });
}

test("a stamp is the provider's header value and verifies over the body's bytes", async () => {
  const { publicKey, scalar, pair } = newScalar();
  const header = await stamp(await importCredential(scalar), body);
  assert.match(header, /^[A-Za-z0-9_-]+$/);

  const content = JSON.parse(Buffer.from(header, "base64url").toString("utf8"));
  assert.deepEqual(Object.keys(content).sort(), ["publicKey", "scheme", "signature"]);
  assert.equal(content.scheme, "SIGNATURE_SCHEME_TK_API_P256");
  assert.equal(content.publicKey, publicKey);
  const signature = Buffer.from(content.signature, "hex");
  assert.ok(verify("sha256", Buffer.from(body), opensslPublicKey(pair), signature));
  assert.ok(!verify("sha256", Buffer.from(`${body} `), opensslPublicKey(pair), signature));
});

test("the private part cannot be read back and its bytes are wiped", async () => {
  const { scalar } = newScalar();
  const { signingKey } = await importCredential(scalar);
  assert.equal(signingKey.extractable, false);
  await assert.rejects(crypto.subtle.exportKey("jwk", signingKey));
  assert.deepEqual(scalar, new Uint8Array(32));
});

test("refuses a scalar out of range and wipes it too", async () => {
  const scalar = new Uint8Array(32).fill(0xff);
  await assert.rejects(importCredential(scalar), /not a P-256 private key/);
  assert.deepEqual(scalar, new Uint8Array(32));
});

test("signatures become the DER that OpenSSL writes", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  for (let i = 0; i < 50; i++) {
    const message = Buffer.from(`message ${i}`);
    const p1363 = sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" });
    assert.ok(verify("sha256", message, publicKey, Buffer.from(derSignature(Uint8Array.from(p1363)))));
  }
  // Short and high values, which random signatures rarely have.
  const r = Buffer.alloc(32);
  const s = Buffer.alloc(32);
  r[31] = 0x7f;
  s[30] = 0x80;
  assert.equal(Buffer.from(derSignature(Buffer.concat([r, s]))).toString("hex"), "300802017f0203008000");
});
