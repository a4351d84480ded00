import type { Effect, Facts } from "./facts.ts";
import {
  closes,
  joinSwaps,
  leftOpen,
  type OwnAccounts,
  ownAccounts,
  unwrapsInto,
} from "./solana-accounts.ts";

/** What the person asked for, as typed and chosen on the form. Amounts are base units. */
export interface Intent {
  kind: "transfer" | "swap";
  chainId: number;
  asset: string;
  amount: bigint;
  owner: string;
  toChainId: number;
  toAsset: string;
  /** Who receives: the typed address, or the person's own on the destination chain. */
  recipient: string;
  /** The least that may arrive; 0 for a transfer. */
  minimumOut: bigint;
}

/** The contracts that a venue may call on the origin chain (catalog/venues.json). */
export interface AllowedContracts {
  swap: string;
  deposit: string;
  /** The token that a swap through two Solana pools may pass through: all pools trade against it. */
  between?: string | undefined;
}

/** What the chain calls its own coin and its wrapped form. */
export interface NativeCoin {
  asset: string;
  wrapped: string;
}

/**
 * Compares what the transactions do with what was asked, and gives each
 * disagreement in plain words. An empty list means that they agree. Nothing may
 * be signed otherwise.
 */
export async function disagreements(
  intent: Intent,
  transactions: Facts[],
  allowed: AllowedContracts,
  native: NativeCoin,
): Promise<string[]> {
  const found: string[] = [];
  let paid = 0;
  for (const facts of transactions) {
    if (facts.chainId !== intent.chainId) found.push("It is for another chain.");
    if (facts.from !== null && !same(facts.from, intent.owner))
      found.push("It is sent from another address.");
    const own = await ownAccounts(intent, native, allowed.between, facts.effects);
    for (const effect of joinSwaps(facts.effects, own)) {
      const verdict = judge(effect, intent, allowed, native, own);
      if (verdict === "pays") paid++;
      else if (verdict !== "fine") found.push(verdict);
    }
    if (leftOpen(facts.effects, intent, native, own)) found.push("It leaves what you receive wrapped.");
  }
  if (paid === 0) found.push("It does not do what you asked for.");
  if (paid > 1) found.push("It pays more than once.");
  return found;
}

/** How far ahead a swap may end, in seconds: what the server allows, and as much again for this clock. */
const furthestDeadline = 7200;

const unneeded = "It opens an account that it does not need.";

/** "pays" for the one effect that carries the request out, "fine" for a necessary aid, else the complaint. */
function judge(
  effect: Effect,
  intent: Intent,
  allowed: AllowedContracts,
  native: NativeCoin,
  own: OwnAccounts | null,
): "pays" | "fine" | string {
  switch (effect.kind) {
    case "transfer":
      // Wrapping SOL begins with a transfer to the person's own wrapped account.
      if (intent.kind === "swap" && own && effect.recipient === own.wrapped) {
        if (!same(intent.asset, native.asset)) return "It wraps or unwraps coins.";
        if (effect.amount !== intent.amount) return "It wraps another amount.";
        return same(intent.toAsset, native.wrapped) ? "pays" : "fine";
      }
      return payment(intent, effect.asset, effect.amount, same(effect.recipient, intent.recipient));
    case "tokenAccountTransfer":
      if (own && effect.tokenAccount === own.temporary) return unwrapsInto(effect, intent, native, own);
      if (effect.asset === null) return "It sends a token without naming it.";
      return payment(intent, effect.asset, effect.amount, effect.tokenAccount === own?.recipientAccount);
    case "createTokenAccount":
      return creates(effect, intent, native, own);
    case "createSeededAccount":
      return effect.tokenAccount === own?.temporary ? "fine" : unneeded;
    case "initializeTokenAccount":
      if (effect.tokenAccount !== own?.temporary || effect.mint !== native.wrapped) return unneeded;
      return effect.owner === intent.owner ? "fine" : "It opens an account for another address.";
    case "approve":
      return approval(effect, intent, allowed);
    case "swap":
      if (!same(effect.contract, allowed.swap)) return "It calls a contract that is not the venue's.";
      if (!same(effect.recipient, intent.recipient)) return "It pays another address.";
      if (!same(effect.assetIn, intent.asset)) return "It takes another asset.";
      if (effect.assetOut === null || !same(effect.assetOut, intent.toAsset))
        return "It gives another asset.";
      if (effect.deadline > BigInt(Math.floor(Date.now() / 1000) + furthestDeadline))
        return "It can be carried out too late.";
      return exchanged(intent, effect.amountIn, effect.minimumOut);
    case "poolSwap":
      if (effect.contract !== allowed.swap) return "It calls a program that is not the venue's.";
      if (effect.source !== own?.source || effect.destination !== (own.temporary ?? own.destination)) {
        return "It uses token accounts that are not yours.";
      }
      return exchanged(intent, effect.amountIn, effect.minimumOut);
    case "deposit":
      if (!same(effect.contract, allowed.deposit)) return "It pays into a contract that is not the venue's.";
      if (!same(effect.depositor, intent.owner)) return "It names another depositor.";
      if (intent.kind !== "swap" || intent.toChainId === intent.chainId) return "It pays into a bridge.";
      return payment(intent, effect.asset, effect.amount, true, "swap");
    case "wrap":
      if (!same(effect.contract, native.wrapped)) return "It wraps at another contract.";
      return wraps(intent, native.asset, native.wrapped, effect.amount);
    case "unwrap":
      // Closing the wrapped account on Solana gives its SOL back to the person.
      if (effect.recipient !== null) return closes(effect, intent, native, own);
      if (!same(effect.contract, native.wrapped)) return "It unwraps at another contract.";
      return wraps(intent, native.wrapped, native.asset, effect.amount ?? 0n);
  }
}

function payment(intent: Intent, asset: string, amount: bigint, toRecipient: boolean, kind = "transfer") {
  if (intent.kind !== kind) return "It sends instead of swapping.";
  if (!same(asset, intent.asset)) return "It takes another asset.";
  if (amount !== intent.amount) return "It takes another amount.";
  return toRecipient ? "pays" : "It pays another address.";
}

/** Each account that is opened costs the person rent: only those that the request needs. */
function creates(
  effect: Effect & { kind: "createTokenAccount" },
  intent: Intent,
  native: NativeCoin,
  own: OwnAccounts | null,
) {
  const mayHaveOne = intent.kind === "transfer" ? intent.recipient : intent.owner;
  if (effect.owner !== mayHaveOne) return "It opens an account for another address.";
  const needed = intent.kind === "transfer" ? [intent.asset] : [intent.asset, intent.toAsset, native.wrapped];
  if (own?.between && effect.tokenAccount === own.between) return "fine";
  return needed.includes(effect.mint) ? "fine" : "It opens an account of another asset.";
}

function approval(effect: Effect & { kind: "approve" }, intent: Intent, allowed: AllowedContracts) {
  if (intent.kind !== "swap" || !same(effect.asset, intent.asset))
    return "It lets others take another asset.";
  if (!same(effect.spender, allowed.swap) && !same(effect.spender, allowed.deposit)) {
    return "It lets a stranger take your tokens.";
  }
  return effect.amount === intent.amount || effect.amount === 0n ? "fine" : "It approves another amount.";
}

function exchanged(intent: Intent, amountIn: bigint, minimumOut: bigint) {
  if (intent.kind !== "swap" || intent.toChainId !== intent.chainId) return "It swaps instead of sending.";
  if (amountIn !== intent.amount) return "It takes another amount.";
  return minimumOut >= intent.minimumOut ? "pays" : "It accepts less than the offer's minimum.";
}

function wraps(intent: Intent, from: string, to: string, amount: bigint) {
  if (intent.kind !== "swap" || !same(intent.asset, from) || !same(intent.toAsset, to)) {
    return "It wraps or unwraps coins.";
  }
  return amount === intent.amount ? "pays" : "It takes another amount.";
}

/** EVM addresses compare without regard to letter case, Solana's exactly. */
function same(a: string, b: string) {
  return a.startsWith("0x") && b.startsWith("0x") ? a.toLowerCase() === b.toLowerCase() : a === b;
}
