import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { type Asset, chainName, findChain } from "@/shared/chains";
import { formatExact } from "@/shared/lib/money";
import { formatStopwatch } from "@/shared/lib/time";
import { AddressText } from "@/shared/ui/AddressText";
import { AssetIcon } from "@/shared/ui/AssetIcon";
import { Icon } from "@/shared/ui/Icon";
import { Amount, Usd } from "@/shared/ui/Money";
import type { Intent } from "../agreement";
import type { Movement } from "../api";

/** One line of the review: a name and what it is. */
export interface FactRow {
  name: ReactNode;
  value: ReactNode;
}

/** One of the two amounts that a review is about, exact to the base unit. */
export function AmountBlock({
  name,
  asset,
  amount,
  usd,
}: {
  name: ReactNode;
  asset: Asset;
  amount: bigint;
  usd: string | null;
}) {
  return (
    <div className="rounded-input border border-line bg-bg px-4 py-3.5">
      <div className="text-small text-muted">{name}</div>
      <div className="mt-1.5 flex items-center gap-3">
        <AssetIcon chainId={asset.chainId} address={asset.address} />
        <div className="min-w-0 flex-1">
          <div className="text-title font-semibold [overflow-wrap:anywhere]">
            {formatExact(amount, asset.decimals)} {asset.symbol}
          </div>
          <div className="text-small text-muted">{chainName(asset.chainId)}</div>
        </div>
        <span className="text-muted">
          <Usd value={usd} />
        </span>
      </div>
    </div>
  );
}

interface FactsProps {
  intent: Intent;
  movement: Movement;
  /** Native base units, from the bytes. */
  maximumFee: bigint;
  rows: FactRow[];
  /** Milliseconds. */
  endsIn: number;
}

/** To whom, at what cost, checked how, and until when. */
export function Facts({ intent, movement, maximumFee, rows, endsIn }: FactsProps) {
  const chain = findChain(intent.chainId);
  const rent = BigInt(movement.maximumFee.rent);
  return (
    <dl className="mt-3.5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-2 border-t border-line py-3.5">
      <dt className="col-span-2 text-muted">
        <Trans>To</Trans> <span className="float-right">{recipientNote(intent)}</span>
      </dt>
      <dd className="col-span-2 -mt-1.5">
        <AddressText address={intent.recipient} />
      </dd>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one review never move
        <Row key={index} name={row.name}>
          {row.value}
        </Row>
      ))}
      {chain ? (
        <Row name={<Trans>Network fee</Trans>}>
          <Trans>
            at most <Amount amount={maximumFee} {...chain.nativeCurrency} />
          </Trans>
        </Row>
      ) : null}
      {chain && rent > 0n ? (
        <Row name={<Trans>Account deposit</Trans>}>
          <Amount amount={rent} {...chain.nativeCurrency} />
          <div className="text-small text-muted">
            <Trans>Solana keeps it in the new token account.</Trans>
          </div>
        </Row>
      ) : null}
      <Row name={<Trans>Simulated</Trans>}>
        {movement.simulated === "matches" ? (
          <span className="inline-flex items-center gap-1 text-ok">
            <Icon name="check" size={16} />
            {intent.kind === "swap" ? (
              <Trans>matches the offer</Trans>
            ) : (
              <Trans>matches what you asked</Trans>
            )}
          </span>
        ) : (
          <Trans>this network can't simulate</Trans>
        )}
      </Row>
      <Row name={intent.kind === "swap" ? <Trans>Offer ends</Trans> : <Trans>Review ends</Trans>}>
        {endsIn <= 0 ? <Trans>now</Trans> : <Trans>in {formatStopwatch(endsIn)}</Trans>}
      </Row>
    </dl>
  );
}

function recipientNote(intent: Intent) {
  const chain = chainName(intent.toChainId);
  return intent.kind === "swap" ? <Trans>your {chain} account</Trans> : <Trans>on {chain}</Trans>;
}

function Row({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
