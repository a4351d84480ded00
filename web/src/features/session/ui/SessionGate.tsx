import { Fragment, type ReactNode } from "react";
import { useStore } from "@/shared/lib/store";
import { useSessionClock } from "../clock";
import { useOtherTabs } from "../elsewhere";
import { ownerStore, phaseStore } from "../store";
import { ExpiryNotice } from "./ExpiryNotice";
import { SessionDialog } from "./SessionDialog";
import { Welcome } from "./Welcome";

/**
 * Shows the page to somebody who is logged in, and the welcome to anybody else.
 * Another person's login starts the page anew; forms are kept for the same one.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const phase = useStore(phaseStore);
  const owner = useStore(ownerStore);
  useSessionClock(phase);
  useOtherTabs();
  if (phase === "signed_out") return <Welcome />;
  return (
    <>
      <Fragment key={owner}>{children}</Fragment>
      {phase === "lapsed" ? <SessionDialog /> : <ExpiryNotice />}
    </>
  );
}
