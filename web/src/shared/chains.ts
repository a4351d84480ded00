import chainsFile from "@catalog/chains.json";
import tokensFile from "@catalog/tokens.json";
import type { AddressKind } from "./lib/address";

/** One supported chain, as the catalog defines it. */
export interface Chain {
  id: number;
  name: string;
  icon: string;
  isEVM: boolean;
  nativeCurrency: { name: string; symbol: string; decimals: number };
  /** Placeholder that stands for the native coin where a token address is asked for. */
  tokenAddress: string;
  blockTimeMs: number;
  explorer: { name: string; url: string; transactionPath: string };
}

/** A coin or token on one chain. */
export interface Asset {
  chainId: number;
  address: string;
  symbol: string;
  name: string;
  decimals: number;
  icon: string;
}

/** The ten chains, in the catalog's order. */
export const chains: readonly Chain[] = chainsFile.chains;

const byId = new Map(chains.map((chain) => [chain.id, chain]));

/** The chain with an id, if it is supported. */
export function findChain(id: number): Chain | undefined {
  return byId.get(id);
}

/** A chain's name; an unknown id is shown as it is. */
export function chainName(id: number): string {
  return byId.get(id)?.name ?? `Chain ${id}`;
}

/** Which kind of address a chain takes. */
export function addressKindOf(chain: Pick<Chain, "isEVM">): AddressKind {
  return chain.isEVM ? "evm" : "solana";
}

/** The drawing of a chain's native coin: that of its wrapped token. */
function nativeIcon(chain: Chain): string {
  const wrapped = tokensFile.tokens.find((token) => token.chainId === chain.id && token.kind === "wrapped");
  return wrapped?.icon ?? chain.icon;
}

/** All assets of a chain: the native coin first, then its tokens. */
export function assetsOf(chain: Chain): Asset[] {
  const native: Asset = {
    chainId: chain.id,
    address: chain.tokenAddress,
    ...chain.nativeCurrency,
    icon: nativeIcon(chain),
  };
  return [native, ...tokensFile.tokens.filter((token) => token.chainId === chain.id)];
}

/** The asset at an address of a chain; EVM addresses are compared without regard to case. */
export function findAsset(chainId: number, address: string): Asset | undefined {
  const chain = findChain(chainId);
  if (!chain) return undefined;
  const same = chain.isEVM
    ? (a: string) => a.toLowerCase() === address.toLowerCase()
    : (a: string) => a === address;
  return assetsOf(chain).find((asset) => same(asset.address));
}

/** Whether an asset is its chain's native coin. */
export function isNative(chain: Chain, address: string): boolean {
  return chain.tokenAddress.toLowerCase() === address.toLowerCase();
}

/** Each chain's colour in rings; the icons carry the same ones. Never the only sign of a chain. */
const colors: Record<number, string> = {
  1: "#5B76E0",
  8453: "#0B52F4",
  42161: "#2878E8",
  80094: "#99591F",
  56: "#B98A00",
  7565164: "#7445F2",
  146: "#55678C",
  43114: "#CF3436",
  137: "#7437DC",
  999: "#177D65",
};

/** A chain's colour. */
export function chainColor(id: number): string {
  return colors[id] ?? "var(--muted)";
}
