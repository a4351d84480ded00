import { useLingui } from "@lingui/react/macro";
import type { Movement } from "@/features/movement";
import { chainName } from "@/shared/chains";
import { ShortAddress } from "@/shared/ui/AddressText";
import { Icon } from "@/shared/ui/Icon";

/** The transactions behind a stage, each with its page on the chain's explorer. */
export function StepLinks({ movement, state }: { movement: Movement; state: Movement["state"] }) {
  if (state === "sent") {
    return movement.steps.map((step) =>
      step.hash === null ? null : (
        <TransactionLink key={step.index} chainId={step.chainId} hash={step.hash} url={step.explorerUrl} />
      ),
    );
  }
  const settled = state === "done" || state === "refunded";
  if (!settled || movement.deliveryHash === null) return null;
  return (
    <TransactionLink
      chainId={movement.refund?.chainId ?? movement.to.chainId}
      hash={movement.deliveryHash}
      url={movement.deliveryExplorerUrl}
    />
  );
}

function TransactionLink({ chainId, hash, url }: { chainId: number; hash: string; url: string | null }) {
  const { t } = useLingui();
  const chain = chainName(chainId);
  if (url === null) {
    return (
      <div className="text-muted">
        <ShortAddress address={hash} />
      </div>
    );
  }
  return (
    <div>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={t`Transaction on ${chain}'s explorer`}
        className="inline-flex items-center gap-1.5 text-muted hover:text-accent"
      >
        <ShortAddress address={hash} />
        <Icon name="external" size={14} />
      </a>
    </div>
  );
}
