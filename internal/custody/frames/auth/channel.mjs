// The handshake: which page the frame talks to. The parent's page sends one
// end of a MessageChannel; from then on the frame listens to that end alone.

const INIT = "TURNKEY_INIT_MESSAGE_CHANNEL";

/**
 * Waits for the first channel from the page that embeds this frame. Later
 * ones are refused, and so is everything when the frame is not embedded
 * directly in the top page: a page in between could sit over it.
 * @param {Window} frame
 * @param {string[]} appOrigins the origins whose pages may open the channel
 * @param {(port: MessagePort, keyLifetimeMs: unknown) => void} onChannel called at most once
 */
export function acceptFirstChannel(frame, appOrigins, onChannel) {
  if (frame.parent === frame || frame.parent !== frame.top) return;

  const listen = (event) => {
    if (event.data?.type !== INIT || event.ports.length !== 1) return;
    if (event.source !== frame.parent || !appOrigins.includes(event.origin)) return;
    frame.removeEventListener("message", listen);
    onChannel(event.ports[0], event.data.dangerouslyOverrideIframeKeyTtl);
  };
  frame.addEventListener("message", listen);
}

/**
 * Answers the requests that arrive on a port, one after another in the order
 * of arrival, so that a stamp asked for after a reset finds no credential.
 * @param {MessagePort} port
 * @param {(message: unknown) => Promise<unknown>} answer must not reject
 */
export function answerInOrder(port, answer) {
  let last = Promise.resolve();
  port.onmessage = (event) => {
    last = last.then(async () => port.postMessage(await answer(event.data)));
  };
}
