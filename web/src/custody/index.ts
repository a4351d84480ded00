export { type StampedRequest, signTransaction, stampWhoami, type UnsignedTransaction } from "./calls";
export { createIframeClient, type IframeClient } from "./frame";
export { loginWithBundle, loginWithPasskey, refreshSession } from "./login";
export { createPasskeyClient, createUserPasskey, type PasskeyClient } from "./passkey";
export { CustodyRequestError, type CustodyTarget } from "./request";
export { createSessionStore, defaultExpirationSeconds, type Session } from "./session";
export { readSubOrganization, subOrganizationParameters } from "./sub-organization";
