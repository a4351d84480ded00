import { noteAnswer, noteSilence } from "@/shared/lib/connection";
import { ProblemError } from "./problem";

const deadline = 20_000;

let csrfToken: string | null = null;

/** Keeps the token that changes must carry; null forgets it. It lives in this module alone. */
export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Passes the token to the live connection, which proves itself with it. */
export function readCsrfToken(): string | null {
  return csrfToken;
}

/**
 * fetch with the headers that changes must carry, a deadline, and the
 * connection's state kept. A caller that may repeat a change gives its own
 * Idempotency-Key; any other change gets a fresh one.
 */
export async function send(request: Request): Promise<Response> {
  if (request.method !== "GET") {
    if (csrfToken) request.headers.set("X-CSRF-Token", csrfToken);
    if (!request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", crypto.randomUUID());
  }
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(deadline)]);
  try {
    const answer = await fetch(request, { signal });
    noteAnswer();
    return answer;
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    noteSilence();
    throw new ProblemError({ code: "unreachable", status: 0, message: "", cause });
  }
}
