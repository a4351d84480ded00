import { t } from "@lingui/core/macro";
import { ShownError } from "@/shared/errors/shown";

/** A refusal faster than this was not made by a person. */
const fastestPerson = 1000;

/**
 * Runs a passkey prompt and gives its failures words. Browsers do not tell a
 * refusal from a timeout, so that people cannot be found out by their passkeys.
 */
export async function gesture<T>(
  prompt: () => Promise<T>,
  now: () => number = () => performance.now(),
): Promise<T> {
  const start = now();
  try {
    return await prompt();
  } catch (cause) {
    throw explain(cause, now() - start);
  }
}

function explain(cause: unknown, elapsed: number): unknown {
  const name = cause instanceof Error ? cause.name : "";
  const text = textOf(name, elapsed);
  return text ? new ShownError(text, cause) : cause;
}

function textOf(name: string, elapsed: number): string | undefined {
  switch (name) {
    case "NotAllowedError":
      return elapsed < fastestPerson
        ? "Please enable passkey permissions in your device settings"
        : t`The passkey prompt was cancelled or ran out of time.`;
    case "InvalidStateError":
      return t`This device already has a passkey for Tenfold.`;
    case "NotSupportedError":
      return "webauthn is not supported by this browser";
    case "SecurityError":
      return t`Passkeys do not work on this address. Open Tenfold by its own name.`;
    default:
      return undefined;
  }
}
