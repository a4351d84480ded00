import type { Session, UnsignedTransaction } from "@/custody";

/**
 * What the page can ask of the session. The custody code behind it is fetched
 * while the welcome is read, not before the page shows.
 */
const flows = () => import("./flows");

/** Fetches the custody code and puts the frame into the page, ahead of the first press. */
export const prepare = async (): Promise<void> => (await flows()).prepare();

/** Creates a wallet and signs in, with one passkey gesture. */
export const createWallet = async (): Promise<Session> => (await flows()).createWallet();

/** Logs in to an existing wallet with one passkey gesture. */
export const logIn = async (): Promise<Session> => (await flows()).logIn();

/** Renews the session before it ends, without a gesture. */
export const extendSession = async (): Promise<Session> => (await flows()).extendSession();

/** Has the session's credential sign a transaction; returns the signed bytes as hex. */
export const signWithSession = async (transaction: UnsignedTransaction): Promise<string> =>
  (await flows()).signWithSession(transaction);

/** Logs out, whatever fails on the way. */
export const logOut = async (): Promise<void> => (await flows()).logOut();
