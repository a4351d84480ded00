import { useLingui } from "@lingui/react/macro";
import { connectionStore } from "@/shared/lib/connection";
import { useStore } from "@/shared/lib/store";
import { formatClock } from "@/shared/lib/time";
import { Notice } from "@/shared/ui/Surface";

/** Says that the server does not answer and how old the page's figures are. */
export function OfflineBanner() {
  const { t } = useLingui();
  const { reachable, lastAnswerAt } = useStore(connectionStore);
  if (reachable) return null;
  const since = lastAnswerAt ? formatClock(lastAnswerAt) : null;
  return (
    <div className="mb-5">
      <Notice tone="warn" title={t`Offline.`} announce>
        {since
          ? t`Tenfold's server does not answer. Showing what it said at ${since}.`
          : t`Tenfold's server does not answer.`}{" "}
        {t`Trying again by itself.`}
      </Notice>
    </div>
  );
}
