import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createMovement, type FactRow, type Intent, type Movement, ReviewCard } from "@/features/review";
import { chainName } from "@/shared/chains";
import { valueInUsd } from "@/shared/lib/money";
import { Amount, Usd } from "@/shared/ui/Money";
import type { Quote } from "../api";
import { useHolding, useSwapForm } from "../form";
import { SwapFields } from "./SwapFields";
import { venueName } from "./venue";

interface Review {
  movement: Movement;
  intent: Intent;
  quote: Quote;
  /** The form that was reviewed: another one, as after a press on Swap, closes the review. */
  form: string;
}

/** Swap: the form with its offers, and the review of the chosen one. */
export function SwapPage() {
  const swap = useSwapForm();
  const queries = useQueryClient();
  const { priceUsd } = useHolding(swap.to);
  const [review, setReview] = useState<Review | null>(null);
  const prepare = async (quote: Quote, intent: Intent) => {
    const request = { kind: "swap" as const, quoteId: quote.id, digest: quote.digest };
    setReview({
      quote,
      intent,
      form: JSON.stringify(swap.form),
      movement: await createMovement(request, crypto.randomUUID()),
    });
  };
  const back = () => {
    setReview(null);
    void queries.invalidateQueries({ queryKey: ["quotes"] });
  };
  if (review?.form !== JSON.stringify(swap.form)) return <SwapFields {...swap} onReview={prepare} />;
  const { quote, intent, movement } = review;
  return (
    <ReviewCard
      key={movement.id}
      movement={movement}
      intent={intent}
      leavesUsd={quote.amountInUsd}
      arrivesUsd={valueInUsd(intent.minimumOut, swap.to.decimals, priceUsd)}
      rows={rowsOf(quote, swap.to)}
      onBack={back}
    />
  );
}

function rowsOf(quote: Quote, to: { symbol: string; decimals: number }): FactRow[] {
  const way =
    quote.fromChainId === quote.toChainId
      ? chainName(quote.fromChainId)
      : `${chainName(quote.fromChainId)} → ${chainName(quote.toChainId)}`;
  return [
    {
      name: <Trans>Expected</Trans>,
      value: (
        <>
          <Amount amount={quote.amountOut} {...to} /> · <Usd value={quote.amountOutUsd} />
        </>
      ),
    },
    {
      name: <Trans>Route</Trans>,
      value: (
        <Trans>
          {venueName(quote.venue)} · {way} · about {quote.timeSeconds}&nbsp;s
        </Trans>
      ),
    },
    { name: <Trans>Costs</Trans>, value: <Usd value={quote.feesUsd} /> },
  ];
}
