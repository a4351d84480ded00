import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const receiveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/receive",
  component: lazyRouteComponent(() => import("@/features/receive/ui/ReceivePage"), "ReceivePage"),
});
