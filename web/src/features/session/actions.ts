import type { UnsignedTransaction } from "@/custody";

/**
 * What the page can ask of the session. The custody code behind it is fetched
 * while the welcome is read, not before the page shows. Nothing of a session is
 * returned: whoever asks may keep the answer in a cache.
 */
const flows = () => import("./flows");

/** Fetches the custody code and puts the frame into the page, ahead of the first press. */
export async function prepare(): Promise<void> {
  await (await flows()).prepare();
}

/** Creates a wallet and signs in, with one passkey gesture. */
export async function createWallet(): Promise<void> {
  await (await flows()).createWallet();
}

/** Logs in to an existing wallet with one passkey gesture. */
export async function logIn(): Promise<void> {
  await (await flows()).logIn();
}

/** Renews the session before it ends, without a gesture. */
export async function extendSession(): Promise<void> {
  await (await flows()).extendSession();
}

/** Takes over the server's session that another tab of the same person opened. */
export async function adoptSession(): Promise<void> {
  await (await flows()).adoptSession();
}

/** Has the session's credential sign a transaction; returns the signed bytes as hex. */
export async function signWithSession(transaction: UnsignedTransaction): Promise<string> {
  return (await flows()).signWithSession(transaction);
}

/** Logs out, whatever fails on the way. */
export async function logOut(): Promise<void> {
  await (await flows()).logOut();
}
