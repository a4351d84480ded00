import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { openLive } from "./live";

/** Keeps the cache of server state fresh by what the server tells, while somebody is logged in. */
export function LiveUpdates() {
  const queryClient = useQueryClient();
  useEffect(() => openLive(queryClient), [queryClient]);
  return null;
}
