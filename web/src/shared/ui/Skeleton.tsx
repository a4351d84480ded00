/** A place held for something that is loading, of exactly its size. */
export function Skeleton({ width, height }: { width: number | string; height: number }) {
  return (
    <span
      aria-hidden="true"
      className="skeleton inline-block max-w-full align-middle"
      style={{ width, height }}
    />
  );
}

/** Rows of the geometry of a list that is loading; said once, not row by row. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content or order
        <div key={index} className="flex h-[66px] items-center gap-3 border-line px-4 not-first:border-t">
          <Skeleton width={36} height={36} />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton width={120} height={12} />
            <Skeleton width={84} height={10} />
          </div>
          <Skeleton width={72} height={12} />
        </div>
      ))}
    </div>
  );
}
