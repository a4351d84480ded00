import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Button } from "@/shared/ui/Button";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { Icon } from "@/shared/ui/Icon";
import { Logo } from "@/shared/ui/Ring";
import { createWallet, logIn, prepare } from "../actions";
import { configQuery } from "../api";

/** The first page: create a wallet, or log in to one. One gesture each. */
export function Welcome() {
  const { t } = useLingui();
  const config = useQuery(configQuery);
  const creation = useMutation({ mutationFn: createWallet });
  const login = useMutation({ mutationFn: logIn });
  useReadyFrame(config.isSuccess);
  const busy = creation.isPending || login.isPending;
  const error = creation.error ?? login.error ?? config.error;
  const start = (mutation: { mutate: () => void }) => {
    creation.reset();
    login.reset();
    mutation.mutate();
  };
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="grid w-full max-w-[400px] justify-items-center text-center">
        <Logo size={72} />
        <h1 className="mt-5 mb-2 text-large font-semibold tracking-tight">
          <Trans>One wallet, ten chains</Trans>
        </h1>
        <p className="text-muted">
          <Trans>Your keys, unlocked by your fingerprint or face. No seed phrase to write down.</Trans>
        </p>
        <div className="mt-6 grid w-full gap-2.5">
          <Button
            look="primary"
            wide
            busy={creation.isPending}
            disabled={busy}
            onClick={() => start(creation)}
          >
            {t`Create wallet`}
          </Button>
          <Button wide busy={login.isPending} disabled={busy} onClick={() => start(login)}>
            {login.isPending ? null : <Icon name="passkey" size={18} />}
            {t`Log in with passkey`}
          </Button>
        </div>
        <div className="mt-4 w-full text-left" aria-live="polite">
          {busy ? (
            <p className="text-center text-small text-muted">{t`Follow your device's passkey prompt.`}</p>
          ) : null}
          {error ? <FailureNotice error={error} /> : null}
        </div>
        {config.data?.network === "local" ? (
          <p className="mt-6 text-small text-muted">
            <Trans>Local network: every coin here is play money.</Trans>
          </p>
        ) : null}
      </div>
    </main>
  );
}

/** Loads the custody frame ahead of the press, so that the passkey prompt follows it at once. */
function useReadyFrame(configured: boolean): void {
  useEffect(() => {
    document.title = "Tenfold";
    // A failure here shows when the person presses a button, which tries again.
    if (configured) prepare().catch(() => undefined);
  }, [configured]);
}
