import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

/** The form of a swap as it stands in the page's address; assets as chain:address. */
export interface SwapSearch {
  from?: string;
  to?: string;
  amount?: string;
}

export const swapRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/swap",
  validateSearch: (search: Record<string, unknown>): SwapSearch => ({
    ...(search.from ? { from: String(search.from) } : {}),
    ...(search.to ? { to: String(search.to) } : {}),
    ...(search.amount ? { amount: String(search.amount) } : {}),
  }),
  component: lazyRouteComponent(() => import("@/features/swap/ui/SwapPage"), "SwapPage"),
});
