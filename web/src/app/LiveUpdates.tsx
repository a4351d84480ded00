import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { sessions } from "@/features/session";
import { useStore } from "@/shared/lib/store";
import { openLive } from "./live";

/**
 * Keeps the cache of server state fresh by what the server tells. A connection
 * belongs to one session: a renewed session gets a new one.
 */
export function LiveUpdates() {
  const queryClient = useQueryClient();
  const session = useStore(sessions);
  useEffect(() => (session ? openLive(queryClient) : undefined), [queryClient, session]);
  return null;
}
