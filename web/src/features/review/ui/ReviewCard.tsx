import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { signWithSession } from "@/features/session";
import { hasCode } from "@/shared/api/problem";
import { type Asset, findAsset } from "@/shared/chains";
import { describeFailure } from "@/shared/errors/describe";
import { formatUnits } from "@/shared/lib/money";
import { useNow } from "@/shared/lib/time";
import { Button } from "@/shared/ui/Button";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { PageHeading } from "@/shared/ui/PageHeading";
import { Skeleton } from "@/shared/ui/Skeleton";
import { FormCard, Notice } from "@/shared/ui/Surface";
import { notify } from "@/shared/ui/toasts";
import type { Intent } from "../agreement";
import { confirmMovement, type Movement, unanswered } from "../api";
import type { Examination } from "../examine";
import { AmountBlock, type FactRow, Facts } from "./Facts";

interface ReviewCardProps {
  movement: Movement;
  /** What the person asked for on the form. */
  intent: Intent;
  /** Dollar values of what leaves and of what arrives, where known. */
  leavesUsd: string | null;
  arrivesUsd?: string | null;
  /** Rows that only a swap has: route and costs. */
  rows?: FactRow[];
  onBack: () => void;
}

/**
 * The last look before a signature. Everything about money is read from the
 * bytes to be signed; any disagreement with the form stops here.
 */
export function ReviewCard(props: ReviewCardProps) {
  const { movement, intent } = props;
  const { t } = useLingui();
  const title = intent.kind === "swap" ? t`Review swap` : t`Review payment`;
  const examination = useQuery({
    queryKey: ["review", movement.id],
    // Loaded when it is needed, because the decoders of all chains are heavy.
    queryFn: async () => (await import("../examine")).examine(movement, intent),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <FormCard>
      <PageHeading title={title} />
      <p className="mt-1 mb-4 text-small text-muted">
        <Trans>Read from the transaction itself, just before you sign it.</Trans>
      </p>
      {examination.data ? <Examined {...props} examination={examination.data} /> : null}
      {examination.isPending ? <Skeleton width="100%" height={320} /> : null}
      {examination.isError ? (
        <FailureNotice error={examination.error} onRetry={() => examination.refetch()} />
      ) : null}
    </FormCard>
  );
}

function Examined({ examination, ...props }: ReviewCardProps & { examination: Examination }) {
  const { movement, intent } = props;
  const now = useNow();
  const asset = findAsset(intent.chainId, intent.asset);
  const assetOut = findAsset(intent.toChainId, intent.toAsset);
  if (!asset || !assetOut) return null;
  if (examination.complaints.length > 0)
    return <Disagreement complaints={examination.complaints} onBack={props.onBack} />;
  const endsIn = movement.expiresAt === null ? 0 : movement.expiresAt - now;
  return (
    <>
      <div className="grid gap-2.5">
        <AmountBlock
          name={<Trans>Leaves your wallet</Trans>}
          asset={asset}
          amount={intent.amount}
          usd={props.leavesUsd}
        />
        {intent.kind === "swap" ? (
          <AmountBlock
            name={<Trans>Arrives, at least</Trans>}
            asset={assetOut}
            amount={intent.minimumOut}
            usd={props.arrivesUsd ?? null}
          />
        ) : null}
      </div>
      <Facts
        intent={intent}
        movement={movement}
        maximumFee={examination.maximumFee}
        rows={props.rows ?? []}
        endsIn={endsIn}
      />
      <Confirmation {...props} asset={asset} expired={endsIn <= 0} />
    </>
  );
}

function Confirmation(props: ReviewCardProps & { asset: Asset; expired: boolean }) {
  const { movement, intent, asset, expired, onBack } = props;
  const { t } = useLingui();
  const amount = `${formatUnits(intent.amount, asset.decimals)} ${asset.symbol}`;
  const { confirm, inDoubt } = useConfirm(movement, intent, amount);
  // Signatures that may have arrived outlive the review: only the server can say that it is over.
  const over = hasCode(confirm.error, "movement_expired", "quote_expired") || (expired && !inDoubt);
  if (over && !confirm.isPending && !confirm.isSuccess) return <RunOut onBack={onBack} />;
  return (
    <div className="mt-2 grid gap-2.5">
      {confirm.isError && !hasCode(confirm.error, "session_expired") ? (
        <FailureNotice error={confirm.error} />
      ) : null}
      {inDoubt && confirm.isError ? (
        <Notice tone="warn">
          <Trans>
            It may be under way already. Press again to make sure: it can't be paid twice. Activity shows it
            once the server answers.
          </Trans>
        </Notice>
      ) : null}
      <Button
        look="primary"
        wide
        busy={confirm.isPending || confirm.isSuccess}
        onClick={() => confirm.mutate()}
      >
        {intent.kind === "swap" ? t`Swap ${amount}` : t`Send ${amount}`}
      </Button>
      <Button look="quiet" wide disabled={confirm.isPending || inDoubt} onClick={onBack}>
        {t`Back`}
      </Button>
    </div>
  );
}

function RunOut({ onBack }: { onBack: () => void }) {
  const { t } = useLingui();
  return (
    <div className="mt-2 grid gap-2.5">
      <Notice tone="info" announce>
        <Trans>This review has run out. Nothing was sent and nothing has left your wallet.</Trans>
      </Notice>
      <Button look="primary" wide onClick={onBack}>
        {t`Back to the form`}
      </Button>
    </div>
  );
}

/**
 * Signs every step with the read-write session and hands the signatures over, at
 * most once: another try brings the same signatures under the same key. It is in
 * doubt from a silence on until the server has said what became of them.
 */
function useConfirm(movement: Movement, intent: Intent, amount: string) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  const [inDoubt, setInDoubt] = useState(false);
  const signed = useRef<Signatures | null>(null);
  const confirm = useMutation({
    mutationFn: async () => {
      signed.current ??= await signSteps(movement);
      return confirmMovement(movement.id, signed.current, key);
    },
    onSuccess: async (confirmed) => {
      notify(confirmed.id, "info", intent.kind === "swap" ? t`Swapping ${amount}` : t`Sending ${amount}`);
      void queries.invalidateQueries({ queryKey: ["movements"] });
      await navigate({ to: "/activity/$id", params: { id: confirmed.id } });
    },
    onError: (error) => {
      if (hasCode(error, unanswered)) setInDoubt(true);
      notify(movement.id, "bad", describeFailure(error).message);
    },
  });
  return { confirm, inDoubt };
}

type Signatures = Parameters<typeof confirmMovement>[1];

async function signSteps(movement: Movement): Promise<Signatures> {
  const signatures: Signatures = [];
  for (const { index, signWith, transactionType: type, unsignedTransaction } of movement.steps) {
    const signedTransaction = await signWithSession({ signWith, type, unsignedTransaction });
    signatures.push({ step: index, signedTransaction });
  }
  return signatures;
}

function Disagreement({ complaints, onBack }: { complaints: string[]; onBack: () => void }) {
  const { t } = useLingui();
  return (
    <div className="grid gap-2.5">
      <Notice tone="bad" announce title={t`Missing required data, aborting swap`}>
        <Trans>
          What was prepared is not what you asked for. Nothing was signed and nothing has left your wallet.
        </Trans>
        <ul className="mt-2 list-disc pl-5">
          {complaints.map((complaint) => (
            <li key={complaint}>{complaint}</li>
          ))}
        </ul>
      </Notice>
      <Button wide onClick={onBack}>
        {t`Back`}
      </Button>
    </div>
  );
}
