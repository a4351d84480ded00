import type { HTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

/** The one level of surface. */
export function Card({ className = "", ...rest }: HTMLAttributes<HTMLDivElement>) {
  return <div {...rest} className={`rounded-card border border-line bg-surface shadow-card ${className}`} />;
}

/** A card for a form: no wider than 480 px, in the middle. */
export function FormCard({ className = "", ...rest }: HTMLAttributes<HTMLDivElement>) {
  return <Card {...rest} className={`mx-auto w-full max-w-[480px] p-4 desk:p-5 ${className}`} />;
}

/** How much a note matters. Always said by icon and words too. */
export type Tone = "info" | "ok" | "warn" | "bad";

const tones: Record<Tone, string> = {
  info: "bg-accent-tint text-accent",
  ok: "bg-ok-tint text-ok",
  warn: "bg-warn-tint text-warn",
  bad: "bg-bad-tint text-bad",
};

const icons: Record<Tone, IconName> = { info: "info", ok: "check", warn: "warn", bad: "bad" };

interface NoticeProps {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  /** Buttons at the right, or beneath on narrow screens. */
  action?: ReactNode;
  /** Say it aloud when it appears. */
  announce?: boolean;
}

/** A note in the page: what happened and where the money is. */
export function Notice({ tone, title, children, action, announce }: NoticeProps) {
  const role = announce ? (tone === "bad" ? "alert" : "status") : undefined;
  return (
    <div
      {...(role ? { role } : {})}
      className={`flex flex-wrap items-center gap-3 rounded-input px-4 py-3 ${tones[tone]}`}
    >
      <Icon name={icons[tone]} />
      <div className="min-w-0 flex-1 basis-52 [overflow-wrap:anywhere]">
        {title ? <b className="font-semibold">{title} </b> : null}
        {children}
      </div>
      {action}
    </div>
  );
}

/** A short state in words on its tint. */
export function Pill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-small font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
