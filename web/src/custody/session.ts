import { createStore, type Store } from "@/shared/lib/store";

/** What a session may do: read, or read and sign. */
export type SessionType = "SESSION_TYPE_READ_ONLY" | "SESSION_TYPE_READ_WRITE";

/** Default life of a session, in seconds. */
export const defaultExpirationSeconds = 900;

/** Who is logged in, with what, until when. */
export interface Session {
  sessionType: SessionType;
  userId: string;
  organizationId: string;
  /** Epoch milliseconds. */
  expiry: number;
  /** The read-only token, or the sealed credential bundle of a read-write session. */
  token: string;
}

/** Who is logged in, as the rest of the page may know it. */
export interface CurrentUser {
  userId: string;
  organization: { organizationId: string; organizationName: string };
  session:
    | { read: { token: string; expiry: number } }
    | { write: { credentialBundle: string; expiry: number } };
}

/** Keeps the one session in memory: a reload forgets it. */
export interface SessionStore extends Omit<Store<Session | null>, "set"> {
  save(session: Session): void;
  clear(): void;
  currentUser(): CurrentUser | undefined;
}

/** Makes a session store. An expired session is cleared when it is asked for, and counts as absent. */
export function createSessionStore(now: () => number = Date.now): SessionStore {
  const store = createStore<Session | null>(null);
  let held: Session | null = null;
  const get = () => {
    if (held && held.expiry <= now()) held = null;
    return held;
  };
  const set = (session: Session | null) => {
    held = session;
    store.set(session);
  };
  return {
    get,
    subscribe: store.subscribe,
    save: set,
    clear: () => set(null),
    currentUser() {
      const session = get();
      return session ? describe(session) : undefined;
    },
  };
}

function describe({ sessionType, userId, organizationId, expiry, token }: Session): CurrentUser {
  const session =
    sessionType === "SESSION_TYPE_READ_ONLY"
      ? { read: { token, expiry } }
      : { write: { credentialBundle: token, expiry } };
  return { userId, organization: { organizationId, organizationName: "" }, session };
}

const firstMillisecondValue = 1e12;

/** The provider's expiry (seconds, often as text) as epoch milliseconds; values already in milliseconds stay. */
export function normaliseExpiry(sessionExpiry: string | number): number {
  const value = Number(sessionExpiry);
  if (!Number.isFinite(value) || value <= 0) throw new RangeError("not a session expiry");
  return value < firstMillisecondValue ? value * 1000 : value;
}
