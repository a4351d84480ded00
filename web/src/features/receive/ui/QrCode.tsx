import { encode } from "uqr";

const quiet = 2;

/** A QR code as one SVG path, dark on white in both themes so that every camera reads it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const side = size + 2 * quiet;
  const path = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-[220px] rounded-input border border-line bg-[#fff]"
    >
      <path d={path.join("")} fill="#12161f" />
    </svg>
  );
}
