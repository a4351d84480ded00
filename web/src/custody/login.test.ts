import { generateP256KeyPair } from "@turnkey/crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { IframeClient } from "./frame";
import {
  createPasskeySession,
  loginWithBundle,
  loginWithPasskey,
  loginWithReadWriteSession,
  refreshSession,
} from "./login";
import type { PasskeyClient } from "./passkey";
import { createSessionStore, type SessionType } from "./session";

const targetPublicKey = generateP256KeyPair().publicKeyUncompressed;
const target = { baseUrl: "http://custody.test", organizationId: "parent" };
const stamp = async () => ({ stampHeaderName: "X-Stamp", stampHeaderValue: "s" });
const passkey: PasskeyClient = { kind: "passkey", rpId: "localhost", stamp };

/** Requests that reached the provider, newest last. */
let asked: { path: string; body: Record<string, unknown> }[] = [];
/** Bundles that reached the frame. */
let injected: string[] = [];
const iframe: IframeClient = {
  kind: "iframe",
  stamp,
  targetPublicKey: async () => targetPublicKey,
  injectCredentialBundle: async (bundle) => {
    injected.push(bundle);
  },
  destroy: async () => undefined,
};

const results: Record<string, unknown> = {
  create_read_write_session: {
    createReadWriteSessionResultV2: { userId: "user", organizationId: "own", credentialBundle: "sealed" },
  },
  create_read_only_session: {
    createReadOnlySessionResult: {
      userId: "user",
      organizationId: "own",
      session: "token",
      sessionExpiry: String(Math.floor(Date.now() / 1000) + 3600),
    },
  },
  create_api_keys: { createApiKeysResult: { apiKeyIds: ["key"] } },
};

function answer(path: string): unknown {
  const name = path.split("/").at(-1) ?? "";
  if (name === "whoami")
    return { userId: "user", organizationId: "own", organizationName: "Own", username: "Owner" };
  return { activity: { id: "a", status: "ACTIVITY_STATUS_COMPLETED", result: results[name] } };
}

beforeEach(() => {
  asked = [];
  injected = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const path = new URL(url).pathname;
    asked.push({ path, body: JSON.parse(String(init.body)) });
    return Response.json(answer(path));
  });
});

const context = () => ({ target, sessions: createSessionStore() });
const readWrite = "SESSION_TYPE_READ_WRITE" as const;
const readOnly = "SESSION_TYPE_READ_ONLY" as const;

/** The shown text of a failure and the specific one behind it. */
async function failureOf(work: Promise<unknown>): Promise<[string, string | undefined]> {
  const error = await work.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (!(error instanceof Error)) throw new Error("it did not fail");
  return [error.message, error.cause instanceof Error ? error.cause.message : undefined];
}

describe("login with a passkey", () => {
  it("creates a read-write session for the frame's key, injects it and keeps it", async () => {
    const at = context();
    const before = Date.now();
    const session = await loginWithPasskey(at, { passkey, iframe, sessionType: readWrite, targetPublicKey });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      path: "/public/v1/submit/create_read_write_session",
      body: {
        type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
        organizationId: "parent",
        parameters: { targetPublicKey, expirationSeconds: "900" },
      },
    });
    expect(asked[0]?.body.timestampMs).toMatch(/^\d{13}$/);
    expect(injected).toEqual(["sealed"]);
    expect(session).toMatchObject({
      sessionType: readWrite,
      userId: "user",
      organizationId: "own",
      token: "sealed",
    });
    expect(session.expiry).toBeGreaterThanOrEqual(before + 900_000);
    expect(at.sessions.get()).toEqual(session);
  });

  it("keeps a read-only session with its expiry in milliseconds", async () => {
    const session = await loginWithPasskey(context(), { passkey, sessionType: readOnly });
    expect(session).toMatchObject({ sessionType: readOnly, token: "token" });
    expect(session.expiry).toBeGreaterThan(Date.now());
    expect(injected).toEqual([]);
  });

  it.each([
    [
      { sessionType: readWrite, iframe },
      "You must provide a targetPublicKey to create a read-write session.",
    ],
    [
      { sessionType: readWrite, targetPublicKey },
      "You must provide an iframe client to log in with a passkey.",
    ],
    [{ sessionType: "OTHER" as SessionType, iframe, targetPublicKey }, "Invalid session type passed."],
  ])("asks nobody when something is missing (%#)", async (login, specific) => {
    const at = context();
    expect(await failureOf(loginWithPasskey(at, { passkey, ...login }))).toEqual([
      "Unable to log in with the provided passkey.",
      specific,
    ]);
    expect(asked).toEqual([]);
    expect(at.sessions.get()).toBeNull();
  });
});

describe("login with a bundle", () => {
  it("injects it, asks who it is and keeps the session", async () => {
    const session = await loginWithBundle(context(), { client: iframe, bundle: "mine" });
    expect(injected).toEqual(["mine"]);
    expect(asked.map(({ path }) => path)).toEqual(["/public/v1/query/whoami"]);
    expect(session).toMatchObject({
      sessionType: readWrite,
      userId: "user",
      organizationId: "own",
      token: "mine",
    });
  });

  it("needs the iframe client", async () => {
    const text = "You must use an iframe client to log in with a session.";
    await expect(loginWithBundle(context(), { client: passkey, bundle: "mine" })).rejects.toThrow(text);
    await expect(loginWithReadWriteSession(context(), { client: passkey, bundle: "mine" })).rejects.toThrow(
      text,
    );
  });

  it("names the way that failed and keeps no session", async () => {
    const at = context();
    const deaf = {
      ...iframe,
      injectCredentialBundle: () => Promise.reject(new Error("unable to decrypt bundle")),
    };
    expect(await failureOf(loginWithBundle(at, { client: deaf, bundle: "x" }))).toEqual([
      "Unable to log in with the provided auth bundle.",
      "unable to decrypt bundle",
    ]);
    expect((await failureOf(loginWithReadWriteSession(at, { client: deaf, bundle: "x" })))[0]).toBe(
      "Unable to log in with the provided read-write session.",
    );
    expect(at.sessions.get()).toBeNull();
  });
});

describe("refresh", () => {
  it("of a read-write session ends the credential it replaces", async () => {
    await refreshSession(context(), { client: iframe, sessionType: readWrite, targetPublicKey });
    expect(asked[0]?.body).toMatchObject({ parameters: { invalidateExisting: true } });
    expect(injected).toEqual(["sealed"]);
  });

  it("of a read-only session takes a passkey", async () => {
    const session = await refreshSession(context(), { client: passkey, sessionType: readOnly });
    expect(session.token).toBe("token");
  });

  it.each([
    [{ client: iframe, sessionType: readOnly }, "You must use a passkey client to refresh a read session"],
    [
      { client: iframe, sessionType: readWrite },
      "You must provide a targetPublicKey to refresh a read-write session.",
    ],
    [
      { client: passkey, sessionType: readWrite, targetPublicKey },
      "You must use an iframe client to refresh a read-write session",
    ],
    [
      { client: iframe, sessionType: "OTHER" as SessionType, targetPublicKey },
      "Invalid session type passed.",
    ],
  ])("checks first and asks nobody (%#)", async (refresh, specific) => {
    expect(await failureOf(refreshSession(context(), refresh))).toEqual([
      "Unable to refresh session.",
      specific,
    ]);
    expect(asked).toEqual([]);
  });
});

describe("passkey session", () => {
  const general = "Unable to create passkey session.";

  it("registers a key of this browser with the passkey", async () => {
    const at = context();
    const made = await createPasskeySession(at, {
      passkey,
      targetPublicKey,
      userId: "user",
      organizationId: "own",
    });
    expect(asked[0]).toMatchObject({
      path: "/public/v1/submit/create_api_keys",
      body: {
        organizationId: "own",
        parameters: { userId: "user", apiKeys: [{ expirationSeconds: "900" }] },
      },
    });
    expect(asked[0]?.body).toMatchObject({
      parameters: {
        apiKeys: [
          { apiKeyName: expect.stringMatching(/^Session Key \d+$/), curveType: "API_KEY_CURVE_P256" },
        ],
      },
    });
    expect(at.sessions.get()?.token).toBe(made.credentialBundle);
  });

  it("takes organization and user from the stored session", async () => {
    const at = context();
    await loginWithPasskey(at, { passkey, iframe, sessionType: readWrite, targetPublicKey });
    await createPasskeySession(at, { passkey, targetPublicKey });
    expect(asked[1]?.body).toMatchObject({ organizationId: "own", parameters: { userId: "user" } });
  });

  it("needs an organization first, then a user, then a good key", async () => {
    const request = { passkey, targetPublicKey };
    expect(await failureOf(createPasskeySession(context(), request))).toEqual([
      general,
      "Error creating passkey session: Organization ID is required",
    ]);
    expect(await failureOf(createPasskeySession(context(), { ...request, organizationId: "own" }))).toEqual([
      general,
      "Error creating passkey session: User ID is required",
    ]);
    const bad = { ...request, organizationId: "own", userId: "user", targetPublicKey: "04" };
    expect(await failureOf(createPasskeySession(context(), bad))).toEqual([
      general,
      "target public key is not a valid compressed public key: 04",
    ]);
    expect(asked).toEqual([]);
  });
});
