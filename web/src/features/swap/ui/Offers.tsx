import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { Asset } from "@/shared/chains";
import { useNow } from "@/shared/lib/time";
import { Amount, Usd } from "@/shared/ui/Money";
import { Gauge } from "@/shared/ui/Ring";
import { Pill } from "@/shared/ui/Surface";
import type { Quote } from "../api";
import { venueName } from "./venue";

interface OffersProps {
  offers: Quote[];
  asset: Asset;
  asking: boolean;
  failed: boolean;
}

/** The venues' offers, best first, with their age and cost. */
export function Offers({ offers, asset, asking, failed }: OffersProps) {
  const best = offers[0];
  if (!best) {
    return asking && !failed ? (
      <p role="status" className="mt-4 text-small text-muted">
        <Trans>Asking the venues…</Trans>
      </p>
    ) : null;
  }
  return (
    <section className="mt-4">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold text-muted">
          <Plural value={offers.length} one="# offer" other="# offers" />
        </h2>
        <Age offer={best} />
      </div>
      <ul className="mt-2 grid gap-2">
        {offers.map((offer) => (
          <OfferRow key={offer.id} offer={offer} asset={asset} best={offer === best} />
        ))}
      </ul>
    </section>
  );
}

function Age({ offer }: { offer: Quote }) {
  const { t } = useLingui();
  const now = useNow();
  const life = offer.expiresAt - offer.createdAt;
  const left = Math.min(life, Math.max(0, offer.expiresAt - now));
  const seconds = Math.ceil(left / 1000);
  return (
    <span className="flex items-center gap-1.5 text-small text-muted">
      <Gauge size={14} width={3} filled={left / life} label={t`Age of the offer`} />
      <Trans>ends in {seconds} s</Trans>
    </span>
  );
}

function OfferRow({ offer, asset, best }: { offer: Quote; asset: Asset; best: boolean }) {
  return (
    <li
      className={`grid grid-cols-[1fr_auto] gap-x-3 rounded-input border px-3.5 py-3 ${best ? "border-accent" : "border-line"}`}
    >
      <b className="font-semibold">{venueName(offer.venue)}</b>
      <b className="text-right font-semibold">
        <Amount amount={offer.amountOut} {...asset} />
      </b>
      <span className="text-small text-muted">
        <Trans>
          about {offer.timeSeconds}&nbsp;s · fees <Usd value={offer.feesUsd} />
        </Trans>
      </span>
      <span className="text-right">
        {best ? (
          <Pill tone="ok">
            <Trans>Best</Trans>
          </Pill>
        ) : null}
      </span>
    </li>
  );
}
