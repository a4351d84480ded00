import { t } from "@lingui/core/macro";
import { useSyncExternalStore } from "react";

/** Times are epoch milliseconds. */

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const fullDate = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A time of day, such as 14:02:11. */
export function formatClock(at: number): string {
  return clock.format(at);
}

/** A date and time with its zone, for anything older than a day. */
function formatDate(at: number): string {
  return fullDate.format(at);
}

/** How long ago, within a day; the date and time with its zone after that. */
export function formatWhen(at: number, now: number): string {
  const age = now - at;
  if (age >= day) return formatDate(at);
  if (age < minute) return t`just now`;
  const minutes = Math.floor(age / minute);
  const hours = Math.floor(age / hour);
  return age < hour ? t`${minutes} min ago` : t`${hours} h ago`;
}

/** When something started: the time of day within a day, the date before that. */
export function formatStart(at: number, now: number): string {
  return now - at >= day ? formatDate(at) : formatClock(at);
}

/** A length of time as m:ss, never negative. */
export function formatStopwatch(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const ticks = new Map<number, { subscribe: (listener: () => void) => () => void; now: () => number }>();

/** The present time, renewed every `every` milliseconds while somebody watches. */
export function useNow(every = 1000): number {
  let tick = ticks.get(every);
  if (!tick) {
    tick = ticker(every);
    ticks.set(every, tick);
  }
  return useSyncExternalStore(tick.subscribe, tick.now, tick.now);
}

function ticker(every: number) {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  const step = () => {
    now = Date.now();
    for (const listener of [...listeners]) listener();
  };
  return {
    now: () => now,
    subscribe(listener: () => void) {
      if (listeners.size === 0) {
        now = Date.now();
        timer = setInterval(step, every);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}
