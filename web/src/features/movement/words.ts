import { t } from "@lingui/core/macro";
import type { Schema } from "@/shared/api/client";
import { chainName } from "@/shared/chains";
import { shortenAddress } from "@/shared/lib/address";
import { formatAmount } from "@/shared/lib/money";
import type { MovementState } from "./model";

type Movement = Schema<"Movement">;

/** The one word for each state, the same in list, detail and toast. */
export function stateWord(state: MovementState): string {
  const words: Record<MovementState, string> = {
    draft: t`Preparing`,
    needs_signature: t`Needs your signature`,
    signed: t`Signed`,
    sent: t`Sent`,
    confirming: t`Confirming`,
    bridging: t`Bridging`,
    delivering: t`Delivering`,
    delayed: t`Delayed`,
    needs_action: t`Needs action`,
    done: t`Done`,
    refunded: t`Refunded`,
    failed: t`Failed`,
    expired: t`Expired`,
    cancelled: t`Cancelled`,
  };
  return words[state];
}

/** What a movement is, such as "0.5 ETH → USDC" or "Send 2.5 SOL". */
export function titleOf(movement: Movement): string {
  const amount = formatAmount(BigInt(movement.from.amount), movement.from.decimals);
  const leaving = `${amount} ${movement.from.symbol}`;
  return movement.kind === "swap" ? `${leaving} → ${movement.to.symbol}` : t`Send ${leaving}`;
}

/** Where a movement goes, such as "Base to Solana" or "on Base, to 0x1234…". */
export function wayOf(movement: Movement): string {
  const from = chainName(movement.from.chainId);
  const to = chainName(movement.to.chainId);
  if (movement.kind === "transfer") return t`on ${from}, to ${shortenAddress(movement.to.recipient)}`;
  return from === to ? t`on ${from}` : t`${from} to ${to}`;
}

/** What a stage of a movement means, in a sentence. */
export function stageText(state: MovementState, movement: Movement): string {
  const from = chainName(movement.from.chainId);
  const to = chainName(movement.to.chainId);
  const venue = venueName(movement);
  const texts: Partial<Record<MovementState, string>> = {
    signed: t`with your passkey session`,
    sent: t`to ${from}`,
    confirming: t`waiting until ${from} settles it`,
    bridging: t`${venue} is taking it over from ${from}`,
    delivering: t`${venue} is paying out on ${to}`,
    delayed: t`it takes longer than usual; nothing is lost`,
    refunded: t`it came back to you`,
  };
  return texts[state] ?? "";
}

/** Where the money is at this moment, in a sentence or two. */
export function whereIsTheMoney(movement: Movement): string {
  if (movement.problem?.fundsWhere) return movement.problem.fundsWhere;
  const from = chainName(movement.from.chainId);
  const leaving = `${formatAmount(BigInt(movement.from.amount), movement.from.decimals)} ${movement.from.symbol}`;
  switch (movement.state) {
    case "draft":
    case "needs_signature":
    case "signed":
    case "expired":
    case "cancelled":
      return t`${leaving} is in your wallet on ${from}.`;
    case "sent":
    case "confirming":
      return t`${leaving} is leaving your wallet on ${from}. You can close this page.`;
    case "bridging":
    case "delivering":
    case "delayed":
    case "needs_action":
      return underWay(movement, leaving, from);
    case "done":
      return arrived(movement);
    case "refunded":
      return t`${leaving} came back to your address on ${from}, less what the network charged.`;
    case "failed":
      return t`${leaving} is still in your wallet on ${from}; the network may have charged its fee.`;
  }
}

function underWay(movement: Movement, leaving: string, from: string): string {
  if (movement.kind === "transfer") return t`${leaving} is leaving your wallet on ${from}. You can close this page.`;
  const venue = venueName(movement);
  return t`${leaving} is with ${venue} on ${from}. If it cannot deliver, it comes back to your address on ${from}. You can close this page.`;
}

function arrived(movement: Movement): string {
  const { to } = movement;
  const chain = chainName(to.chainId);
  const amount = to.amount === null ? to.symbol : `${formatAmount(BigInt(to.amount), to.decimals)} ${to.symbol}`;
  return movement.kind === "swap"
    ? t`${amount} is in your wallet on ${chain}.`
    : t`${amount} is at ${to.recipient} on ${chain}.`;
}

/** A venue's name as it writes itself. */
export function venueName(movement: Pick<Movement, "venue">): string {
  return movement.venue === "relay" ? "Relay" : (movement.venue ?? t`the venue`);
}
