import { t } from "@lingui/core/macro";
import type { Schema } from "@/shared/api/client";
import { chainName } from "@/shared/chains";
import { shortenAddress } from "@/shared/lib/address";
import { formatAmount } from "@/shared/lib/money";
import type { MovementState, Stage } from "./model";

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

/** What a transaction of a movement does, in a word. */
export function stepWord(kind: Movement["steps"][number]["kind"]): string {
  const words = { transfer: t`Payment`, approve: t`Approval`, swap: t`Exchange`, deposit: t`Deposit` };
  return words[kind];
}

/** What a movement is, such as "0.5 ETH → USDC" or "2.5 SOL → 9WzDXw…YtAWWM". */
export function titleOf(movement: Movement): string {
  const amount = formatAmount(BigInt(movement.from.amount), movement.from.decimals);
  const leaving = `${amount} ${movement.from.symbol}`;
  return `${leaving} → ${movement.kind === "swap" ? movement.to.symbol : shortenAddress(movement.to.recipient)}`;
}

/** Where a movement happens, such as "Base to Solana" or "on Base". */
export function wayOf(movement: Movement): string {
  const from = chainName(movement.from.chainId);
  const to = chainName(movement.to.chainId);
  return from === to ? t`on ${from}` : t`${from} to ${to}`;
}

/** What a stage of a movement means, in a few words; another tense once it lies behind. */
export function stageText({ state, phase }: Stage, movement: Movement): string {
  const from = chainName(movement.from.chainId);
  const to = chainName(movement.to.chainId);
  const venue = venueName(movement);
  const past = phase === "past";
  switch (state) {
    case "signed":
      return t`with your passkey session`;
    case "sent":
      return t`to ${from}`;
    case "confirming":
      return past ? settledText(movement, from) : t`waiting until ${from} settles it`;
    case "bridging":
      return past ? t`${venue} took it over` : t`${venue} is taking it over from ${from}`;
    case "delivering":
      return past ? t`${venue} paid out on ${to}` : t`${venue} is paying out on ${to}`;
    case "delayed":
      return past ? t`it took longer than usual` : t`it takes longer than usual; nothing is lost`;
    case "refunded":
      return t`it came back to you`;
    default:
      return "";
  }
}

function settledText(movement: Movement, chain: string): string {
  const block = movement.steps.findLast((step) => step.blockNumber !== null)?.blockNumber;
  if (block == null) return t`${chain} settled it`;
  return t`${chain} settled it in block ${block.toLocaleString("en-US")}`;
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
      return cameBack(movement);
    case "failed":
      return t`${leaving} is still in your wallet on ${from}; the network may have charged its fee.`;
  }
}

function underWay(movement: Movement, leaving: string, from: string): string {
  if (movement.kind === "transfer")
    return t`${leaving} is leaving your wallet on ${from}. You can close this page.`;
  const venue = venueName(movement);
  return t`${leaving} is with ${venue} on ${from}. If it cannot deliver, it comes back to your address on ${from}. You can close this page.`;
}

function cameBack({ refund, from }: Movement): string {
  if (!refund) return t`Your ${from.symbol} came back to your address.`;
  const amount = `${formatAmount(BigInt(refund.amount), refund.decimals)} ${refund.symbol}`;
  return t`${amount} came back to your address on ${chainName(refund.chainId)}.`;
}

function arrived(movement: Movement): string {
  const { to } = movement;
  const chain = chainName(to.chainId);
  const amount =
    to.amount === null ? to.symbol : `${formatAmount(BigInt(to.amount), to.decimals)} ${to.symbol}`;
  return movement.kind === "swap"
    ? t`${amount} is in your wallet on ${chain}.`
    : t`${amount} is at ${to.recipient} on ${chain}.`;
}

/** A venue's name as it writes itself. */
export function venueName(movement: Pick<Movement, "venue">): string {
  return movement.venue === "relay" ? "Relay" : (movement.venue ?? t`the venue`);
}
