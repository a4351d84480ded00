import { WebauthnStamper } from "@turnkey/webauthn-stamper";
import { encodeBase64Url } from "./base64url";
import { gesture } from "./gesture";
import type { Stamp } from "./request";

const timeout = 300_000;
const algorithms = [-7, -257];
const transports: Record<string, string> = {
  internal: "AUTHENTICATOR_TRANSPORT_INTERNAL",
  usb: "AUTHENTICATOR_TRANSPORT_USB",
  nfc: "AUTHENTICATOR_TRANSPORT_NFC",
  ble: "AUTHENTICATOR_TRANSPORT_BLE",
  hybrid: "AUTHENTICATOR_TRANSPORT_HYBRID",
};

/** A new passkey as the custody provider registers it. */
export interface Attestation {
  credentialId: string;
  attestationObject: string;
  clientDataJson: string;
  transports: string[];
}

/** A new passkey and the challenge it answered, both base64url without padding. */
export interface UserPasskey {
  encodedChallenge: string;
  attestation: Attestation;
}

/** The custody client that signs each request with a passkey gesture. */
export interface PasskeyClient {
  kind: "passkey";
  rpId: string;
  stamp(body: string): Promise<Stamp>;
}

/** Makes a passkey client. Without an rpId the page's host name is taken. */
export function createPasskeyClient(
  rpId: string | undefined,
  hostname = window.location.hostname,
): PasskeyClient {
  const id = rpId || hostname;
  if (!id) throw new Error("Tried to initialize a passkey client with no rpId defined");
  return {
    kind: "passkey",
    rpId: id,
    stamp(body) {
      requireWebAuthn();
      return gesture(() =>
        new WebauthnStamper({ rpId: id, timeout, userVerification: "preferred" }).stamp(body),
      );
    },
  };
}

/** How a new passkey is named in the device's list of passkeys. */
export interface PasskeyNames {
  rpName: string;
  userName?: string;
}

/** Asks the device for a new passkey: one gesture. */
export async function createUserPasskey(client: PasskeyClient, names: PasskeyNames): Promise<UserPasskey> {
  requireWebAuthn();
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  const publicKey = creationOptions(client.rpId, names, challenge);
  const credential = await gesture(() => navigator.credentials.create({ publicKey }));
  if (!(credential instanceof PublicKeyCredential)) throw new Error("the device gave no passkey");
  const response = credential.response;
  if (!(response instanceof AuthenticatorAttestationResponse))
    throw new Error("the device gave no attestation");
  return {
    encodedChallenge: encodeBase64Url(challenge),
    attestation: {
      credentialId: encodeBase64Url(credential.rawId),
      attestationObject: encodeBase64Url(response.attestationObject),
      clientDataJson: encodeBase64Url(response.clientDataJSON),
      transports: response.getTransports().map(toTransport),
    },
  };
}

/** The options of a new passkey: the specification's sections 3 and 9. */
export function creationOptions(
  rpId: string,
  { rpName, userName = "Default User" }: PasskeyNames,
  challenge: Uint8Array<ArrayBuffer>,
): PublicKeyCredentialCreationOptions {
  return {
    rp: { id: rpId, name: rpName },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    user: { id: crypto.getRandomValues(new Uint8Array(32)), name: userName, displayName: userName },
    authenticatorSelection: {
      requireResidentKey: true,
      residentKey: "required",
      userVerification: "preferred",
    },
    timeout,
  };
}

/** The provider's name of a WebAuthn transport. */
export function toTransport(transport: string): string {
  const name = Object.hasOwn(transports, transport) ? transports[transport] : undefined;
  if (!name) throw new Error("unsupported transport format");
  return name;
}

function requireWebAuthn(): void {
  if (!globalThis.PublicKeyCredential) throw new Error("webauthn is not supported by this browser");
}
