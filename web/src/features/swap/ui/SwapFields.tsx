import { useLingui } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Intent } from "@/features/review";
import type { Asset } from "@/shared/chains";
import { Button } from "@/shared/ui/Button";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { Icon } from "@/shared/ui/Icon";
import { PageHeading } from "@/shared/ui/PageHeading";
import { FormCard } from "@/shared/ui/Surface";
import { type Quote, quotesQuery } from "../api";
import { useHolding, useOwnAddress } from "../form";
import { checkSwap, type SwapForm } from "../model";
import { useSettled } from "../settled";
import { Offers } from "./Offers";
import { PaySide } from "./PaySide";
import { ReceiveSide } from "./ReceiveSide";
import { swapRefusal } from "./refusals";

const typingPause = 150;

interface SwapFieldsProps {
  form: SwapForm;
  from: Asset;
  to: Asset;
  change: (next: Partial<SwapForm>) => void;
  onReview: (quote: Quote, intent: Intent) => Promise<void>;
}

/** The form of a swap. Offers come while one types; Enter reviews the best, nothing here signs. */
export function SwapFields({ form, from, to, change, onReview }: SwapFieldsProps) {
  const { t } = useLingui();
  const [submitted, setSubmitted] = useState(false);
  const { balance } = useHolding(from);
  const checked = checkSwap(form, from.decimals, balance);
  const amount = useSettled(checked.ok ? checked.amount : null, typingPause);
  const quotes = useQuery(quotesQuery(from, to, checked.ok ? amount : null));
  const settled = checked.ok && amount === checked.amount;
  const offer = checked.ok ? quotes.data?.[0] : undefined;
  const fresh = settled && !quotes.isPlaceholderData ? offer : undefined;
  const owner = useOwnAddress(from.chainId);
  const recipient = useOwnAddress(to.chainId);
  const review = useMutation({
    mutationFn: (one: { quote: Quote; intent: Intent }) => onReview(one.quote, one.intent),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (!fresh || !owner || !recipient) return;
    review.mutate({ quote: fresh, intent: intentOf(fresh, { from, to, owner, recipient }) });
  };
  const changeAndForget = (next: Partial<SwapForm>) => {
    review.reset();
    change(next);
  };
  const problem = checked.ok ? undefined : checked.problem;
  const shown = problem && (submitted || problem !== "empty") ? swapRefusal(problem, from) : undefined;
  return (
    <FormCard>
      <PageHeading title={t`Swap`} />
      <form noValidate className="mt-4" onSubmit={submit}>
        <PaySide form={form} asset={from} change={changeAndForget} offer={fresh} error={shown} />
        <TurnRound onPress={() => changeAndForget({ from: form.to, to: form.from, amount: "" })} />
        <ReceiveSide
          asset={to}
          change={changeAndForget}
          offer={offer}
          dimmed={!fresh}
          waiting={quotes.isLoading}
        />
        {checked.ok ? (
          <Offers offers={quotes.data ?? []} asset={to} asking={quotes.isFetching} failed={quotes.isError} />
        ) : null}
        <div className="mt-4 grid gap-3">
          {checked.ok && quotes.isError ? (
            <FailureNotice error={quotes.error} onRetry={() => quotes.refetch()} />
          ) : null}
          {review.isError ? <FailureNotice error={review.error} /> : null}
          <Button type="submit" look="primary" wide busy={review.isPending} disabled={checked.ok && !fresh}>
            {t`Review`}
          </Button>
        </div>
      </form>
    </FormCard>
  );
}

interface Parties {
  from: Asset;
  to: Asset;
  owner: string;
  recipient: string;
}

/** What the bytes are checked against: the offer's amounts, the form's assets, the person's own addresses. */
function intentOf(quote: Quote, { from, to, owner, recipient }: Parties): Intent {
  return {
    kind: "swap",
    chainId: from.chainId,
    asset: from.address,
    amount: BigInt(quote.amountIn),
    owner,
    toChainId: to.chainId,
    toAsset: to.address,
    recipient,
    minimumOut: BigInt(quote.minimumOut),
  };
}

function TurnRound({ onPress }: { onPress: () => void }) {
  const { t } = useLingui();
  return (
    <div className="relative z-1 -my-2.5 flex justify-center">
      <Button aria-label={t`Turn round`} onClick={onPress} className="size-9! bg-surface! p-0!">
        <Icon name="swap" size={18} />
      </Button>
    </div>
  );
}
