/** The page's own line drawings on a 24 by 24 grid. */
const paths = {
  portfolio: "M3.5 11.5 12 4l8.5 7.5V20h-17z",
  swap: "M7 4v13m0 0-3-3m3 3 3-3m7 6V7m0 0-3 3m3-3 3 3",
  send: "m4 11.5 16-7.5-6 16-3-7z",
  receive: "M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14",
  activity: "M3 12h4l3-7 4 14 3-7h4",
  settings:
    "M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0ZM6 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0Z",
  down: "m6 9.5 6 6 6-6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  external: "M14 4h6v6m0-6-9 9m7 1v6H4V6h6",
  back: "M19 12H5m0 0 6-6m-6 6 6 6",
  info: "M12 11v6m0-9.5v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  warn: "M12 9v5m0 3v.1M12 3.5 21.5 20h-19z",
  bad: "M12 7v6m0 3.5v.1M8 3h8l5 5v8l-5 5H8l-5-5V8z",
  faucet: "M12 4c3.5 4.2 5 6.8 5 9.3A5 5 0 0 1 7 13.3C7 10.8 8.5 8.2 12 4Z",
  passkey:
    "M9 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2.5 20c.3-3.5 2.8-5.5 6.5-5.5 1.2 0 2.3.2 3.2.7M17 15.5a2.8 2.8 0 1 0-1.5-2.5c0 1 .6 1.9 1.5 2.4V21l1.8-1.5L17.5 18l1.3-1.2L17 15.5Z",
} as const;

/** The name of a drawing. */
export type IconName = keyof typeof paths;

/** A line drawing in the text's colour; decoration, never the only name of a control. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      className="flex-none"
    >
      <path d={paths[name]} />
    </svg>
  );
}
