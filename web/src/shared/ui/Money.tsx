import { formatAmount, formatUnits, formatUsd } from "@/shared/lib/money";

interface AmountProps {
  /** Base units, as bigint or as the wire's decimal string. */
  amount: bigint | string;
  decimals: number;
  symbol: string;
}

/** An amount of an asset, shortened for reading; the exact one is its title. */
export function Amount({ amount, decimals, symbol }: AmountProps) {
  const units = BigInt(amount);
  const exact = formatUnits(units, decimals);
  return (
    <span title={`${exact} ${symbol}`} className="whitespace-nowrap">
      {formatAmount(units, decimals)} {symbol}
    </span>
  );
}

/** A value in US dollars; a dash with words when it is not known. */
export function Usd({ value }: { value: string | null }) {
  if (value === null) return <NoPrice />;
  return <span className="whitespace-nowrap">{formatUsd(value)}</span>;
}

function NoPrice() {
  return (
    <span className="text-muted" title="No price">
      <span aria-hidden="true">—</span>
      <span className="sr-only">No price</span>
    </span>
  );
}
