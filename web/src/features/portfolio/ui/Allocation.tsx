import { Trans, useLingui } from "@lingui/react/macro";
import { chainColor, chainName, chains } from "@/shared/chains";
import { Ring } from "@/shared/ui/Ring";
import { Card } from "@/shared/ui/Surface";
import type { Portfolio } from "../api";
import { allocation, formatShare } from "../model";

const named = 4;

/** How the value is spread over the chains: a ring, and the same in words. */
export function Allocation({ portfolio }: { portfolio: Portfolio }) {
  const { t } = useLingui();
  const shares = allocation(portfolio);
  if (shares.length === 0) return null;
  const used = shares.length;
  const all = chains.length;
  const rest = shares.slice(named);
  return (
    <Card className="grid justify-items-center gap-4 p-5">
      <h2 className="sr-only">
        <Trans>Allocation by chain</Trans>
      </h2>
      <div className="relative">
        <Ring
          size={176}
          width={22}
          label={t`Allocation by chain`}
          parts={shares.map(({ chainId, perMille }) => ({
            color: chainColor(chainId),
            value: Math.max(perMille, 6),
          }))}
        />
        <div className="absolute inset-0 grid place-content-center text-center">
          <b className="font-semibold">
            <Trans>
              {used} of {all}
            </Trans>
          </b>
          <span className="text-small text-muted">
            <Trans>chains in use</Trans>
          </span>
        </div>
      </div>
      <dl className="grid w-full grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-small">
        {shares.slice(0, named).map((share) => (
          <ShareLine key={share.chainId} chainId={share.chainId} perMille={share.perMille} />
        ))}
        {rest.length > 0 ? (
          <RestLine count={rest.length} perMille={rest.reduce((sum, s) => sum + s.perMille, 0)} />
        ) : null}
      </dl>
    </Card>
  );
}

function ShareLine({ chainId, perMille }: { chainId: number; perMille: number }) {
  return (
    <>
      <dt className="flex items-center gap-2">
        <span
          aria-hidden="true"
          className="size-2.5 rounded-[3px]"
          style={{ background: chainColor(chainId) }}
        />
        {chainName(chainId)}
      </dt>
      <dd className="text-right font-semibold">{formatShare(perMille)}</dd>
    </>
  );
}

function RestLine({ count, perMille }: { count: number; perMille: number }) {
  return (
    <>
      <dt className="pl-4.5 text-muted">
        <Trans>{count} more</Trans>
      </dt>
      <dd className="text-right font-semibold text-muted">{formatShare(perMille)}</dd>
    </>
  );
}
