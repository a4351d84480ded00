import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { splitUsd } from "@/shared/lib/money";
import { formatWhen, useNow } from "@/shared/lib/time";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { PageHeading } from "@/shared/ui/PageHeading";
import { Skeleton, SkeletonRows } from "@/shared/ui/Skeleton";
import { Card } from "@/shared/ui/Surface";
import { type Portfolio, portfolioQuery } from "../api";
import { isPriced, oldestReading } from "../model";
import { Allocation } from "./Allocation";
import { AssetList } from "./AssetList";
import { FaucetPanel } from "./FaucetPanel";
import { RecentActivity } from "./RecentActivity";
import { UnavailableChains } from "./UnavailableChains";

/** What the person holds, where, and what happened lately. */
export function PortfolioPage() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(portfolioQuery);
  return (
    <>
      <FaucetPanel portfolio={data} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 desk:grid-cols-[minmax(0,1fr)_320px]">
        <section aria-label={t`Assets`} className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Total portfolio={data} />
          {error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
          {data ? <UnavailableChains portfolio={data} /> : null}
          {data ? <AssetList portfolio={data} /> : <LoadingAssets failed={error !== null} />}
        </section>
        <aside className="grid gap-5">
          {data ? <Allocation portfolio={data} /> : null}
          <RecentActivity />
        </aside>
      </div>
    </>
  );
}

function LoadingAssets({ failed }: { failed: boolean }) {
  const { t } = useLingui();
  if (failed) return null;
  return (
    <Card>
      <SkeletonRows rows={6} label={t`Loading your assets`} />
    </Card>
  );
}

function Total({ portfolio }: { portfolio: Portfolio | undefined }) {
  const { t } = useLingui();
  return (
    <div>
      <PageHeading title={t`Portfolio`}>
        <span className="sr-only">
          <Trans>Portfolio</Trans>
        </span>
      </PageHeading>
      <h2 className="text-body font-semibold text-muted">
        <Trans>Total value</Trans>
      </h2>
      {portfolio ? <TotalFigure portfolio={portfolio} /> : <Skeleton width={180} height={46} />}
    </div>
  );
}

function TotalFigure({ portfolio }: { portfolio: Portfolio }) {
  const now = useNow(30_000);
  const { whole, cents } = isPriced(portfolio) ? splitUsd(portfolio.totalUsd) : { whole: "—", cents: "" };
  const when = formatWhen(oldestReading(portfolio), now);
  return (
    <>
      <p className="text-[34px] leading-[1.15] font-semibold tracking-tight desk:text-total">
        {whole}
        <span className="text-title font-medium text-muted">{cents}</span>
      </p>
      <p className="text-small text-muted">
        <Trans>Prices and balances: {when}</Trans>
      </p>
    </>
  );
}
