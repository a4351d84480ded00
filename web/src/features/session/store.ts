import type { QueryClient } from "@tanstack/react-query";
import { createSessionStore } from "@/custody/session";
import { setCsrfToken } from "@/shared/api/transport";
import { createStore } from "@/shared/lib/store";
import { configQuery } from "./api";

/**
 * signed_out: nobody; signed_in: somebody; lapsed: somebody whose session ended,
 * and whose page stays behind the question to log in again.
 */
export type Phase = "signed_out" | "signed_in" | "lapsed";

/** The custody session, in memory. */
export const sessions = createSessionStore();

/** Where the person stands. */
export const phaseStore = createStore<Phase>("signed_out");

/** Whose page this is: the organization of the last login, also while it is lapsed. */
export const ownerStore = createStore<string | null>(null);

/** Whether the wallet was created in this page's life: then starting funds are asked for by themselves. */
export const newWalletStore = createStore(false);

/** Ends the session where it stands: the page and its forms stay, a login is asked for over them. */
export function endSession(): void {
  if (phaseStore.get() !== "signed_in") return;
  sessions.clear();
  setCsrfToken(null);
  phaseStore.set("lapsed");
}

/** Forgets the person. */
export function forgetSession(): void {
  sessions.clear();
  setCsrfToken(null);
  newWalletStore.set(false);
  phaseStore.set("signed_out");
  ownerStore.set(null);
}

/** Empties the cache of server state whenever the page changes hands, before anything is shown. */
export function keepPeopleApart(queryClient: QueryClient): () => void {
  return ownerStore.subscribe(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== configQuery.queryKey[0] });
  });
}
