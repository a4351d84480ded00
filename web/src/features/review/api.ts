import { api, type Schema, unwrap } from "@/shared/api/client";

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

/** Hands the signed transactions over; the server stores them before it sends them. */
export function confirmMovement(
  id: string,
  signatures: Schema<"Signature">[],
  idempotencyKey: string,
): Promise<Movement> {
  return unwrap(
    api.POST("/api/v1/movements/{id}/signatures", {
      params: { path: { id }, header: { "Idempotency-Key": idempotencyKey } },
      body: { signatures },
    }),
  );
}
