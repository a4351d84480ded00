import {
  type CustodyTarget,
  createIframeClient,
  createPasskeyClient,
  type IframeClient,
  type PasskeyClient,
} from "@/custody";
import { fetchConfig } from "./api";

/** The custody clients of this page. */
export interface Clients {
  target: CustodyTarget;
  passkey: PasskeyClient;
  iframe: IframeClient;
}

let loading: Promise<Clients> | undefined;

/** The custody clients, made once. A failure is forgotten, so that the next call tries again. */
export function custodyClients(): Promise<Clients> {
  loading ??= connect().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Takes the frame and all it holds out of the page. The next call of custodyClients makes a new one. */
export async function dropCustodyClients(): Promise<void> {
  const held = loading;
  loading = undefined;
  const clients = await held?.catch(() => undefined);
  await clients?.iframe.destroy();
}

async function connect(): Promise<Clients> {
  const { custody } = await fetchConfig();
  return {
    target: { baseUrl: custody.baseUrl, organizationId: custody.organizationId },
    passkey: createPasskeyClient(custody.rpId),
    iframe: await createIframeClient(custody.authFrameUrl),
  };
}
