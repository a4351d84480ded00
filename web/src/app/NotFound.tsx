import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { PageHeading } from "@/shared/ui/PageHeading";

/** For addresses that name no page. */
export function NotFound() {
  const { t } = useLingui();
  return (
    <div className="grid gap-2">
      <PageHeading title={t`There is no such page`} />
      <p>
        <Link to="/" className="text-accent underline">
          <Trans>Go to the first page</Trans>
        </Link>
      </p>
    </div>
  );
}
