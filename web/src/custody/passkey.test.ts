import { afterEach, describe, expect, it, vi } from "vitest";
import { gesture } from "./gesture";
import { createPasskeyClient, createUserPasskey, creationOptions, toTransport } from "./passkey";

afterEach(() => vi.unstubAllGlobals());

describe("passkey client", () => {
  it("takes the page's host name when no rpId is configured", () => {
    expect(createPasskeyClient(undefined, "localhost").rpId).toBe("localhost");
    expect(createPasskeyClient("wallet.example", "localhost").rpId).toBe("wallet.example");
  });

  it("refuses to be made without any rpId", () => {
    expect(() => createPasskeyClient("", "")).toThrow(
      "Tried to initialize a passkey client with no rpId defined",
    );
  });

  it("says when the browser has no WebAuthn, before any prompt", async () => {
    vi.stubGlobal("PublicKeyCredential", undefined);
    const client = createPasskeyClient("localhost", "");
    await expect(createUserPasskey(client, { rpName: "Tenfold" })).rejects.toThrow(
      "webauthn is not supported by this browser",
    );
    expect(() => client.stamp("{}")).toThrow("webauthn is not supported by this browser");
  });
});

describe("creation options", () => {
  const challenge = new Uint8Array(32).fill(7);

  it("are the specification's", () => {
    const options = creationOptions("localhost", { rpName: "Tenfold" }, challenge);
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Tenfold" },
      challenge,
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -257 },
      ],
      user: { name: "Default User", displayName: "Default User" },
      authenticatorSelection: {
        requireResidentKey: true,
        residentKey: "required",
        userVerification: "preferred",
      },
      timeout: 300_000,
    });
  });

  it("have a fresh 32-byte user id each time", () => {
    const ids = [1, 2].map(
      () => creationOptions("localhost", { rpName: "Tenfold" }, challenge).user.id as Uint8Array,
    );
    expect(ids[0]).toHaveLength(32);
    expect(ids[0]).not.toEqual(ids[1]);
  });
});

describe("transports", () => {
  it.each([
    ["internal", "AUTHENTICATOR_TRANSPORT_INTERNAL"],
    ["usb", "AUTHENTICATOR_TRANSPORT_USB"],
    ["nfc", "AUTHENTICATOR_TRANSPORT_NFC"],
    ["ble", "AUTHENTICATOR_TRANSPORT_BLE"],
    ["hybrid", "AUTHENTICATOR_TRANSPORT_HYBRID"],
  ])("%s", (transport, name) => expect(toTransport(transport)).toBe(name));

  it.each(["smart-card", "USB", "", "toString"])("refuses %j", (transport) => {
    expect(() => toTransport(transport)).toThrow("unsupported transport format");
  });
});

describe("gestures", () => {
  const refusal = (name: string) => () => Promise.reject(new DOMException("raw text of the browser", name));
  const clock =
    (...times: number[]) =>
    () =>
      times.shift() ?? 0;

  it("tells a refusal by the device from one by a person", async () => {
    await expect(gesture(refusal("NotAllowedError"), clock(0, 40))).rejects.toThrow(
      "Please enable passkey permissions in your device settings",
    );
    await expect(gesture(refusal("NotAllowedError"), clock(0, 4000))).rejects.toThrow(
      "The passkey prompt was cancelled or ran out of time.",
    );
  });

  it("keeps the browser's error as the cause and leaves others alone", async () => {
    const error = await gesture(refusal("InvalidStateError")).catch((e: unknown) => e);
    expect(error).toMatchObject({ message: "This device already has a passkey for Tenfold." });
    expect((error as Error).cause).toMatchObject({ name: "InvalidStateError" });
    const other = new TypeError("unrelated");
    await expect(gesture(() => Promise.reject(other))).rejects.toBe(other);
  });
});
