import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const activityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/activity",
  component: lazyRouteComponent(() => import("@/features/activity/ui/ActivityPage"), "ActivityPage"),
});

export const movementRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/activity/$id",
  component: lazyRouteComponent(() => import("@/features/activity/ui/MovementPage"), "MovementPage"),
});
