import { createStore } from "./store";

/** Whether the app server answers. The device's own online flag is not asked: the server may be on it. */
export interface Connection {
  reachable: boolean;
  /** When the server last answered, in epoch milliseconds; null before the first answer. */
  lastAnswerAt: number | null;
}

/** The state of the way to the app server. */
export const connectionStore = createStore<Connection>({ reachable: true, lastAnswerAt: null });

const pingEvery = 3000;
let timer: ReturnType<typeof setInterval> | undefined;
const recoveries = new Set<() => void>();

/** Notes that the server answered, whatever it said. */
export function noteAnswer(): void {
  const back = !connectionStore.get().reachable;
  connectionStore.set({ reachable: true, lastAnswerAt: Date.now() });
  if (!back) return;
  clearInterval(timer);
  timer = undefined;
  for (const recovered of [...recoveries]) recovered();
}

/** Notes that a request got no answer, and asks for signs of life until one comes. */
export function noteSilence(): void {
  connectionStore.set({ ...connectionStore.get(), reachable: false });
  timer ??= setInterval(ping, pingEvery);
}

/** Calls back each time the server answers again after a silence. Returns the way to stop. */
export function onRecovery(recovered: () => void): () => void {
  recoveries.add(recovered);
  return () => recoveries.delete(recovered);
}

function ping(): void {
  if (document.visibilityState === "hidden") return;
  fetch("/api/v1/health", { cache: "no-store" }).then(noteAnswer, () => undefined);
}
