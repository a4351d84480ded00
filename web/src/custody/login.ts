import { ShownError } from "@/shared/errors/shown";
import { createApiKeys, createReadOnlySession, createReadWriteSession, whoami } from "./calls";
import type { IframeClient } from "./frame";
import type { PasskeyClient } from "./passkey";
import type { CustodyTarget } from "./request";
import {
  defaultExpirationSeconds,
  normaliseExpiry,
  type Session,
  type SessionStore,
  type SessionType,
} from "./session";
import { assertTargetPublicKey } from "./target-key";

/** What every way to log in works with. */
export interface LoginContext {
  target: CustodyTarget;
  sessions: SessionStore;
}

type Client = PasskeyClient | IframeClient;

interface PasskeyLogin {
  passkey: PasskeyClient;
  iframe?: IframeClient | undefined;
  sessionType: SessionType;
  targetPublicKey?: string | undefined;
  expirationSeconds?: number;
}

/** Logs in with one passkey gesture. The general text is shown; the specific one is its cause. */
export function loginWithPasskey(context: LoginContext, login: PasskeyLogin): Promise<Session> {
  return named("Unable to log in with the provided passkey.", () => startSession(context, login));
}

async function startSession({ target, sessions }: LoginContext, login: PasskeyLogin): Promise<Session> {
  if (login.sessionType === "SESSION_TYPE_READ_ONLY") {
    return keepReadOnly(sessions, await createReadOnlySession(target, login.passkey));
  }
  if (login.sessionType !== "SESSION_TYPE_READ_WRITE") throw new Error("Invalid session type passed.");
  const { targetPublicKey, iframe, expirationSeconds = defaultExpirationSeconds } = login;
  if (!targetPublicKey) {
    throw new Error("You must provide a targetPublicKey to create a read-write session.");
  }
  if (!iframe) throw new Error("You must provide an iframe client to log in with a passkey.");
  assertTargetPublicKey(targetPublicKey);
  const created = await createReadWriteSession(target, login.passkey, { targetPublicKey, expirationSeconds });
  await iframe.injectCredentialBundle(created.credentialBundle);
  return keepReadWrite(sessions, created, created.credentialBundle, expirationSeconds);
}

interface BundleLogin {
  client: Client;
  bundle: string;
  expirationSeconds?: number;
}

/** Logs in with a credential bundle that is sealed to the frame's key: inject, whoami, keep. */
export function loginWithBundle(context: LoginContext, login: BundleLogin): Promise<Session> {
  return injectAndKeep("Unable to log in with the provided auth bundle.", context, login);
}

/** Logs in with the bundle of a read-write session that somebody else created for the frame's key. */
export function loginWithReadWriteSession(context: LoginContext, login: BundleLogin): Promise<Session> {
  return injectAndKeep("Unable to log in with the provided read-write session.", context, login);
}

async function injectAndKeep(
  text: string,
  { target, sessions }: LoginContext,
  login: BundleLogin,
): Promise<Session> {
  const { client, bundle, expirationSeconds = defaultExpirationSeconds } = login;
  if (client.kind !== "iframe")
    throw new ShownError("You must use an iframe client to log in with a session.");
  return named(text, async () => {
    await client.injectCredentialBundle(bundle);
    return keepReadWrite(sessions, await whoami(target, client), bundle, expirationSeconds);
  });
}

interface Refresh {
  client: Client;
  sessionType: SessionType;
  targetPublicKey?: string | undefined;
  expirationSeconds?: number;
}

/**
 * Renews the session: a read-only one with a passkey, a read-write one with the
 * frame, which also ends the credential it replaces.
 */
export function refreshSession(context: LoginContext, refresh: Refresh): Promise<Session> {
  return named("Unable to refresh session.", () => renew(context, refresh));
}

async function renew({ target, sessions }: LoginContext, refresh: Refresh): Promise<Session> {
  const { client, sessionType, targetPublicKey, expirationSeconds = defaultExpirationSeconds } = refresh;
  if (sessionType === "SESSION_TYPE_READ_ONLY") {
    if (client.kind !== "passkey") throw new Error("You must use a passkey client to refresh a read session");
    return keepReadOnly(sessions, await createReadOnlySession(target, client));
  }
  if (sessionType !== "SESSION_TYPE_READ_WRITE") throw new Error("Invalid session type passed.");
  if (!targetPublicKey) {
    throw new Error("You must provide a targetPublicKey to refresh a read-write session.");
  }
  if (client.kind !== "iframe")
    throw new Error("You must use an iframe client to refresh a read-write session");
  assertTargetPublicKey(targetPublicKey);
  const request = { targetPublicKey, expirationSeconds, invalidateExisting: true };
  const created = await createReadWriteSession(target, client, request);
  await client.injectCredentialBundle(created.credentialBundle);
  return keepReadWrite(sessions, created, created.credentialBundle, expirationSeconds);
}

interface PasskeySession {
  passkey: PasskeyClient;
  targetPublicKey: string;
  userId?: string;
  organizationId?: string;
  expirationSeconds?: number;
}

/** A session key made in this browser and registered with one passkey gesture. */
export function createPasskeySession(context: LoginContext, request: PasskeySession) {
  return named("Unable to create passkey session.", () => registerSessionKey(context, request));
}

async function registerSessionKey({ target, sessions }: LoginContext, request: PasskeySession) {
  const known = sessions.get();
  const { expirationSeconds = defaultExpirationSeconds } = request;
  const organizationId = request.organizationId ?? known?.organizationId;
  if (!organizationId) throw new Error("Error creating passkey session: Organization ID is required");
  const userId = request.userId ?? known?.userId;
  if (!userId) throw new Error("Error creating passkey session: User ID is required");
  const { createSealedKey } = await import("./sealed-key");
  const key = await createSealedKey(request.targetPublicKey);
  await createApiKeys({ ...target, organizationId }, request.passkey, userId, [
    sessionKey(key.publicKey, expirationSeconds),
  ]);
  const expiry = Date.now() + expirationSeconds * 1000;
  sessions.save({
    sessionType: "SESSION_TYPE_READ_WRITE",
    userId,
    organizationId,
    expiry,
    token: key.authBundle,
  });
  return { credentialBundle: key.authBundle, expiry };
}

/** A session's API key as it is registered: named after its time, and expiring. */
export function sessionKey(publicKey: string, expirationSeconds: number) {
  return {
    apiKeyName: `Session Key ${Date.now()}`,
    publicKey,
    curveType: "API_KEY_CURVE_P256" as const,
    expirationSeconds: String(expirationSeconds),
  };
}

interface Owner {
  userId: string;
  organizationId: string;
}

function keepReadWrite(
  sessions: SessionStore,
  owner: Owner,
  bundle: string,
  expirationSeconds: number,
): Session {
  const { userId, organizationId } = owner;
  const expiry = Date.now() + expirationSeconds * 1000;
  const session: Session = {
    sessionType: "SESSION_TYPE_READ_WRITE",
    userId,
    organizationId,
    expiry,
    token: bundle,
  };
  sessions.save(session);
  return session;
}

function keepReadOnly(
  sessions: SessionStore,
  created: Owner & { session: string; sessionExpiry: string | number },
): Session {
  const { userId, organizationId, session: token } = created;
  const expiry = normaliseExpiry(created.sessionExpiry);
  const session: Session = { sessionType: "SESSION_TYPE_READ_ONLY", userId, organizationId, expiry, token };
  sessions.save(session);
  return session;
}

/** Gives a failure the specification's general text and keeps the specific one as its cause. */
async function named<T>(text: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new ShownError(text, cause);
  }
}
