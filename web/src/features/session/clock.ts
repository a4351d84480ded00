import { useEffect } from "react";
import { useStore } from "@/shared/lib/store";
import { useNow } from "@/shared/lib/time";
import { endSession, sessions } from "./store";

/** From here on the page offers to stay signed in. */
const noticeFrom = 120_000;
/** From here on it is said aloud, once. */
const announceFrom = 60_000;

/** How much of the session is left. */
export interface SessionLeft {
  milliseconds: number;
  /** Whole minutes, rounded up. */
  minutes: number;
  endsSoon: boolean;
  endsNow: boolean;
}

/** The rest of the session, renewed each second; null without one. */
export function useSessionLeft(): SessionLeft | null {
  const session = useStore(sessions);
  const now = useNow(1000);
  if (!session) return null;
  const milliseconds = Math.max(0, session.expiry - now);
  return {
    milliseconds,
    minutes: Math.ceil(milliseconds / 60_000),
    endsSoon: milliseconds <= noticeFrom,
    endsNow: milliseconds <= announceFrom,
  };
}

/** Ends the session when its time is up, also after the device slept. */
export function useSessionClock(): void {
  const session = useStore(sessions);
  useEffect(() => {
    if (!session) return;
    const check = () => {
      if (session.expiry <= Date.now()) endSession();
    };
    const timer = setTimeout(check, Math.max(0, session.expiry - Date.now()) + 1);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [session]);
}
