import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

/** The form of a payment as it stands in the page's address. */
export interface SendSearch {
  chain?: number;
  asset?: string;
  to?: string;
  amount?: string;
}

export const sendRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/send",
  validateSearch: (search: Record<string, unknown>): SendSearch => ({
    ...(Number.isSafeInteger(search.chain) ? { chain: Number(search.chain) } : {}),
    ...(search.asset ? { asset: String(search.asset) } : {}),
    ...(search.to ? { to: String(search.to) } : {}),
    ...(search.amount ? { amount: String(search.amount) } : {}),
  }),
  component: lazyRouteComponent(() => import("@/features/send/ui/SendPage"), "SendPage"),
});
