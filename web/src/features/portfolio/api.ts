import { queryOptions } from "@tanstack/react-query";
import { api, type Schema, unwrap } from "@/shared/api/client";

/** What the person holds, as the server tells it. */
export type Portfolio = Schema<"Portfolio">;

/** One holding of it. */
export type PortfolioAsset = Schema<"PortfolioAsset">;

/** Keys of everything about balances. */
export const portfolioKeys = { all: ["portfolio"] as const };

/** What the person holds on the ten chains, with values. */
export const portfolioQuery = queryOptions({
  queryKey: portfolioKeys.all,
  queryFn: ({ signal }) => unwrap(api.GET("/api/v1/portfolio", { signal })),
  staleTime: 15_000,
  refetchInterval: 30_000,
});

/** Asks for starting funds; balances are topped up to the starting amounts. */
export function claimFaucet(idempotencyKey: string) {
  return unwrap(
    api.POST("/api/v1/faucet-claims", { params: { header: { "Idempotency-Key": idempotencyKey } } }),
  );
}
