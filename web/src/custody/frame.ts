import { IframeStamper } from "@turnkey/iframe-stamper";
import { custodySilent, reach, type Stamp } from "./request";

const elementId = "turnkey-default-iframe-element-id";
const loadDeadline = 15_000;

/**
 * The custody client that holds the read-write credential: a page of the
 * custody provider's own origin, which this page can ask for stamps and cannot
 * look into.
 */
export interface IframeClient {
  kind: "iframe";
  /** The key that credentials are sealed to, uncompressed hex. */
  targetPublicKey(): Promise<string>;
  injectCredentialBundle(bundle: string): Promise<void>;
  stamp(body: string): Promise<Stamp>;
  /** Forgets the credential and the key it was sealed to, and takes the frame out of the page. */
  destroy(): Promise<void>;
}

/** Puts the frame into the page and waits until it answers. Call it once per page. */
export async function createIframeClient(iframeUrl: string | undefined): Promise<IframeClient> {
  if (!iframeUrl) throw new Error("Tried to initialize iframeClient with no iframeUrl defined");
  // A frame cannot tell that its page did not load: ask for the page first.
  await reach(iframeUrl, { mode: "no-cors", cache: "no-store" });
  const iframeContainer = document.createElement("div");
  iframeContainer.hidden = true;
  document.body.append(iframeContainer);
  const stamper = new IframeStamper({ iframeUrl, iframeElementId: elementId, iframeContainer });
  stamper.iframe.title = "Custody";
  try {
    await within(stamper.init());
  } catch (cause) {
    iframeContainer.remove();
    throw cause;
  }
  return clientOf(stamper);
}

function clientOf(stamper: IframeStamper): IframeClient {
  return {
    kind: "iframe",
    async targetPublicKey() {
      // Not the key that the stamper remembers: a logout in another tab removes it.
      return (await within(stamper.initEmbeddedKey())) ?? "";
    },
    async injectCredentialBundle(bundle) {
      if (!(await within(stamper.injectCredentialBundle(bundle))))
        throw new Error("the custody frame refused the bundle");
    },
    stamp: (body) => within(stamper.stamp(body)),
    async destroy() {
      try {
        await within(stamper.clearEmbeddedKey());
      } finally {
        stamper.clear();
        stamper.container.remove();
      }
    },
  };
}

/** A frame that failed to load, or was replaced, never answers: give up after a while. */
function within<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(custodySilent()), loadDeadline);
  });
  return Promise.race([answer, deadline]).finally(() => clearTimeout(timer));
}
