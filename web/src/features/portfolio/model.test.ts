import { describe, expect, it } from "vitest";
import type { PortfolioAsset } from "./api";
import { allocation, formatShare, heldAssets, unavailableChains } from "./model";

const asset = (symbol: string, amount: string, valueUsd: string | null, chainId = 1): PortfolioAsset => ({
  chainId,
  address: symbol,
  symbol,
  name: symbol,
  decimals: 6,
  amount,
  priceUsd: null,
  valueUsd,
});

const chain = (chainId: number, valueUsd: string, status: "ok" | "unavailable" = "ok") => ({
  chainId,
  valueUsd,
  status,
  asOf: 0,
});

describe("held assets", () => {
  it("are those with an amount, most valuable first, unpriced last", () => {
    const assets = [
      asset("ZERO", "0", "0"),
      asset("UNPRICED", "5", null),
      asset("SMALL", "5", "9.99"),
      asset("LARGE", "1", "10"),
      asset("LARGER", "1", "100.5"),
    ];
    expect(heldAssets({ assets }).map(({ symbol }) => symbol)).toEqual([
      "LARGER",
      "LARGE",
      "SMALL",
      "UNPRICED",
    ]);
  });

  it("stand by symbol and chain when their values are equal", () => {
    const assets = [asset("USDC", "1", "1", 8453), asset("USDC", "1", "1", 1), asset("DAI", "1", "1")];
    expect(heldAssets({ assets }).map(({ symbol, chainId }) => `${symbol}${chainId}`)).toEqual([
      "DAI1",
      "USDC1",
      "USDC8453",
    ]);
  });
});

describe("allocation", () => {
  it("is each chain's part of the value, largest first", () => {
    const shares = allocation({
      chains: [chain(1, "250"), chain(8453, "749.5"), chain(137, "0.5"), chain(56, "0")],
    });
    expect(shares).toEqual([
      { chainId: 8453, perMille: 749 },
      { chainId: 1, perMille: 250 },
      { chainId: 137, perMille: 0 },
    ]);
  });

  it("is empty without value", () => expect(allocation({ chains: [chain(1, "0")] })).toEqual([]));

  it("reads in percent", () => {
    expect([749, 10, 9, 0].map(formatShare)).toEqual(["75 %", "1 %", "<1 %", "<1 %"]);
  });
});

it("names the chains that cannot be reached", () => {
  expect(unavailableChains({ chains: [chain(1, "1"), chain(999, "0", "unavailable")] })).toHaveLength(1);
});
