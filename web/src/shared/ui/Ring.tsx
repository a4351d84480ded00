interface RingPart {
  color: string;
  value: number;
}

interface RingProps {
  size: number;
  width: number;
  parts: readonly RingPart[];
  /** What the ring says, for those who do not see it; without it the ring is decoration. */
  label?: string;
}

/** The ring of ten, the product's one motif: logo, allocation, clocks and progress. */
export function Ring({ size, width, parts, label }: RingProps) {
  const radius = (size - width) / 2;
  const length = 2 * Math.PI * radius;
  const shown = parts.filter((part) => part.value > 0);
  const total = shown.reduce((sum, part) => sum + part.value, 0);
  const gap = shown.length > 1 ? length * 0.012 : 0;
  let start = 0;
  const arcs = shown.map((part, index) => {
    const share = (length * part.value) / total;
    const arc = {
      key: `${index}-${part.color}`,
      color: part.color,
      dash: `${Math.max(share - gap, 1)} ${length}`,
      offset: -start,
    };
    start += share;
    return arc;
  });
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${size} ${size}`}
      className="flex-none"
      role={label ? "img" : "presentation"}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <g transform={`rotate(-90 ${size / 2} ${size / 2})`} fill="none" strokeWidth={width}>
        {arcs.map((arc) => (
          <circle
            key={arc.key}
            cx={size / 2}
            cy={size / 2}
            r={radius}
            stroke={arc.color}
            strokeDasharray={arc.dash}
            strokeDashoffset={arc.offset}
          />
        ))}
      </g>
    </svg>
  );
}

const ten = Array.from({ length: 10 }, (_, index) => ({
  color: index === 0 ? "var(--accent)" : "currentColor",
  value: 1,
}));

/** The logo: ten arcs, one in the accent. Always beside the product's name or a heading. */
export function Logo({ size }: { size: number }) {
  return <Ring size={size} width={size * 0.2} parts={ten} />;
}

/** A ring that fills from 0 to 1, such as a clock or a progress. */
export function Gauge(props: {
  size: number;
  width: number;
  filled: number;
  color?: string;
  label?: string;
}) {
  const { size, width, color = "var(--accent)", label } = props;
  const filled = Math.min(1, Math.max(0, props.filled));
  const parts = [
    { color, value: filled },
    { color: "var(--line)", value: 1 - filled },
  ];
  return <Ring size={size} width={width} parts={parts} {...(label ? { label } : {})} />;
}
