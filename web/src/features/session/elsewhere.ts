import { useEffect } from "react";
import { adoptSession, logOut } from "./actions";
import { endSession, ownerStore } from "./store";
import { hearTabs } from "./tabs";

/**
 * Tabs share the server's session cookie. When another tab logs out, so does
 * this one; when the same person logs in there, this one takes the new session
 * over; when it is somebody else, this one asks who is here.
 */
export function useOtherTabs(): void {
  useEffect(() => hearTabs(follow), []);
}

function follow(organizationId: string | null): void {
  if (organizationId === null) void logOut();
  else if (organizationId === ownerStore.get()) adoptSession().catch(endSession);
  else endSession();
}
