import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { fetchMaximum } from "@/features/send";
import { type Asset, findChain, isNative } from "@/shared/chains";
import { formatUnits, valueInUsd } from "@/shared/lib/money";
import { AmountField } from "@/shared/ui/AmountField";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { Amount, Usd } from "@/shared/ui/Money";
import type { Quote } from "../api";
import { useHolding } from "../form";
import { checkSwap, type SwapForm, shareOf, spendable } from "../model";
import { AssetPicker } from "./AssetPicker";

interface PaySideProps {
  form: SwapForm;
  asset: Asset;
  change: (next: Partial<SwapForm>) => void;
  offer: Quote | undefined;
  error: string | undefined;
}

/** What leaves: amount, asset, and the shares of the balance. */
export function PaySide({ form, asset, change, offer, error }: PaySideProps) {
  const { t } = useLingui();
  const { balance, priceUsd } = useHolding(asset);
  const typed = checkSwap(form, asset.decimals, null);
  const usd = offer?.amountInUsd ?? (typed.ok ? valueInUsd(typed.amount, asset.decimals, priceUsd) : null);
  return (
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
      error={error}
      hint={
        <span className="flex flex-wrap items-center gap-x-3">
          <span className="flex-1">{usd ? <Usd value={usd} /> : null}</span>
          <Shares asset={asset} balance={balance} change={change} />
        </span>
      }
      after={<AssetPicker label={t`From`} asset={asset} onChange={(from) => change({ from })} />}
    />
  );
}

function Shares({
  asset,
  balance,
  change,
}: Pick<PaySideProps, "asset" | "change"> & { balance: bigint | null }) {
  const { t } = useLingui();
  const set = (amount: bigint) => change({ amount: formatUnits(amount, asset.decimals) });
  const maximum = useMutation({
    mutationFn: async () => {
      const chain = findChain(asset.chainId);
      const found = await fetchMaximum(asset.chainId, asset.address);
      const native = chain !== undefined && isNative(chain, asset.address);
      return native ? spendable(BigInt(found.amount), BigInt(found.fee), chain.isEVM) : BigInt(found.amount);
    },
    onSuccess: set,
  });
  if (balance === null || balance === 0n) return null;
  return (
    <>
      {[25n, 50n, 75n].map((percent) => (
        <ShareButton key={String(percent)} onPress={() => set(shareOf(balance, percent))}>
          {`${percent} %`}
        </ShareButton>
      ))}
      <ShareButton strong onPress={() => maximum.mutate()}>
        {t`Max`}
      </ShareButton>
      {maximum.isError ? <FailureNotice error={maximum.error} /> : null}
    </>
  );
}

function ShareButton({
  strong,
  onPress,
  children,
}: {
  strong?: boolean;
  onPress: () => void;
  children: string;
}) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={`min-h-8 min-w-8 rounded-small px-1 hover:text-text ${strong ? "font-semibold text-accent" : "text-muted"}`}
    >
      {children}
    </button>
  );
}
