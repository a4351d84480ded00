import * as v from "valibot";
import { sessionKey } from "./login";
import type { UserPasskey } from "./passkey";

/** The parameters of a person's own organization: one root user, his passkey, a session key and a wallet. */
export interface SubOrganizationRequest {
  passkey: UserPasskey;
  /** Compressed P-256, hex: the session key, so that signing up also signs in. */
  sessionPublicKey: string;
  expirationSeconds: number;
}

/** What server sign sends as createSubOrganization: one EVM and one Solana account. */
export function subOrganizationParameters({
  passkey,
  sessionPublicKey,
  expirationSeconds,
}: SubOrganizationRequest) {
  return {
    subOrganizationName: `Tenfold ${new Date().toISOString()}`,
    rootQuorumThreshold: 1,
    rootUsers: [
      {
        userName: "Owner",
        apiKeys: [sessionKey(sessionPublicKey, expirationSeconds)],
        authenticators: [
          {
            authenticatorName: "Passkey",
            challenge: passkey.encodedChallenge,
            attestation: passkey.attestation,
          },
        ],
        oauthProviders: [],
      },
    ],
    wallet: { walletName: "Wallet", accounts: [evmAccount, solanaAccount] },
  };
}

const evmAccount = {
  curve: "CURVE_SECP256K1",
  pathFormat: "PATH_FORMAT_BIP32",
  path: "m/44'/60'/0'/0/0",
  addressFormat: "ADDRESS_FORMAT_ETHEREUM",
};

const solanaAccount = {
  curve: "CURVE_ED25519",
  pathFormat: "PATH_FORMAT_BIP32",
  path: "m/44'/501'/0'/0'",
  addressFormat: "ADDRESS_FORMAT_SOLANA",
};

const createdSchema = v.object({ subOrganizationId: v.string() });

/** The new organization's id out of server sign's answer. */
export function readSubOrganization(answer: unknown): string {
  return v.parse(createdSchema, answer).subOrganizationId;
}
