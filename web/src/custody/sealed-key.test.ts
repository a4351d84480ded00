import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from "@turnkey/crypto";
import { describe, expect, it } from "vitest";
import { createSealedKey } from "./sealed-key";
import { assertTargetPublicKey } from "./target-key";

describe("sealed keys", () => {
  const frame = generateP256KeyPair();

  it.each([
    ["uncompressed", frame.publicKeyUncompressed],
    ["compressed", frame.publicKey],
  ])("open with the provider's own client, sealed to the %s key", async (_, target) => {
    const key = await createSealedKey(target);
    const secret = decryptCredentialBundle(key.authBundle, frame.privateKey);
    expect(Buffer.from(getPublicKey(secret, true)).toString("hex")).toBe(key.publicKey);
  });

  it("do not open for another frame, and are never the same", async () => {
    const [first, second] = [await createSealedKey(frame.publicKey), await createSealedKey(frame.publicKey)];
    expect(first.publicKey).not.toBe(second.publicKey);
    expect(() => decryptCredentialBundle(first.authBundle, generateP256KeyPair().privateKey)).toThrow();
  });

  it.each(["", "zz", "02ff", `05${"0".repeat(64)}`, `0x${frame.publicKey}`])(
    "refuse the target key %j",
    async (key) => {
      const text = `target public key is not a valid compressed public key: ${key}`;
      expect(() => assertTargetPublicKey(key)).toThrow(text);
      await expect(createSealedKey(key)).rejects.toThrow(text);
    },
  );

  it("refuse a key of the right shape that is not on the curve", async () => {
    await expect(createSealedKey(`02${"f".repeat(64)}`)).rejects.toThrow(
      "target public key is not a valid compressed public key",
    );
  });
});
