import { queryOptions } from "@tanstack/react-query";
import { api, type Schema, unwrap } from "@/shared/api/client";

/** One derived address of the person's wallet. */
export type Account = Schema<"Account">;

/** The person's accounts: one EVM address for nine chains and one Solana address. */
export const accountsQuery = queryOptions({
  queryKey: ["accounts"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/v1/accounts", { signal }))).accounts,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The account that is good on a chain. */
export function accountOn(accounts: readonly Account[], chainId: number): Account | undefined {
  return accounts.find((account) => account.chainIds.includes(chainId));
}
