import { useLingui } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { configQuery, newWalletStore } from "@/features/session";
import { useStore } from "@/shared/lib/store";
import { Button, Spinner } from "@/shared/ui/Button";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { Icon } from "@/shared/ui/Icon";
import { notify } from "@/shared/ui/toasts";
import { claimFaucet, type Portfolio, portfolioKeys } from "../api";

/** Starting funds on the local network: by itself for a new wallet, by a button later. */
export function FaucetPanel({ portfolio }: { portfolio: Portfolio | undefined }) {
  const { t } = useLingui();
  const { data: config } = useQuery(configQuery);
  const claim = useClaim();
  useFirstClaim(config?.faucet === true, claim.mutate);
  if (!config?.faucet || !portfolio) return null;
  return (
    <div className="mb-5 grid gap-2">
      <div className="flex min-h-11 flex-wrap items-center gap-3 rounded-input bg-accent-tint px-4 py-1.5 text-small text-accent">
        {claim.isPending ? <Spinner /> : <Icon name="faucet" size={18} />}
        <span role="status" className="flex-1">
          {claim.isPending
            ? t`Getting test funds on every chain…`
            : t`Local network: every coin here is play money.`}
        </span>
        <Button small className="border-current" disabled={claim.isPending} onClick={() => claim.mutate()}>
          {t`Get test funds`}
        </Button>
      </div>
      {claim.error ? <FailureNotice error={claim.error} onRetry={() => claim.mutate()} /> : null}
    </div>
  );
}

function useClaim() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ["faucet-claim"],
    mutationFn: () => claimFaucet(crypto.randomUUID()),
    onSuccess: async ({ transactions }) => {
      await queryClient.invalidateQueries({ queryKey: portfolioKeys.all });
      const given = transactions.length > 0;
      notify("faucet", "ok", given ? t`Test funds have arrived.` : t`You have all your test funds already.`);
    },
  });
}

/** A wallet created just now asks for its funds by itself, once. */
function useFirstClaim(available: boolean, claim: () => void): void {
  const isNew = useStore(newWalletStore);
  useEffect(() => {
    if (!available || !isNew) return;
    newWalletStore.set(false);
    claim();
  }, [available, isNew, claim]);
}
