import { api, type Schema, unwrap } from "@/shared/api/client";

/** What can be sent once fee and rent are kept back; base units. */
export type MaximumTransfer = Schema<"MaximumTransfer">;

/** Asks what can be sent at most, now and to this recipient (who may not be known yet). */
export function fetchMaximum(chainId: number, asset: string, recipient?: string): Promise<MaximumTransfer> {
  return unwrap(
    api.GET("/api/v1/transfers/max", {
      params: { query: { chainId, asset, ...(recipient ? { recipient } : {}) } },
    }),
  );
}
