// Reads balances and fees from the chains themselves, with clients that the
// product does not use.
import { readFileSync } from "node:fs";
import { Connection, PublicKey } from "@solana/web3.js";
import { createPublicClient, erc20Abi, http } from "viem";

const catalog = (name) => JSON.parse(readFileSync(new URL(`../../catalog/${name}.json`, import.meta.url), "utf8"));
const { chains } = catalog("chains");
const { tokens } = catalog("tokens");

/** The product's number for Solana. */
export const SOLANA = 7565164;

/** The ten chains of the catalog. */
export const catalogChains = chains;

/** The catalog's USDC on a chain. */
export const usdcOn = (chainId) => tokens.find((token) => token.chainId === chainId && token.kind === "usdc");

/** Readers of the stack's chains: `native(chainId, owner)`, `token(chainId, token, owner)` in base units. */
export function chainReaders(rpcUrls) {
  const evm = (chainId) => createPublicClient({ transport: http(rpcUrls[chainId]) });
  const solana = new Connection(rpcUrls[SOLANA], "confirmed");
  return {
    evm,
    solana,
    async native(chainId, owner) {
      if (chainId === SOLANA) return BigInt(await solana.getBalance(new PublicKey(owner)));
      return evm(chainId).getBalance({ address: owner });
    },
    async token(chainId, token, owner) {
      if (chainId !== SOLANA) {
        return evm(chainId).readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [owner] });
      }
      const held = await solana.getParsedTokenAccountsByOwner(new PublicKey(owner), { mint: new PublicKey(token) });
      return held.value.reduce((sum, one) => sum + BigInt(one.account.data.parsed.info.tokenAmount.amount), 0n);
    },
    /** What the network charged for a transaction, in native base units. */
    async fee(chainId, hash) {
      if (chainId === SOLANA) {
        const found = await solana.getTransaction(hash, { commitment: "confirmed", maxSupportedTransactionVersion: 0 });
        return BigInt(found.meta.fee);
      }
      const receipt = await evm(chainId).getTransactionReceipt({ hash });
      return receipt.gasUsed * receipt.effectiveGasPrice;
    },
  };
}
