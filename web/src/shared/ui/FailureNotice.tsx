import { Trans, useLingui } from "@lingui/react/macro";
import { describeFailure } from "@/shared/errors/describe";
import { Button } from "./Button";
import { Notice } from "./Surface";

interface FailureNoticeProps {
  error: unknown;
  /** Offers "Try again". */
  onRetry?: () => void;
}

/** A failure in the page: what happened, where the money is, and the way on. */
export function FailureNotice({ error, onRetry }: FailureNoticeProps) {
  const { t } = useLingui();
  const failure = describeFailure(error);
  return (
    <Notice
      tone="bad"
      announce
      action={
        onRetry ? (
          <Button small className="border-current" onClick={onRetry}>
            {t`Try again`}
          </Button>
        ) : null
      }
    >
      {failure.message} {failure.fundsWhere}
      {failure.details ? (
        <details className="mt-1 text-small">
          <summary>
            <Trans>Details</Trans>
          </summary>
          {failure.details}
        </details>
      ) : null}
    </Notice>
  );
}
