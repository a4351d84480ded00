import { decimalToUnits } from "@/shared/lib/money";
import type { Portfolio, PortfolioAsset } from "./api";

/** The assets that the person has some of, most valuable first; those without a price come last, by symbol. */
export function heldAssets(portfolio: Pick<Portfolio, "assets">): PortfolioAsset[] {
  return portfolio.assets.filter((asset) => BigInt(asset.amount) > 0n).sort(byValue);
}

function byValue(a: PortfolioAsset, b: PortfolioAsset): number {
  const [x, y] = [valueUnits(a.valueUsd), valueUnits(b.valueUsd)];
  if (x !== y) return x > y ? -1 : 1;
  return a.symbol.localeCompare(b.symbol) || a.chainId - b.chainId;
}

/** A chain's part of the whole. */
export interface Share {
  chainId: number;
  /** Parts per thousand of the total value. */
  perMille: number;
}

/** How the value is spread over the chains, largest first; chains without value are left out. */
export function allocation(portfolio: Pick<Portfolio, "chains">): Share[] {
  const values = portfolio.chains.map(({ chainId, valueUsd }) => ({ chainId, value: valueUnits(valueUsd) }));
  const total = values.reduce((sum, { value }) => sum + value, 0n);
  if (total <= 0n) return [];
  return values
    .filter(({ value }) => value > 0n)
    .sort((a, b) => (a.value > b.value ? -1 : 1))
    .map(({ chainId, value }) => ({ chainId, perMille: Number((value * 1000n) / total) }));
}

/** A share in percent, such as "36 %" or "<1 %". */
export function formatShare(perMille: number): string {
  return perMille < 10 ? "<1 %" : `${Math.round(perMille / 10)} %`;
}

/** The chains whose balances could not be read now. */
export function unavailableChains(portfolio: Pick<Portfolio, "chains">): Portfolio["chains"] {
  return portfolio.chains.filter(({ status }) => status === "unavailable");
}

function valueUnits(value: string | null): bigint {
  return value === null ? 0n : decimalToUnits(value);
}

/** Whether the total says anything: something held has a price, or nothing is held. */
export function isPriced(portfolio: Portfolio): boolean {
  const held = heldAssets(portfolio);
  return held.length === 0 || held.some((asset) => asset.valueUsd !== null);
}

/** When the oldest of the shown balances was read; chains that were never read show none. */
export function oldestReading(portfolio: Portfolio): number {
  return Math.min(portfolio.asOf, ...portfolio.chains.map((chain) => chain.asOf).filter((at) => at > 0));
}
