/**
 * What a transaction does, read from the very bytes that are to be signed.
 * Amounts are base units; addresses are as written in the bytes (EVM addresses
 * in lower case).
 */
export type Effect =
  | { kind: "transfer"; asset: string; amount: bigint; recipient: string }
  /** An SPL payment names the recipient's token account, not the recipient; its short form not even the mint. */
  | {
      kind: "tokenAccountTransfer";
      asset: string | null;
      amount: bigint;
      source: string;
      tokenAccount: string;
    }
  | { kind: "approve"; asset: string; amount: bigint; spender: string }
  | {
      kind: "swap";
      assetIn: string;
      amountIn: bigint;
      assetOut: string | null;
      minimumOut: bigint;
      recipient: string;
      contract: string;
      /** Epoch seconds. */
      deadline: bigint;
    }
  | { kind: "deposit"; asset: string; amount: bigint; depositor: string; contract: string; requestId: string }
  | { kind: "wrap"; amount: bigint; contract: string }
  | { kind: "unwrap"; amount: bigint | null; contract: string; recipient: string | null }
  /** A Solana pool names token accounts; whose they are follows from owner and mint. */
  | {
      kind: "poolSwap";
      amountIn: bigint;
      minimumOut: bigint;
      source: string;
      destination: string;
      contract: string;
    }
  | { kind: "createTokenAccount"; owner: string; mint: string; tokenAccount: string }
  /** A token account at an address that follows from its base and seed: one that lives for a transaction only. */
  | { kind: "createSeededAccount"; base: string; seed: Uint8Array; tokenAccount: string }
  | { kind: "initializeTokenAccount"; owner: string; mint: string; tokenAccount: string };

/** The decoded transaction. `maximumFee` is the most the network can charge, in native base units. */
export interface Facts {
  chainId: number;
  from: string | null;
  maximumFee: bigint;
  effects: Effect[];
}

/** A transaction that this page can't read in full. Nothing of it may be signed. */
export class UnreadableTransaction extends Error {
  override readonly name = "UnreadableTransaction";
}
