import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { logIn, logOut } from "../actions";

/** Asks for the passkey again over the page, which keeps everything that was typed. */
export function SessionDialog() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const login = useMutation({ mutationFn: logIn, onSuccess: () => queryClient.invalidateQueries() });
  const leave = useMutation({ mutationFn: logOut });
  return (
    <Dialog title={t`Your session has ended`}>
      <p className="mt-1 mb-5 text-muted">
        <Trans>What you typed is kept. Log in to go on.</Trans>
      </p>
      <div className="grid gap-2.5">
        {login.error ? <FailureNotice error={login.error} /> : null}
        <Button look="primary" wide busy={login.isPending} onClick={() => login.mutate()}>
          {t`Log in with passkey`}
        </Button>
        <Button look="quiet" wide disabled={login.isPending} onClick={() => leave.mutate()}>
          {t`Log out`}
        </Button>
      </div>
    </Dialog>
  );
}
