import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { accountsQuery } from "@/features/account";
import { portfolioQuery } from "@/features/portfolio";
import { type Asset, findAsset, findChain } from "@/shared/chains";
import { type AssetRef, assetKey, readAssetKey, type SwapForm } from "./model";

const route = getRouteApi("/swap");

const startFrom: AssetRef = { chainId: 8453, address: "0x0000000000000000000000000000000000000000" };
const startTo: AssetRef = { chainId: 8453, address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };

/** The swap's form with its assets looked up, and the way to change it. It lives in the page's address. */
export function useSwapForm() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const from = chosen(search.from, startFrom);
  const to = chosen(search.to, startTo);
  const form: SwapForm = { from, to, amount: search.amount ?? "" };
  const change = (next: Partial<SwapForm>) => {
    const merged = { ...form, ...next };
    const written = { from: assetKey(merged.from), to: assetKey(merged.to), amount: merged.amount };
    void navigate({ search: written, replace: true });
  };
  return { form, from, to, change };
}

function chosen(text: string | undefined, fallback: AssetRef): Asset {
  const ref = readAssetKey(text ?? "") ?? fallback;
  const asset = findAsset(ref.chainId, ref.address) ?? findAsset(fallback.chainId, fallback.address);
  if (!asset) throw new Error("the catalog lacks the asset that a swap starts with");
  return asset;
}

/** What the person has of an asset; null while it is not known. */
export function useHolding(asset: Asset): { balance: bigint | null; priceUsd: string | null } {
  const portfolio = useQuery(portfolioQuery);
  const held = portfolio.data?.assets.find((one) => assetKey(one) === assetKey(asset));
  return { balance: held ? BigInt(held.amount) : null, priceUsd: held?.priceUsd ?? null };
}

/** The person's own address on a chain; null while it is not known. */
export function useOwnAddress(chainId: number): string | null {
  const accounts = useQuery(accountsQuery);
  const kind = findChain(chainId)?.isEVM ? "evm" : "solana";
  return accounts.data?.find((account) => account.kind === kind)?.address ?? null;
}
