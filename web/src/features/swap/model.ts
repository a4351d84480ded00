import { parseAmount } from "@/shared/lib/money";

/** An asset named by chain and address. */
export interface AssetRef {
  chainId: number;
  address: string;
}

/** A swap as chosen and typed. */
export interface SwapForm {
  from: AssetRef;
  to: AssetRef;
  amount: string;
}

/** Why a swap can't be asked for. */
export type SwapRefusal =
  | "empty"
  | "invalid"
  | "negative"
  | "zero"
  | "too_many_decimals"
  | "above_balance"
  | "same_asset";

/** A swap that may be quoted, amount in base units of `from`, or the refusal. */
export type CheckedSwap = { ok: true; amount: bigint } | { ok: false; problem: SwapRefusal };

/** Checks the form before the server does. `balance` is null while it is not known. */
export function checkSwap(form: SwapForm, decimals: number, balance: bigint | null): CheckedSwap {
  if (assetKey(form.from) === assetKey(form.to)) return { ok: false, problem: "same_asset" };
  const amount = parseAmount(form.amount, decimals);
  if (!amount.ok) return amount;
  if (balance !== null && amount.amount > balance) return { ok: false, problem: "above_balance" };
  return { ok: true, amount: amount.amount };
}

/** One text for an asset, for lists and addresses of pages; EVM addresses in lower case. */
export function assetKey({ chainId, address }: AssetRef): string {
  return `${chainId}:${address.startsWith("0x") ? address.toLowerCase() : address}`;
}

/** Reads assetKey's text back; null for anything else. */
export function readAssetKey(text: string): AssetRef | null {
  const match = /^(\d+):(\w+)$/.exec(text);
  return match?.[2] ? { chainId: Number(match[1]), address: match[2] } : null;
}

/** A share of an amount in percent, cut to a base unit. */
export function shareOf(amount: bigint, percent: bigint): bigint {
  return (amount * percent) / 100n;
}

/** How loud a loss of value must be said: from 1 % in words, from 5 % as a warning. */
export function impactTone(percent: string | null): "quiet" | "said" | "warned" {
  if (percent === null || !percent.startsWith("-")) return "quiet";
  const [whole = "0"] = percent.slice(1).split(".");
  const lost = BigInt(whole);
  if (lost >= 5n) return "warned";
  return lost >= 1n ? "said" : "quiet";
}

// A swap costs more than a plain payment: about fifteen times the gas on an EVM
// chain with its approval; on Solana the rent of two token accounts.
const swapGasFactor = 15n;
const solanaSwapReserve = 5_000_000n;

/** How much of a native coin can be swapped: the largest payment less what a swap costs more. Base units. */
export function spendable(maximumPayment: bigint, paymentFee: bigint, isEVM: boolean): bigint {
  const left = maximumPayment - (isEVM ? paymentFee * swapGasFactor : solanaSwapReserve);
  return left > 0n ? left : 0n;
}
