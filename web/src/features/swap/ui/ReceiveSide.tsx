import { Trans, useLingui } from "@lingui/react/macro";
import { type Asset, chainName } from "@/shared/chains";
import { formatAmount } from "@/shared/lib/money";
import { Amount, Usd } from "@/shared/ui/Money";
import { Skeleton } from "@/shared/ui/Skeleton";
import type { Quote } from "../api";
import { impactTone, type SwapForm } from "../model";
import { AssetPicker } from "./AssetPicker";

/** What is expected is no promise, so four places are enough; the promise is the minimum. */
const expectedPlaces = 4;

interface ReceiveSideProps {
  asset: Asset;
  change: (next: Partial<SwapForm>) => void;
  offer: Quote | undefined;
  /** The numbers belong to what was typed before. */
  dimmed: boolean;
  waiting: boolean;
}

/** What arrives: the expected amount, the least, and what it costs in value. */
export function ReceiveSide({ asset, change, offer, dimmed, waiting }: ReceiveSideProps) {
  const { t } = useLingui();
  return (
    <div className="rounded-input border border-line bg-bg px-4 py-3.5">
      <div className="flex items-baseline justify-between gap-3 text-small text-muted">
        <span>
          <Trans>You receive</Trans>
        </span>
        <span>
          <Trans>to your {chainName(asset.chainId)} address</Trans>
        </span>
      </div>
      <div className="mt-1.5 flex items-center gap-3">
        <output
          aria-label={t`You receive`}
          className={`min-w-0 flex-1 text-lead font-semibold tracking-tight [overflow-wrap:anywhere] desk:text-large ${dimmed ? "opacity-60" : ""}`}
        >
          {waiting ? (
            <Skeleton width={120} height={28} />
          ) : offer ? (
            formatAmount(BigInt(offer.amountOut), asset.decimals, expectedPlaces)
          ) : (
            "0"
          )}
        </output>
        <AssetPicker label={t`To`} asset={asset} onChange={(to) => change({ to })} />
      </div>
      <div className={`mt-2 min-h-5 text-small text-muted ${dimmed ? "opacity-60" : ""}`}>
        {offer ? <Costs offer={offer} asset={asset} /> : null}
      </div>
    </div>
  );
}

function Costs({ offer, asset }: { offer: Quote; asset: Asset }) {
  return (
    <>
      <Usd value={offer.amountOutUsd} /> ·{" "}
      <Trans>
        at least <Amount amount={offer.minimumOut} {...asset} />
      </Trans>
      <Impact percent={offer.priceImpactPercent} />
    </>
  );
}

function Impact({ percent }: { percent: string | null }) {
  if (percent === null) return null;
  const tone = impactTone(percent);
  if (tone === "quiet") {
    return (
      <>
        {" · "}
        <Trans>{percent.replace("-", "−")} % all costs</Trans>
      </>
    );
  }
  return (
    <span className={`block ${tone === "warned" ? "text-bad" : "text-warn"}`}>
      <Trans>You lose {percent.replace("-", "")} % of the value to costs and price impact.</Trans>
    </span>
  );
}
