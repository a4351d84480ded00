import { t } from "@lingui/core/macro";
import type { Asset } from "@/shared/chains";
import type { SwapRefusal } from "../model";

/** What the form says about a swap that can't be asked for. */
export function swapRefusal(problem: SwapRefusal, from: Asset): string {
  if (problem === "same_asset") return t`Please select different tokens`;
  if (problem === "above_balance") return t`Insufficient balance`;
  if (problem === "too_many_decimals") return t`${from.symbol} has at most ${from.decimals} decimal places.`;
  return t`Please enter a valid amount`;
}
