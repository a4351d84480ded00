import type { Intent, NativeCoin } from "./agreement.ts";
import { associatedTokenAccount, seededTokenAccount } from "./decode-solana.ts";
import type { Effect } from "./facts.ts";

/** The token accounts that a Solana transaction may use for an intent, each computed and none believed. */
export interface OwnAccounts {
  source: string;
  destination: string;
  wrapped: string;
  recipientAccount: string;
  /** A wrapped account for this transaction only, so that coins that are wrapped already stay so. */
  temporary: string | null;
  /** The person's own account between two pools, when the swap goes through two. */
  between: string | null;
}

/** Null on an EVM chain, which has no token accounts. */
export async function ownAccounts(
  intent: Intent,
  native: NativeCoin,
  betweenMint: string | undefined,
  effects: Effect[],
): Promise<OwnAccounts | null> {
  if (intent.owner.startsWith("0x")) return null;
  const mint = (asset: string) => (asset === native.asset ? native.wrapped : asset);
  const onOneChain = intent.toChainId === intent.chainId;
  const [source, destination, wrapped, recipientAccount, temporary, between] = await Promise.all([
    associatedTokenAccount(intent.owner, mint(intent.asset)),
    associatedTokenAccount(intent.owner, mint(onOneChain ? intent.toAsset : intent.asset)),
    associatedTokenAccount(intent.owner, native.wrapped),
    associatedTokenAccount(onOneChain ? intent.recipient : intent.owner, mint(intent.asset)),
    temporaryAccount(effects, intent, native),
    accountBetween(effects, intent, betweenMint),
  ]);
  return { source, destination, wrapped, recipientAccount, temporary, between };
}

/**
 * The one temporary account that a transaction makes, if the person needs one
 * and its address follows from the person's own: only then can nobody else have
 * prepared it. Two of them are none.
 */
async function temporaryAccount(effects: Effect[], intent: Intent, native: NativeCoin) {
  const [made, another] = effects.filter((effect) => effect.kind === "createSeededAccount");
  if (!made || another || made.base !== intent.owner || !endsAsCoin(intent, native)) return null;
  const address = await seededTokenAccount(intent.owner, made.seed);
  return made.tokenAccount === address ? address : null;
}

/**
 * Where the first of exactly two swaps pays out and the second is paid from. The
 * second takes what the first gives at least, because more than that would come
 * from what the person held before.
 */
async function accountBetween(effects: Effect[], intent: Intent, mint: string | undefined) {
  const [first, second, third] = swapsOf(effects);
  if (!mint || !first || !second || third || [intent.asset, intent.toAsset].includes(mint)) return null;
  if (first.contract !== second.contract || second.amountIn !== first.minimumOut) return null;
  const account = await associatedTokenAccount(intent.owner, mint);
  return first.destination === account && second.source === account ? account : null;
}

/** Makes one swap of two that are chained through the person's own account, to be judged as a whole. */
export function joinSwaps(effects: Effect[], own: OwnAccounts | null): Effect[] {
  const [first, second] = swapsOf(effects);
  if (!own?.between || !first || !second) return effects;
  const whole = { ...second, amountIn: first.amountIn, source: first.source };
  return effects.filter((effect) => effect !== first).map((effect) => (effect === second ? whole : effect));
}

const swapsOf = (effects: Effect[]) => effects.filter((effect) => effect.kind === "poolSwap");

/**
 * Whether what arrives for an intent that ends in SOL stays wrapped: the last
 * thing that happens to the account has to be that it is closed. To whom is
 * judged with the closing itself.
 */
export function leftOpen(effects: Effect[], intent: Intent, native: NativeCoin, own: OwnAccounts | null) {
  if (!own || !endsAsCoin(intent, native)) return false;
  const account = own.temporary ?? own.destination;
  return effects.findLast((effect) => touches(effect, account))?.kind !== "unwrap";
}

function touches(effect: Effect, account: string) {
  switch (effect.kind) {
    case "poolSwap":
      return effect.source === account || effect.destination === account;
    case "tokenAccountTransfer":
      return effect.source === account || effect.tokenAccount === account;
    case "unwrap":
      return effect.contract === account;
    case "transfer":
      return effect.recipient === account;
    default:
      return "tokenAccount" in effect && effect.tokenAccount === account;
  }
}

/**
 * Closing gives all that an account holds, which the bytes don't tell. So it
 * never counts as the payment, and is fine only for the temporary account or
 * around a swap of SOL; the person's wrapped coins are unwrapped by a transfer
 * into a temporary account, whose amount can be read.
 */
export function closes(
  effect: Effect & { kind: "unwrap" },
  intent: Intent,
  native: NativeCoin,
  own: OwnAccounts | null,
) {
  if (effect.recipient !== intent.owner) return "It sends what is left to another address.";
  if (!own || effect.contract !== (own.temporary ?? own.wrapped)) return "It closes another account.";
  const assets = [intent.asset, intent.toAsset];
  const swapsCoin = isSwapHere(intent) && assets.includes(native.asset) && !assets.includes(native.wrapped);
  return own.temporary || swapsCoin ? "fine" : "It wraps or unwraps coins.";
}

/** Unwraps a part: from the person's wrapped account into the temporary one, which is closed after. */
export function unwrapsInto(
  effect: Effect & { kind: "tokenAccountTransfer" },
  intent: Intent,
  native: NativeCoin,
  own: OwnAccounts,
) {
  const wrapped = effect.source === own.wrapped && (effect.asset ?? native.wrapped) === native.wrapped;
  if (!wrapped || intent.asset !== native.wrapped) return "It takes another asset.";
  return effect.amount === intent.amount ? "pays" : "It takes another amount.";
}

const isSwapHere = (intent: Intent) => intent.kind === "swap" && intent.toChainId === intent.chainId;
const endsAsCoin = (intent: Intent, native: NativeCoin) =>
  isSwapHere(intent) && intent.toAsset === native.asset;
