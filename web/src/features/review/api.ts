import { t } from "@lingui/core/macro";
import { api, type Schema, unwrap } from "@/shared/api/client";
import { ProblemError } from "@/shared/api/problem";

/** A swap or transfer as the server keeps it. */
export type Movement = Schema<"Movement">;

/** What is asked of the server to build a movement. */
export type MovementRequest = Schema<"MovementRequest">;

/** Builds a movement whose bytes can be reviewed and signed. The same key asks for the same movement. */
export function createMovement(request: MovementRequest, idempotencyKey: string): Promise<Movement> {
  return unwrap(
    api.POST("/api/v1/movements", {
      params: { header: { "Idempotency-Key": idempotencyKey } },
      body: request,
    }),
  );
}

/** The code of a confirmation that got no proper answer: nobody knows yet whether it was carried out. */
export const unanswered = "confirmation_unanswered";

/**
 * Hands the signed transactions over; the server stores them before it sends
 * them. Only a refusal says that nothing was sent: a silence may have come after
 * the signatures were taken. The same key again is answered for the first time's.
 */
export async function confirmMovement(
  id: string,
  signatures: Schema<"Signature">[],
  idempotencyKey: string,
): Promise<Movement> {
  try {
    return await unwrap(
      api.POST("/api/v1/movements/{id}/signatures", {
        params: { path: { id }, header: { "Idempotency-Key": idempotencyKey } },
        body: { signatures },
      }),
    );
  } catch (cause) {
    if (cause instanceof ProblemError && cause.status >= 400 && cause.status < 500) throw cause;
    const message = t`Tenfold's server did not answer, so it is not known whether this was sent. Press the button again: it is sent once at most. Activity shows what became of it.`;
    throw new ProblemError({ code: unanswered, status: 0, message, cause });
  }
}
