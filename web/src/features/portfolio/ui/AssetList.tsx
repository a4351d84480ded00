import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { chainName } from "@/shared/chains";
import { formatUsd } from "@/shared/lib/money";
import { AssetIcon } from "@/shared/ui/AssetIcon";
import { Amount, Usd } from "@/shared/ui/Money";
import { Card } from "@/shared/ui/Surface";
import type { Portfolio, PortfolioAsset } from "../api";
import { heldAssets } from "../model";

/** The assets that the person has some of. */
export function AssetList({ portfolio }: { portfolio: Portfolio }) {
  const { t } = useLingui();
  const held = heldAssets(portfolio);
  if (held.length === 0) return <EmptyPortfolio />;
  return (
    <Card>
      <ul aria-label={t`Assets`}>
        {held.map((asset) => (
          <AssetRow key={`${asset.chainId}:${asset.address}`} asset={asset} />
        ))}
      </ul>
    </Card>
  );
}

function AssetRow({ asset }: { asset: PortfolioAsset }) {
  return (
    <li className="flex min-h-[66px] items-center gap-4 border-line px-4 py-3 not-first:border-t">
      <AssetIcon chainId={asset.chainId} address={asset.address} />
      <div className="min-w-0 flex-1">
        <b className="font-semibold">{asset.symbol}</b>{" "}
        <span className="text-small text-muted">
          <Trans>on {chainName(asset.chainId)}</Trans>
        </span>
        <div className="truncate text-small text-muted">
          {asset.name}
          {asset.priceUsd === null ? null : ` · ${formatUsd(asset.priceUsd)}`}
        </div>
      </div>
      <div className="min-w-0 text-right">
        <b className="font-semibold">
          <Usd value={asset.valueUsd} />
        </b>
        <div className="text-small text-muted">
          <Amount amount={asset.amount} decimals={asset.decimals} symbol={asset.symbol} />
        </div>
      </div>
    </li>
  );
}

function EmptyPortfolio() {
  return (
    <Card className="grid justify-items-center gap-1 px-4 py-10 text-center">
      <b className="font-semibold">
        <Trans>No assets yet</Trans>
      </b>
      <p className="text-muted">
        <Trans>What you receive on any of the ten chains shows here.</Trans>
      </p>
      <Link to="/receive" className="mt-3 text-accent underline">
        <Trans>Show my addresses</Trans>
      </Link>
    </Card>
  );
}
