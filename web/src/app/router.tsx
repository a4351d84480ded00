import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { activityRoute, movementRoute } from "@/routes/activity";
import { portfolioRoute } from "@/routes/portfolio";
import { receiveRoute } from "@/routes/receive";
import { rootRoute } from "@/routes/root";
import { sendRoute } from "@/routes/send";
import { settingsRoute } from "@/routes/settings";
import { swapRoute } from "@/routes/swap";
import { PageFault } from "./ErrorBoundary";

const routeTree = rootRoute.addChildren([
  portfolioRoute,
  swapRoute,
  sendRoute,
  receiveRoute,
  activityRoute,
  movementRoute,
  settingsRoute,
]);

/** Makes the router. A page's code is fetched when a link to it is pointed at or touched. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultErrorComponent: ({ reset }) => <PageFault onRetry={reset} />,
  });
}
