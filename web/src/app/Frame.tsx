import { Outlet } from "@tanstack/react-router";
import { SessionGate } from "@/features/session";
import { Shell } from "./Shell";

/** What stands around every page: nobody's welcome, or somebody's navigation. */
export function Frame() {
  return (
    <SessionGate>
      <Shell>
        <Outlet />
      </Shell>
    </SessionGate>
  );
}
