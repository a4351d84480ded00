// The official server clients, one of each generation, as a person's app and
// the app's backend use them.

import { Turnkey as CurrentTurnkey } from "@turnkey/sdk-server";
import { Turnkey as EarlierTurnkey } from "@turnkey/sdk-server-2.6";
import { newApiKey } from "../stack/index.mjs";

/**
 * The generations of `@turnkey/sdk-server`: 2.6.1 sends no content type and
 * the older activity versions, 8.2.1 the current ones.
 */
export const generations = [
  {
    version: "2.6.1",
    Turnkey: EarlierTurnkey,
    createSubOrganization: "ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7",
  },
  {
    version: "8.2.1",
    Turnkey: CurrentTurnkey,
    createSubOrganization: "ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8",
  },
];

/**
 * Connects a client of one generation.
 * @param {{Turnkey: typeof CurrentTurnkey}} generation
 * @param {{url: string}} custody
 * @param {{publicKey: string, privateKey: string}} apiKey stamps every request
 * @param {string} organizationId the organization of requests that name none
 */
export function connect({ Turnkey }, custody, apiKey, organizationId) {
  return new Turnkey({
    apiBaseUrl: custody.url,
    apiPublicKey: apiKey.publicKey,
    apiPrivateKey: apiKey.privateKey,
    defaultOrganizationId: organizationId,
  }).apiClient();
}

/** Connects as the parent organization's root user. */
export const connectParent = (generation, custody) =>
  connect(generation, custody, custody.apiKey, custody.organizationId);

/** The two accounts that a person's wallet starts with. */
export const startingAccounts = [
  {
    curve: "CURVE_SECP256K1",
    pathFormat: "PATH_FORMAT_BIP32",
    path: "m/44'/60'/0'/0/0",
    addressFormat: "ADDRESS_FORMAT_ETHEREUM",
  },
  {
    curve: "CURVE_ED25519",
    pathFormat: "PATH_FORMAT_BIP32",
    path: "m/44'/501'/0'/0'",
    addressFormat: "ADDRESS_FORMAT_SOLANA",
  },
];

/**
 * The parameters of a sub-organization whose only root user holds an API key.
 * @param {string} publicKey
 * @param {{expirationSeconds?: string}} [apiKeyOptions]
 */
export function subOrganizationOf(publicKey, apiKeyOptions = {}) {
  return {
    subOrganizationName: "A person",
    rootUsers: [
      {
        userName: "Ada",
        apiKeys: [{ apiKeyName: "Key", publicKey, curveType: "API_KEY_CURVE_P256", ...apiKeyOptions }],
        authenticators: [],
        oauthProviders: [],
      },
    ],
    rootQuorumThreshold: 1,
    wallet: { walletName: "Wallet 1", accounts: startingAccounts },
  };
}

/**
 * Makes a person: a sub-organization with a wallet, and a client stamped by
 * its root user's own API key.
 * @returns {Promise<{client: object, apiKey: object, organizationId: string, userId: string,
 *   walletId: string, evmAddress: string, solanaAddress: string}>}
 */
export async function createPerson(generation, custody) {
  const apiKey = newApiKey();
  const created = await connectParent(generation, custody).createSubOrganization(
    subOrganizationOf(apiKey.publicKey),
  );
  const organizationId = created.subOrganizationId;
  const [evmAddress, solanaAddress] = created.wallet.addresses;
  return {
    client: connect(generation, custody, apiKey, organizationId),
    apiKey,
    organizationId,
    userId: created.rootUserIds[0],
    walletId: created.wallet.walletId,
    evmAddress,
    solanaAddress,
  };
}

/**
 * What a refused call said.
 * @param {Promise<unknown>} call
 * @returns {Promise<{code: number, message: string}>} the provider's error code, and the
 *   text that the client shows
 * @throws when the call succeeded
 */
export async function refusal(call) {
  const answer = await call.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  if (!answer.error) throw new Error("the call was not refused");
  return { code: answer.error.code, message: answer.error.message };
}

/**
 * Repeats a call until it is refused, for at most ten seconds.
 * @param {() => Promise<unknown>} call
 * @returns {Promise<{code: number, message: string}>}
 */
export async function firstRefusal(call) {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const answer = await refusal(call()).catch(() => null);
    if (answer) return answer;
  }
  throw new Error("the call was never refused");
}
