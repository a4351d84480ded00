import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schema, unwrap } from "@/shared/api/client";
import type { AssetRef } from "./model";
import { assetKey } from "./model";

/** One venue's offer. Amounts are base units, dollar values decimal strings. */
export type Quote = Schema<"Quote">;

/** An offer is asked for anew this often while it is on the screen, in milliseconds. */
const refreshEvery = 12_000;

/** The venues' offers for giving `amount` base units of `from`, best first. */
export function quotesQuery(from: AssetRef, to: AssetRef, amount: bigint | null) {
  return queryOptions({
    queryKey: ["quotes", assetKey(from), assetKey(to), String(amount)],
    queryFn: ({ signal }) => fetchQuotes(from, to, amount ?? 0n, signal),
    enabled: amount !== null,
    staleTime: 0,
    gcTime: 60_000,
    retry: false,
    refetchInterval: refreshEvery,
    refetchIntervalInBackground: false,
    placeholderData: keepPreviousData,
  });
}

async function fetchQuotes(
  from: AssetRef,
  to: AssetRef,
  amount: bigint,
  signal: AbortSignal,
): Promise<Quote[]> {
  const body = {
    fromChainId: from.chainId,
    fromAsset: from.address,
    toChainId: to.chainId,
    toAsset: to.address,
    amount: amount.toString(),
  };
  const { quotes } = await unwrap(api.POST("/api/v1/quotes", { body, signal }));
  return quotes;
}
