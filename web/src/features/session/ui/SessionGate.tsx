import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useStore } from "@/shared/lib/store";
import { useSessionClock } from "../clock";
import { phaseStore } from "../store";
import { useLogOutElsewhere } from "../tabs";
import { ExpiryNotice } from "./ExpiryNotice";
import { SessionDialog } from "./SessionDialog";
import { Welcome } from "./Welcome";

/** Shows the page to somebody who is logged in, and the welcome to anybody else. */
export function SessionGate({ children }: { children: ReactNode }) {
  const phase = useStore(phaseStore);
  useSessionClock();
  useLogOutElsewhere();
  useForgetWhenSignedOut(phase === "signed_out");
  if (phase === "signed_out") return <Welcome />;
  return (
    <>
      {children}
      {phase === "lapsed" ? <SessionDialog /> : <ExpiryNotice />}
    </>
  );
}

/** What one person saw is gone before the next one comes. */
function useForgetWhenSignedOut(signedOut: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (signedOut) queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== "config" });
  }, [signedOut, queryClient]);
}
