import { t } from "@lingui/core/macro";
import type { AmountRefusal, RecipientRefusal } from "../model";

/** What an amount field says. The sentences of the specification stand as they are. */
export function amountRefusal(refusal: AmountRefusal, symbol: string, decimals: number): string {
  if (refusal === "above_balance") return t`Insufficient balance`;
  if (refusal === "too_many_decimals") return t`${symbol} has at most ${decimals} decimal places.`;
  return t`Please enter a valid amount`;
}

/** What the recipient field says on a chain. */
export function recipientRefusal(refusal: RecipientRefusal, chainName: string, isEVM: boolean): string {
  if (refusal === "self") return t`Self-transfers within the same chain are not allowed.`;
  if (refusal === "empty") return t`Please enter a valid recipient address`;
  if (!isEVM) return t`The provided address is not a valid Solana address`;
  if (refusal === "other_kind")
    return t`This is a Solana address. On ${chainName} an address starts with 0x.`;
  if (refusal === "checksum") {
    return t`Please enter a valid recipient address. Its capital letters don't fit the rest, so a character is probably wrong.`;
  }
  return t`Please enter a valid recipient address`;
}
