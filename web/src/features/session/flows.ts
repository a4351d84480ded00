import { t } from "@lingui/core/macro";
import {
  CustodyRequestError,
  createUserPasskey,
  defaultExpirationSeconds,
  loginWithBundle,
  loginWithPasskey,
  readSubOrganization,
  refreshSession,
  type Session,
  signTransaction,
  stampWhoami,
  subOrganizationParameters,
  type UnsignedTransaction,
} from "@/custody";
import { setCsrfToken } from "@/shared/api/transport";
import { ShownError } from "@/shared/errors/shown";
import { closeAppSession, createSubOrganization, openAppSession, readAppSession } from "./api";
import { type Clients, custodyClients, dropCustodyClients } from "./clients";
import { endSession, forgetSession, newWalletStore, ownerStore, phaseStore, sessions } from "./store";
import { tellTabs } from "./tabs";

/** Puts the custody frame into the page, so that a passkey prompt follows a press at once. */
export async function prepare(): Promise<void> {
  await custodyClients();
}

/**
 * Creates a wallet and signs in, with one passkey gesture: the new organization
 * gets the passkey and a session key whose private half only the frame can open.
 */
export async function createWallet(): Promise<Session> {
  const clients = await custodyClients();
  const { target, passkey, iframe } = clients;
  const created = await createUserPasskey(passkey, { rpName: "Tenfold", userName: "Tenfold wallet" });
  const { createSealedKey } = await import("@/custody/sealed-key");
  const key = await createSealedKey(await iframe.targetPublicKey());
  const answer = await createSubOrganization(
    subOrganizationParameters({
      passkey: created,
      sessionPublicKey: key.publicKey,
      expirationSeconds: defaultExpirationSeconds,
    }),
  );
  const own = { ...target, organizationId: readSubOrganization(answer) };
  const session = await loginWithBundle(
    { target: own, sessions },
    { client: iframe, bundle: key.authBundle },
  );
  newWalletStore.set(true);
  return enter(clients, session, null);
}

/** Logs in to an existing wallet with one passkey gesture. */
export async function logIn(): Promise<Session> {
  const clients = await custodyClients();
  const { target, passkey, iframe } = clients;
  const login = {
    passkey,
    iframe,
    sessionType: "SESSION_TYPE_READ_WRITE" as const,
    targetPublicKey: await iframe.targetPublicKey(),
  };
  const session = await loginWithPasskey({ target, sessions }, login).catch((error: unknown) => {
    throw isUnknownPasskey(error)
      ? new ShownError("No account found. Let's create one and get started!", error)
      : error;
  });
  return enter(clients, session, null);
}

/** Renews the session before it ends, without a gesture: the frame's credential stamps it. */
export async function extendSession(): Promise<Session> {
  const clients = await custodyClients();
  const { target, iframe } = clients;
  const session = sessions.get();
  if (!session) throw sessionEnded();
  const own = { ...target, organizationId: session.organizationId };
  const renewed = await refreshSession(
    { target: own, sessions },
    { client: iframe, sessionType: session.sessionType, targetPublicKey: await iframe.targetPublicKey() },
  );
  return enter(clients, renewed, session);
}

/** Has the frame's credential sign a transaction; returns the signed bytes as hex. */
export async function signWithSession(transaction: UnsignedTransaction): Promise<string> {
  const { target, iframe } = await custodyClients();
  const session = sessions.get();
  if (!session) throw sessionEnded();
  const own = { ...target, organizationId: session.organizationId };
  try {
    return await signTransaction(own, iframe, transaction);
  } catch (error) {
    if (error instanceof CustodyRequestError && error.code === unauthenticated) throw sessionEnded(error);
    throw error;
  }
}

/** Logs out: ends the server's session, empties the frame and forgets the person, whatever fails on the way. */
export async function logOut(): Promise<void> {
  await Promise.allSettled([closeOwnAppSession(), dropCustodyClients()]);
  forgetSession();
}

/**
 * Ends the server's session, also one that outlived the custody session: the
 * page gave its token up then and asks for it again. One that somebody else
 * opened in another tab since is his.
 */
async function closeOwnAppSession(): Promise<void> {
  const phase = phaseStore.get();
  if (phase === "signed_out") return;
  if (phase === "lapsed") {
    const left = await readAppSession();
    if (left.organizationId !== ownerStore.get()) return;
    setCsrfToken(left.csrfToken);
  }
  await closeAppSession();
}

/**
 * Opens the app server's session with the frame's stamp; it never outlives the
 * custody session. When the server refuses, the session before this one stays.
 */
async function enter(
  { target, iframe }: Clients,
  session: Session,
  before: Session | null,
): Promise<Session> {
  const own = { ...target, organizationId: session.organizationId };
  const opened = await openAppSession(await stampWhoami(own, iframe)).catch((error: unknown) => {
    if (before) sessions.save(before);
    else sessions.clear();
    throw error;
  });
  setCsrfToken(opened.csrfToken);
  const bounded = { ...session, expiry: Math.min(session.expiry, opened.expiresAt) };
  sessions.save(bounded);
  ownerStore.set(session.organizationId);
  phaseStore.set("signed_in");
  tellTabs(session.organizationId);
  return bounded;
}

/** Takes over the server's session that another tab of the same person opened. */
export async function adoptSession(): Promise<void> {
  const opened = await readAppSession();
  const session = sessions.get();
  if (session?.organizationId !== opened.organizationId) throw sessionEnded();
  setCsrfToken(opened.csrfToken);
  sessions.save({ ...session, expiry: Math.min(session.expiry, opened.expiresAt) });
}

function sessionEnded(cause?: unknown): ShownError {
  endSession();
  return new ShownError(t`Your session has ended. Log in again to go on; nothing was signed.`, cause);
}

const notFound = 5;
const unauthenticated = 16;

/** Whether a login failed because no organization knows the passkey. */
function isUnknownPasskey(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof CustodyRequestError)) return false;
  if (cause.code !== notFound && cause.code !== unauthenticated) return false;
  return /credential id could not be found|authenticator not found/i.test(cause.message);
}
