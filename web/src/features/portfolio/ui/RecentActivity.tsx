import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MovementRow, recentMovementsQuery } from "@/features/movement";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { SkeletonRows } from "@/shared/ui/Skeleton";
import { Card } from "@/shared/ui/Surface";

/** The newest movements, beside the portfolio. */
export function RecentActivity() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(recentMovementsQuery);
  return (
    <Card className="overflow-hidden">
      <div className="flex items-baseline justify-between px-4 py-3">
        <h2 className="font-semibold text-muted">
          <Trans>Recent movements</Trans>
        </h2>
        {data?.length ? (
          <Link to="/activity" className="text-small text-accent underline" aria-label={t`All movements`}>
            <Trans>All</Trans>
          </Link>
        ) : null}
      </div>
      {error && !data ? (
        <div className="px-4 pb-4">
          <FailureNotice error={error} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {!data && !error ? <SkeletonRows rows={2} label={t`Loading recent movements`} /> : null}
      {data?.length === 0 ? (
        <p className="px-4 pb-4 text-muted">
          <Trans>Your swaps and transfers show here.</Trans>
        </p>
      ) : null}
      <ul>
        {data?.map((movement) => (
          <li key={movement.id} className="border-t border-line">
            <MovementRow movement={movement} compact />
          </li>
        ))}
      </ul>
    </Card>
  );
}
