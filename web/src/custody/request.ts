import { t } from "@lingui/core/macro";
import * as v from "valibot";
import { ShownError } from "@/shared/errors/shown";

/** The signature header of a custody request. */
export interface Stamp {
  stampHeaderName: string;
  stampHeaderValue: string;
}

/** Whatever can sign a custody request: a passkey or the frame's credential. */
export interface Stamper {
  stamp(body: string): Promise<Stamp>;
}

/** Where the custody provider is and which organization is the parent. */
export interface CustodyTarget {
  baseUrl: string;
  organizationId: string;
}

const clientVersion = "tenfold-web@1";
const deadline = 30_000;

const failureSchema = v.object({
  code: v.number(),
  message: v.string(),
  details: v.optional(v.nullable(v.array(v.unknown()))),
});

/**
 * A refusal by the custody provider. The text is the one that the provider's
 * own clients make, because the catalog's message rules match it.
 */
export class CustodyRequestError extends Error {
  /** gRPC code; 16 means that the credential is not known, expired or deleted. */
  readonly code: number | undefined;
  readonly details: unknown;

  constructor(text: string, code?: number, details?: unknown) {
    super(text);
    this.name = "CustodyRequestError";
    this.code = code;
    this.details = details;
  }
}

/**
 * Sends a stamped request, byte for byte as it was stamped, and returns the
 * parsed answer. Throws CustodyRequestError for a refusal.
 */
export async function sendStamped(
  baseUrl: string,
  path: string,
  body: string,
  stamp: Stamp,
): Promise<unknown> {
  if (!baseUrl) throw new Error("Missing base URL. Please verify env vars.");
  const answer = await reach(baseUrl.replace(/\/+$/, "") + path, {
    method: "POST",
    headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue, "X-Client-Version": clientVersion },
    body,
    redirect: "follow",
  });
  if (!answer.ok) throw await readFailure(answer);
  return answer.json();
}

/** fetch of the custody provider: silence becomes words for people. */
export async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(deadline) });
  } catch (cause) {
    throw custodySilent(cause);
  }
}

/** The error for a custody provider that does not answer. */
export function custodySilent(cause?: unknown): ShownError {
  return new ShownError(
    t`The key custody service does not answer. Nothing was signed; please try again.`,
    cause,
  );
}

/** Code, message and details when the body says them; status and its text otherwise. */
async function readFailure(answer: Response): Promise<CustodyRequestError> {
  const body: unknown = await answer.json().catch(() => undefined);
  const parsed = v.safeParse(failureSchema, body);
  if (!parsed.success) return new CustodyRequestError(`${answer.status} ${answer.statusText}`);
  const { code, message, details } = parsed.output;
  const suffix = details == null ? "" : ` (Details: ${JSON.stringify(details)})`;
  return new CustodyRequestError(`Turnkey error ${code}: ${message}${suffix}`, code, details ?? undefined);
}
