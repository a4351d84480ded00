import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Intent } from "@/features/review";
import { assetsOf, chains, findChain } from "@/shared/chains";
import { formatUnits, valueInUsd } from "@/shared/lib/money";
import { AmountField } from "@/shared/ui/AmountField";
import { AssetIcon } from "@/shared/ui/AssetIcon";
import { Button } from "@/shared/ui/Button";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { LongField, SelectField } from "@/shared/ui/Field";
import { Amount, Usd } from "@/shared/ui/Money";
import { PageHeading } from "@/shared/ui/PageHeading";
import { FormCard } from "@/shared/ui/Surface";
import { fetchMaximum } from "../api";
import { type CheckedSend, checkSend, type SendForm } from "../model";
import { amountRefusal, recipientRefusal } from "./refusals";
import type { Holdings } from "./SendPage";

interface SendFieldsProps {
  form: SendForm;
  change: (next: Partial<SendForm>) => void;
  holdings: Holdings;
  onReview: (intent: Intent) => Promise<void>;
}

/** The form of a payment. Enter reviews; nothing here signs. */
export function SendFields({ form, change, holdings, onReview }: SendFieldsProps) {
  const { t } = useLingui();
  const [submitted, setSubmitted] = useState(false);
  const checked = checkSend(form, holdings);
  const review = useMutation({ mutationFn: onReview });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSubmitted(true);
    const intent = intentOf(form, holdings, checked);
    if (intent) review.mutate(intent);
    else focusFirstInvalid(event.currentTarget);
  };
  const changeAndForget = (next: Partial<SendForm>) => {
    review.reset();
    change(next);
  };
  return (
    <FormCard>
      <PageHeading title={t`Send`} />
      <form noValidate className="mt-4 grid gap-3" onSubmit={submit}>
        <ChainAndAsset form={form} change={changeAndForget} />
        <RecipientField
          form={form}
          change={changeAndForget}
          holdings={holdings}
          checked={checked}
          submitted={submitted}
        />
        <Payment
          form={form}
          change={changeAndForget}
          holdings={holdings}
          checked={checked}
          submitted={submitted}
        />
        {review.isError ? <FailureNotice error={review.error} /> : null}
        <Button type="submit" look="primary" wide busy={review.isPending} className="mt-2">
          {t`Review`}
        </Button>
      </form>
    </FormCard>
  );
}

function intentOf(form: SendForm, holdings: Holdings, checked: CheckedSend): Intent | null {
  if (!checked.ok || !holdings.own) return null;
  return {
    kind: "transfer",
    chainId: form.chainId,
    asset: holdings.asset.address,
    amount: checked.amount,
    owner: holdings.own,
    toChainId: form.chainId,
    toAsset: holdings.asset.address,
    recipient: checked.recipient,
    minimumOut: 0n,
  };
}

function focusFirstInvalid(form: HTMLFormElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

function ChainAndAsset({ form, change }: Pick<SendFieldsProps, "form" | "change">) {
  const { t } = useLingui();
  const chain = findChain(form.chainId);
  const assets = chain ? assetsOf(chain) : [];
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label={t`Chain`}
        value={form.chainId}
        onChange={(event) => {
          const next = findChain(Number(event.target.value));
          if (next) change({ chainId: next.id, asset: next.tokenAddress });
        }}
      >
        {chains.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Asset`}
        value={form.asset}
        onChange={(event) => change({ asset: event.target.value })}
      >
        {assets.map((asset) => (
          <option key={asset.address} value={asset.address}>
            {asset.symbol}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

interface CheckedFieldProps extends Omit<SendFieldsProps, "onReview"> {
  checked: CheckedSend;
  submitted: boolean;
}

function RecipientField({ form, change, holdings, checked, submitted }: CheckedFieldProps) {
  const { t } = useLingui();
  const refusal = checked.ok ? undefined : checked.recipient;
  const shown = refusal && (submitted || refusal !== "empty") ? refusal : undefined;
  return (
    <LongField
      label={t`Recipient`}
      name="recipient"
      placeholder={holdings.chain.isEVM ? "0x…" : t`A Solana address`}
      value={form.recipient}
      onChange={(recipient) => change({ recipient })}
      error={shown ? recipientRefusal(shown, holdings.chain.name, holdings.chain.isEVM) : undefined}
    />
  );
}

function Payment({ form, change, holdings, checked, submitted }: CheckedFieldProps) {
  const { t } = useLingui();
  const { asset, balance, chain } = holdings;
  const maximum = useMutation({
    mutationFn: () =>
      fetchMaximum(chain.id, asset.address, checked.ok || !checked.recipient ? form.recipient : undefined),
    onSuccess: (found) => change({ amount: formatUnits(BigInt(found.amount), asset.decimals) }),
  });
  const refusal = checked.ok ? undefined : checked.amount;
  const shown = refusal && (submitted || refusal !== "empty") ? refusal : undefined;
  const typed = checkSend({ ...form, recipient: holdings.own ?? "" }, { ...holdings, own: null });
  const usd = typed.ok ? valueInUsd(typed.amount, asset.decimals, holdings.priceUsd) : null;
  return (
    <>
      <AmountField
        value={form.amount}
        onChange={(amount) => change({ amount })}
        aside={
          balance === null ? null : (
            <Trans>
              Balance <Amount amount={balance} {...asset} />
            </Trans>
          )
        }
        error={shown ? amountRefusal(shown, asset.symbol, asset.decimals) : undefined}
        hint={usd ? <Usd value={usd} /> : null}
        after={
          <span className="flex items-center gap-2 font-semibold">
            <Button small look="quiet" busy={maximum.isPending} onClick={() => maximum.mutate()}>
              {t`Max`}
            </Button>
            <AssetIcon chainId={asset.chainId} address={asset.address} size={28} /> {asset.symbol}
          </span>
        }
      />
      {maximum.isError ? <FailureNotice error={maximum.error} onRetry={() => maximum.mutate()} /> : null}
      {maximum.data && form.amount === formatUnits(BigInt(maximum.data.amount), asset.decimals) ? (
        <p className="px-1 text-small text-muted" role="status">
          <Trans>
            At most{" "}
            <Amount amount={BigInt(maximum.data.fee) + BigInt(maximum.data.rent)} {...chain.nativeCurrency} />{" "}
            is kept back for the network.
          </Trans>
        </p>
      ) : null}
    </>
  );
}
