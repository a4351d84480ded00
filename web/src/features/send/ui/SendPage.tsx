import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { accountsQuery } from "@/features/account";
import { portfolioQuery } from "@/features/portfolio";
import { createMovement, type Intent, type Movement, ReviewCard } from "@/features/review";
import { addressKindOf, assetsOf, chains, findAsset, findChain } from "@/shared/chains";
import { valueInUsd } from "@/shared/lib/money";
import type { SendForm } from "../model";
import { SendFields } from "./SendFields";

const route = getRouteApi("/send");
const baseChainId = 8453;

interface Review {
  movement: Movement;
  intent: Intent;
  /** The form that was reviewed: another one, as after a press on Send, closes the review. */
  form: string;
}

/** Send: the form, and the review of what it asks for. */
export function SendPage() {
  const { form, change } = useForm();
  const [review, setReview] = useState<Review | null>(null);
  const holdings = useHoldings(form);
  const prepare = async (intent: Intent) => {
    const { chainId, asset, recipient, amount } = intent;
    const request = { kind: "transfer" as const, chainId, asset, recipient, amount: amount.toString() };
    setReview({
      intent,
      form: JSON.stringify(form),
      movement: await createMovement(request, crypto.randomUUID()),
    });
  };
  if (review?.form !== JSON.stringify(form))
    return <SendFields form={form} change={change} holdings={holdings} onReview={prepare} />;
  const { intent, movement } = review;
  return (
    <ReviewCard
      key={movement.id}
      movement={movement}
      intent={intent}
      leavesUsd={valueInUsd(intent.amount, holdings.asset.decimals, holdings.priceUsd)}
      onBack={() => setReview(null)}
    />
  );
}

/** The form lives in the page's address, so that it survives a reload. */
function useForm() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const chain = findChain(search.chain ?? baseChainId) ?? chains[0];
  const chainId = chain?.id ?? baseChainId;
  const form: SendForm = {
    chainId,
    asset: findAsset(chainId, search.asset ?? "")?.address ?? chain?.tokenAddress ?? "",
    recipient: search.to ?? "",
    amount: search.amount ?? "",
  };
  const change = (next: Partial<SendForm>) => {
    const merged = { ...form, ...next };
    const search = {
      chain: merged.chainId,
      asset: merged.asset,
      to: merged.recipient,
      amount: merged.amount,
    };
    void navigate({ search, replace: true });
  };
  return { form, change };
}

/** What the person has of the chosen asset, and where from. */
export type Holdings = ReturnType<typeof useHoldings>;

function useHoldings(form: SendForm) {
  const portfolio = useQuery(portfolioQuery);
  const accounts = useQuery(accountsQuery);
  const chain = findChain(form.chainId) ?? chains[0];
  if (!chain) throw new Error("the catalog has no chain");
  const asset = findAsset(chain.id, form.asset) ?? assetsOf(chain)[0];
  if (!asset) throw new Error("the catalog has no asset");
  const held = portfolio.data?.assets.find(
    (one) => one.chainId === chain.id && one.address === asset.address,
  );
  const kind = addressKindOf(chain);
  return {
    chain,
    asset,
    decimals: asset.decimals,
    kind,
    balance: held ? BigInt(held.amount) : null,
    priceUsd: held?.priceUsd ?? null,
    own: accounts.data?.find((account) => account.kind === kind)?.address ?? null,
  };
}
