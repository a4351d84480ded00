import type { ButtonHTMLAttributes } from "react";

type Look = "primary" | "plain" | "quiet" | "danger";

const looks: Record<Look, string> = {
  primary: "border-transparent bg-accent text-on-accent hover:brightness-110 active:brightness-95",
  plain: "border-control hover:bg-accent-tint active:bg-accent-tint",
  quiet: "border-transparent text-muted hover:bg-accent-tint hover:text-text",
  danger: "border-control text-bad hover:bg-bad-tint",
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  small?: boolean;
  wide?: boolean;
  /** Work is under way: the button keeps its name and place, and cannot be pressed again. */
  busy?: boolean;
}

/** The one button. At most one per page is "primary". */
export function Button({ look = "plain", small, wide, busy, className = "", ...rest }: ButtonProps) {
  const size = small ? "h-8 px-3 text-small rounded-small" : "h-11 px-4.5 text-body rounded-button";
  return (
    <button
      type="button"
      {...rest}
      disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
      className={`inline-flex items-center justify-center gap-2 border font-semibold leading-none whitespace-nowrap transition-[background-color,filter,opacity] duration-120 disabled:opacity-55 ${size} ${looks[look]} ${wide ? "w-full" : ""} ${className}`}
    >
      {busy ? <Spinner /> : null}
      {rest.children}
    </button>
  );
}

/** A small turning arc for work of unknown length; decoration beside a word. */
export function Spinner() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="flex-none animate-[turn_0.9s_linear_infinite]"
    >
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="3" strokeDasharray="26 12" />
    </svg>
  );
}
