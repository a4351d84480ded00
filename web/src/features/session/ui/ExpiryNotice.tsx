import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { Button } from "@/shared/ui/Button";
import { FailureNotice } from "@/shared/ui/FailureNotice";
import { Notice } from "@/shared/ui/Surface";
import { extendSession } from "../actions";
import { useSessionLeft } from "../clock";

/** Near the end of a session: how long it lasts, and the way to stay. */
export function ExpiryNotice() {
  const { t } = useLingui();
  const left = useSessionLeft();
  const extension = useMutation({ mutationFn: extendSession });
  if (!left?.endsSoon) return null;
  const minutes = left.minutes;
  const text = t`Your session ends in ${plural(minutes, { one: "# minute", other: "# minutes" })}.`;
  return (
    <div className="fixed inset-x-4 bottom-24 z-20 mx-auto grid max-w-[480px] gap-2 desk:bottom-6">
      {extension.error ? <FailureNotice error={extension.error} /> : null}
      <Notice
        tone="warn"
        announce={left.endsNow}
        action={
          <Button
            small
            className="border-current"
            busy={extension.isPending}
            onClick={() => extension.mutate()}
          >
            {t`Stay signed in`}
          </Button>
        }
      >
        {text}
      </Notice>
    </div>
  );
}
