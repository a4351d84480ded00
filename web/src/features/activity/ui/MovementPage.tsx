import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import {
  type Movement,
  movementQuery,
  StatePill,
  startedAt,
  titleOf,
  wayOf,
  whereIsTheMoney,
} from "@/features/movement";
import { hasCode } from "@/shared/api/problem";
import { formatStart, useNow } from "@/shared/lib/time";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { Icon } from "@/shared/ui/Icon";
import { PageHeading } from "@/shared/ui/PageHeading";
import { SkeletonRows } from "@/shared/ui/Skeleton";
import { FormCard, Notice } from "@/shared/ui/Surface";
import { MovementFacts } from "./MovementFacts";
import { ProgressRing } from "./ProgressRing";
import { Timeline } from "./Timeline";

/** One movement, followed until it is final. */
export function MovementPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: "/activity/$id" });
  const { data, error, refetch } = useQuery(movementQuery(id));
  return (
    <div className="mx-auto grid max-w-[480px] gap-3">
      <Link to="/activity" className="flex min-h-11 w-fit items-center gap-2 text-muted hover:text-text">
        <Icon name="back" size={18} />
        <Trans>All movements</Trans>
      </Link>
      {error && !data ? <MissingMovement error={error} onRetry={() => void refetch()} /> : null}
      {data ? <MovementCard movement={data} /> : null}
      {!data && !error ? (
        <FormCard>
          <PageHeading title={t`Activity`} />
          <SkeletonRows rows={4} label={t`Loading the movement`} />
        </FormCard>
      ) : null}
    </div>
  );
}

function MissingMovement({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useLingui();
  return (
    <FormCard className="grid gap-4">
      <PageHeading title={t`Activity`} />
      {hasCode(error, "movement_not_found") ? (
        <FailureNotice error={error} />
      ) : (
        <FailureNotice error={error} onRetry={onRetry} />
      )}
    </FormCard>
  );
}

function MovementCard({ movement }: { movement: Movement }) {
  const now = useNow(1000);
  const when = formatStart(startedAt(movement), now);
  return (
    <FormCard>
      <div className="mb-4 flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <PageHeading title={titleOf(movement)} />
          <p className="text-small text-muted">
            {wayOf(movement)} · <Trans>started {when}</Trans>
          </p>
        </div>
        <StatePill movement={movement} />
      </div>
      <ProgressRing movement={movement} now={now} />
      {movement.problem ? (
        <div className="mb-5">
          <Notice tone="bad" announce>
            {movement.problem.message}
          </Notice>
        </div>
      ) : null}
      <Timeline movement={movement} />
      <section className="rounded-input border border-line bg-bg px-4 py-3.5 text-small" aria-live="polite">
        <h2 className="inline font-semibold">
          <Trans>Where is the money?</Trans>
        </h2>{" "}
        <span className="[overflow-wrap:anywhere]">{whereIsTheMoney(movement)}</span>
      </section>
      <MovementFacts movement={movement} />
    </FormCard>
  );
}
