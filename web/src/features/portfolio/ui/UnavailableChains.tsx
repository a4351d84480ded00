import { useLingui } from "@lingui/react/macro";
import { chainName } from "@/shared/chains";
import { Notice } from "@/shared/ui/Surface";
import type { Portfolio } from "../api";
import { unavailableChains } from "../model";

/** Says which chains could not be read; the total does not count on them being fresh. */
export function UnavailableChains({ portfolio }: { portfolio: Portfolio }) {
  const { t } = useLingui();
  const missing = unavailableChains(portfolio);
  if (missing.length === 0) return null;
  const names = new Intl.ListFormat("en").format(missing.map(({ chainId }) => chainName(chainId)));
  return (
    <Notice tone="warn" title={t`${names} can't be reached now.`}>
      {t`Balances there may be missing or old. Your money is safe; the others are up to date.`}
    </Notice>
  );
}
