import { createSessionStore } from "@/custody/session";
import { setCsrfToken } from "@/shared/api/transport";
import { createStore } from "@/shared/lib/store";

/**
 * signed_out: nobody; signed_in: somebody; lapsed: somebody whose session ended,
 * and whose page stays behind the question to log in again.
 */
export type Phase = "signed_out" | "signed_in" | "lapsed";

/** The custody session, in memory. */
export const sessions = createSessionStore();

/** Where the person stands. */
export const phaseStore = createStore<Phase>("signed_out");

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
}
