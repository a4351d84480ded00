import chainsFile from "@catalog/chains.json";
import tokensFile from "@catalog/tokens.json";
import venuesFile from "@catalog/venues.json";
import { type AllowedContracts, disagreements, type Intent } from "./agreement";
import type { Movement } from "./api";
import { decodeEvm } from "./decode-evm";
import { decodeSolana } from "./decode-solana";
import { type Facts, UnreadableTransaction } from "./facts";

/** What this page found in the bytes of a movement. */
export interface Examination {
  /** Each disagreement with what was asked, in plain words; empty when the bytes agree. */
  complaints: string[];
  /** What the person pays at most for the network, in native base units. */
  maximumFee: bigint;
  facts: Facts[];
}

/**
 * Reads the movement's unsigned bytes, independently of what the server says
 * about them, and compares them with what the person asked for.
 */
export async function examine(movement: Movement, intent: Intent): Promise<Examination> {
  try {
    const facts = movement.steps.map((step) =>
      decode(step.unsignedTransaction, intent.chainId, movement.venue),
    );
    const signers = movement.steps.filter((step) => !sameText(step.signWith, intent.owner));
    const complaints = await disagreements(
      intent,
      facts,
      allowedOf(intent.chainId, movement.venue),
      nativeOf(intent.chainId),
    );
    if (signers.length > 0) complaints.push("It is to be signed by another address.");
    return { complaints, facts, maximumFee: facts.reduce((sum, one) => sum + one.maximumFee, 0n) };
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    return { complaints: [`It can't be read in full: ${error.message}.`], facts: [], maximumFee: 0n };
  }
}

function decode(unsigned: string, chainId: number, venue: string | null): Facts {
  if (isEvm(chainId)) return decodeEvm(unsigned);
  const { swap: pool, deposit: depository } = allowedOf(chainId, venue);
  return decodeSolana(unsigned, chainId, { pool, depository });
}

const chainOf = (chainId: number) => chainsFile.chains.find((chain) => chain.id === chainId);
const isEvm = (chainId: number) => chainOf(chainId)?.isEVM ?? false;

function nativeOf(chainId: number) {
  const chain = chainOf(chainId);
  return { asset: chain?.tokenAddress ?? "", wrapped: chain?.wrappedToken.address ?? "" };
}

/** A transfer has no venue: then no contract is allowed at all. Pools that don't trade a pair meet in USDC. */
function allowedOf(chainId: number, venueId: string | null): AllowedContracts {
  const venue = venuesFile.venues.find((one) => one.id === venueId);
  const addressOf = (...kinds: string[]) =>
    venue?.contracts.find((one) => one.chainId === chainId && kinds.includes(one.kind))?.address ?? "none";
  const between = tokensFile.tokens.find(
    (token) => token.chainId === chainId && token.kind === "usdc",
  )?.address;
  return { swap: addressOf("router", "pool"), deposit: addressOf("depository"), between };
}

const sameText = (a: string, b: string) =>
  a.startsWith("0x") ? a.toLowerCase() === b.toLowerCase() : a === b;
