import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { type Movement, totalFees } from "@/features/movement";
import { findAsset } from "@/shared/chains";
import { AddressText } from "@/shared/ui/AddressText";
import { Amount } from "@/shared/ui/Money";

/** The amounts: what left, what arrived, what it cost, read from the chains. */
export function MovementFacts({ movement }: { movement: Movement }) {
  const { from, to } = movement;
  return (
    <dl className="mt-4 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-2 border-t border-line pt-4 text-small">
      <Fact name={<Trans>Leaves</Trans>}>
        <Amount amount={from.amount} decimals={from.decimals} symbol={from.symbol} />
      </Fact>
      <Outcome movement={movement} />
      {movement.feesPaid.length > 0 ? (
        <Fact name={<Trans>Network fees</Trans>}>
          {totalFees(movement.feesPaid).map((fee) => (
            <div key={`${fee.chainId}:${fee.asset}`}>
              <FeeAmount chainId={fee.chainId} asset={fee.asset} amount={fee.amount} />
            </div>
          ))}
        </Fact>
      ) : null}
      <Fact name={<Trans>To</Trans>}>
        <AddressText address={to.recipient} />
      </Fact>
    </dl>
  );
}

/** What arrived, or came back; before that, the least that will arrive. */
function Outcome({ movement: { from, to, refund } }: { movement: Movement }) {
  if (refund) {
    return (
      <Fact name={<Trans>Came back</Trans>}>
        <Amount amount={refund.amount} decimals={refund.decimals} symbol={refund.symbol} />
      </Fact>
    );
  }
  return (
    <Fact name={to.amount === null ? <Trans>Arrives, at least</Trans> : <Trans>Arrived</Trans>}>
      <Amount amount={to.amount ?? to.minimum ?? from.amount} decimals={to.decimals} symbol={to.symbol} />
    </Fact>
  );
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

function FeeAmount({ chainId, asset, amount }: { chainId: number; asset: string; amount: string }) {
  const known = findAsset(chainId, asset);
  if (!known) return null;
  return <Amount amount={amount} decimals={known.decimals} symbol={known.symbol} />;
}
