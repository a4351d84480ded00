import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MovementRow, movementsQuery } from "@/features/movement";
import { Button } from "@/shared/ui/Button";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { PageHeading } from "@/shared/ui/PageHeading";
import { SkeletonRows } from "@/shared/ui/Skeleton";
import { Card } from "@/shared/ui/Surface";

/** All swaps and transfers, newest first. */
export function ActivityPage() {
  const { t } = useLingui();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(movementsQuery);
  const movements = data?.pages.flatMap((page) => page.movements);
  return (
    <div className="grid max-w-[760px] gap-5">
      <PageHeading title={t`Activity`} />
      {error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {movements?.length === 0 ? <NoActivity /> : null}
      {!movements && !error ? (
        <Card>
          <SkeletonRows rows={4} label={t`Loading your activity`} />
        </Card>
      ) : null}
      {movements?.length ? (
        <Card className="overflow-hidden">
          <ul aria-label={t`Movements`}>
            {movements.map((movement) => (
              <li key={movement.id} className="border-line not-first:border-t">
                <MovementRow movement={movement} />
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {hasNextPage ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t`Show older`}
        </Button>
      ) : null}
    </div>
  );
}

function NoActivity() {
  return (
    <Card className="grid justify-items-center gap-1 px-4 py-10 text-center">
      <b className="font-semibold">
        <Trans>Nothing yet</Trans>
      </b>
      <p className="text-muted">
        <Trans>Each swap and transfer shows here and is followed until it is final.</Trans>
      </p>
      <Link to="/receive" className="mt-3 text-accent underline">
        <Trans>Show my addresses</Trans>
      </Link>
    </Card>
  );
}
