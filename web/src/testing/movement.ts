import type { Schema } from "@/shared/api/client";

type Movement = Schema<"Movement">;
type MovementState = Movement["state"];

/** The native coin of the EVM chains, where an asset's address is asked for. */
export const native = "0x0000000000000000000000000000000000000000";
const owner = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
/** Somebody else's address. */
export const friend = "0x1111111111111111111111111111111111111111";

/** A swap of 0.5 ETH on Base into USDC on Solana that went through the given states. */
export function crossing(...states: MovementState[]): Movement {
  const state = states.at(-1) ?? "draft";
  return {
    id: "m",
    version: states.length,
    kind: "swap",
    state,
    venue: "relay",
    quoteId: "q",
    from: { chainId: 8453, asset: native, symbol: "ETH", decimals: 18, owner, amount: "500000000000000000" },
    to: {
      chainId: 7565164,
      asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      symbol: "USDC",
      decimals: 6,
      recipient: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      amount: state === "done" ? "1603910000" : null,
      minimum: "1599100000",
    },
    maximumFee: { chainId: 8453, asset: native, amount: "1", rent: "0" },
    feesPaid: state === "done" ? [{ chainId: 8453, asset: native, amount: "21000000000000" }] : [],
    steps: [
      {
        index: 0,
        kind: "deposit",
        chainId: 8453,
        state: "confirmed",
        signWith: owner,
        transactionType: "TRANSACTION_TYPE_ETHEREUM",
        unsignedTransaction: "02",
        hash: "0xabcdef0000000000000000000000000000000000000000000000000000123456",
        explorerUrl: "https://basescan.org/tx/0xabcdef",
        blockNumber: 21904113,
      },
    ],
    deliveryHash: state === "done" ? "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb" : null,
    deliveryExplorerUrl: state === "done" ? "https://solscan.io/tx/5VERv8" : null,
    simulated: "matches",
    createdAt: 0,
    updatedAt: states.length,
    expiresAt: null,
    timeline: states.map((name, at) => ({ state: name, at })),
    problem: null,
    refund: null,
  };
}

/** A payment of 0.5 ETH on Base to a friend, in a state. */
export function payment(state: MovementState): Movement {
  const swap = crossing("draft", "needs_signature", "signed", state);
  const to = {
    ...swap.to,
    chainId: 8453,
    symbol: "ETH",
    decimals: 18,
    recipient: friend,
    amount: swap.from.amount,
  };
  return { ...swap, id: "p", kind: "transfer", venue: null, to };
}
