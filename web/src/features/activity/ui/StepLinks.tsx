import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type Movement, stepWord } from "@/features/movement";
import { configQuery } from "@/features/session";
import { chainName } from "@/shared/chains";
import { ShortAddress } from "@/shared/ui/AddressText";
import { Icon } from "@/shared/ui/Icon";

/** The transactions behind a stage, each with its page on the chain's explorer. */
export function StepLinks({ movement, state }: { movement: Movement; state: Movement["state"] }) {
  if (state === "sent") {
    return movement.steps.map((step) =>
      step.hash === null ? null : (
        <TransactionLink
          key={step.index}
          chainId={step.chainId}
          hash={step.hash}
          url={step.explorerUrl}
          {...(movement.steps.length > 1 ? { name: stepWord(step.kind) } : {})}
        />
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

interface TransactionLinkProps {
  chainId: number;
  hash: string;
  url: string | null;
  /** What the transaction does, when there are several. */
  name?: string;
}

function TransactionLink({ chainId, hash, url, name }: TransactionLinkProps) {
  const { t } = useLingui();
  const { data: config } = useQuery(configQuery);
  // A public explorer knows nothing of what happened on this machine's chains.
  const explored = url !== null && config?.network === "mainnet";
  const chain = chainName(chainId);
  const label = name ? t`${name} on ${chain}'s explorer` : t`Transaction on ${chain}'s explorer`;
  return (
    <div className="text-small text-muted">
      {name ? `${name} ` : null}
      {!explored ? (
        <ShortAddress address={hash} />
      ) : (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={label}
          className="inline-flex items-center gap-1.5 hover:text-accent"
        >
          <ShortAddress address={hash} />
          <Icon name="external" size={14} />
        </a>
      )}
    </div>
  );
}
