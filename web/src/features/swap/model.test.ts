import { describe, expect, it } from "vitest";
import { assetKey, checkSwap, impactTone, readAssetKey, type SwapForm, shareOf } from "./model.ts";

const eth = { chainId: 8453, address: "0x0000000000000000000000000000000000000000" };
const usdc = { chainId: 8453, address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };
const form: SwapForm = { from: eth, to: usdc, amount: "0.5" };

describe("a swap as chosen", () => {
  it("ok/amount in base units", () =>
    expect(checkSwap(form, 18, null)).toEqual({ ok: true, amount: 5n * 10n ** 17n }));
  it("fail/the same asset in another spelling", () => {
    const same = { ...form, from: usdc, to: { ...usdc, address: usdc.address.toLowerCase() } };
    expect(checkSwap(same, 6, null)).toEqual({ ok: false, problem: "same_asset" });
  });
  it("ok/the same coin on another chain", () => {
    expect(checkSwap({ ...form, to: { ...eth, chainId: 1 } }, 18, null)).toMatchObject({ ok: true });
  });
  it("fail/above the balance", () => {
    expect(checkSwap(form, 18, 5n * 10n ** 17n - 1n)).toEqual({ ok: false, problem: "above_balance" });
  });
  it("fail/zero", () =>
    expect(checkSwap({ ...form, amount: "0" }, 18, null)).toEqual({ ok: false, problem: "zero" }));
});

describe("an asset in a page's address", () => {
  it("reads back what it wrote", () => {
    expect(readAssetKey(assetKey(usdc))).toEqual({ chainId: 8453, address: usdc.address.toLowerCase() });
  });
  it.each(["", "8453", "x:0x1", "1:0x1:2"])("refuses %j", (text) => expect(readAssetKey(text)).toBeNull());
});

it("cuts shares, never rounds them up", () => expect(shareOf(3n, 50n)).toBe(1n));

it.each([
  [null, "quiet"],
  ["0.40", "quiet"],
  ["-0.99", "quiet"],
  ["-1.00", "said"],
  ["-5.00", "warned"],
  ["-12", "warned"],
])("price impact %s is %s", (percent, tone) => expect(impactTone(percent)).toBe(tone));
