import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { accountsQuery } from "@/features/account";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { PageHeading } from "@/shared/ui/PageHeading";
import { Skeleton } from "@/shared/ui/Skeleton";
import { Card, Notice } from "@/shared/ui/Surface";
import { AccountCard } from "./AccountCard";

/** Each address in full, as QR and text, with the networks it is good for. */
export function ReceivePage() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(accountsQuery);
  return (
    <div className="grid gap-5">
      <div>
        <PageHeading title={t`Receive`} />
        <p className="mt-1 max-w-[62ch] text-muted">
          <Trans>
            Give an address to whoever pays you. One is good for nine chains, the other for Solana.
          </Trans>
        </p>
      </div>
      {error && !data ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Notice tone="warn">{t`This wallet has no address yet.`}</Notice> : null}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        {data?.map((account) => (
          <AccountCard key={account.address} account={account} />
        ))}
        {!data && !error ? [1, 2].map((key) => <LoadingAccount key={key} />) : null}
      </div>
    </div>
  );
}

function LoadingAccount() {
  const { t } = useLingui();
  return (
    <Card className="grid justify-items-center gap-4 p-5">
      <span role="status" aria-label={t`Loading your addresses`} className="contents">
        <Skeleton width={220} height={220} />
        <Skeleton width={300} height={20} />
        <Skeleton width={110} height={44} />
      </span>
    </Card>
  );
}
