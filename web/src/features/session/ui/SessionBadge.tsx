import { useLingui } from "@lingui/react/macro";
import { defaultExpirationSeconds } from "@/custody/session";
import { Gauge } from "@/shared/ui/Ring";
import { useSessionLeft } from "../clock";

/** How long the session lasts, as a ring and in words. */
export function SessionBadge() {
  const { t } = useLingui();
  const left = useSessionLeft();
  if (!left) return null;
  const { minutes, milliseconds } = left;
  return (
    <p className="flex items-center gap-2 px-3 py-2 text-small text-muted">
      <Gauge size={16} width={4} filled={milliseconds / (defaultExpirationSeconds * 1000)} />
      <span className="desk:hidden">{t`${minutes} min`}</span>
      <span className="hidden desk:inline">{t`Signed in, ${minutes} min left`}</span>
    </p>
  );
}
