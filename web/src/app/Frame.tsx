import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { SessionGate } from "@/features/session";

/** Not needed before somebody is logged in, so it is fetched while the welcome is read. */
const loadShell = () => import("./Shell");
const Shell = lazy(loadShell);
requestIdleCallbackOrSoon(() => void loadShell());

/** What stands around every page: nobody's welcome, or somebody's navigation. */
export function Frame() {
  return (
    <SessionGate>
      <Suspense>
        <Shell>
          <Outlet />
        </Shell>
      </Suspense>
    </SessionGate>
  );
}

/** Safari has no idle callback. */
function requestIdleCallbackOrSoon(work: () => void): void {
  if (typeof window.requestIdleCallback === "function") window.requestIdleCallback(work);
  else setTimeout(work, 200);
}
