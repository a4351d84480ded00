import { useEffect } from "react";
import { useStore } from "@/shared/lib/store";
import { useNow } from "@/shared/lib/time";
import { endSession, type Phase, sessions } from "./store";

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

/** Ends the session when its time is up, also when that happened while the device slept. */
export function useSessionClock(phase: Phase): void {
  const session = useStore(sessions);
  useEffect(() => {
    if (phase !== "signed_in") return;
    const check = () => {
      if (sessions.get() === null) endSession();
    };
    check();
    const left = session ? Math.max(0, session.expiry - Date.now()) : 0;
    const timer = setTimeout(check, left + 1);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [phase, session]);
}
