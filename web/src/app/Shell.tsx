import { Trans, useLingui } from "@lingui/react/macro";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SessionBadge } from "@/features/session";
import { Icon, type IconName } from "@/shared/ui/Icon";
import { Logo } from "@/shared/ui/Ring";
import { LiveUpdates } from "./LiveUpdates";
import { OfflineBanner } from "./OfflineBanner";

interface Place {
  to: NonNullable<LinkProps["to"]>;
  icon: IconName;
  name: string;
}

function usePlaces(): Place[] {
  const { t } = useLingui();
  return [
    { to: "/", icon: "portfolio", name: t`Portfolio` },
    { to: "/swap", icon: "swap", name: t`Swap` },
    { to: "/send", icon: "send", name: t`Send` },
    { to: "/receive", icon: "receive", name: t`Receive` },
    { to: "/activity", icon: "activity", name: t`Activity` },
    { to: "/settings", icon: "settings", name: t`Settings` },
  ];
}

/** Navigation around the page: a side bar on wide screens, tabs and a top line on phones. */
export default function Shell({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-dvh desk:grid desk:grid-cols-[216px_minmax(0,1fr)]">
      <SkipLink />
      <Navigation />
      <main
        id="page"
        className="mx-auto w-full max-w-[1120px] px-4 pt-5 pb-28 desk:px-8 desk:pt-7 desk:pb-16"
      >
        <OfflineBanner />
        {children}
      </main>
      <LiveUpdates />
    </div>
  );
}

function SkipLink() {
  return (
    <a
      href="#page"
      className="sr-only focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:z-10 focus:rounded-button focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
    >
      <Trans>Skip to the page</Trans>
    </a>
  );
}

/**
 * One list of links for every width: beside the page on wide screens; on phones
 * five tabs at the bottom, while Settings stands in the top line.
 */
function Navigation() {
  const { t } = useLingui();
  const places = usePlaces();
  const settings = places.at(-1);
  return (
    <header className="flex items-center gap-1 px-4 pt-3 desk:sticky desk:top-0 desk:h-dvh desk:flex-col desk:items-stretch desk:gap-0 desk:border-r desk:border-line desk:px-3 desk:py-5">
      <div className="flex items-center gap-2.5 text-lead font-semibold desk:px-3 desk:pt-1 desk:pb-5">
        <Logo size={26} /> Tenfold
      </div>
      <nav aria-label={t`Main`} className="contents desk:block">
        <ul className="fixed inset-x-0 bottom-0 z-10 flex border-t border-line bg-surface px-1 pt-1.5 pb-[calc(6px+env(safe-area-inset-bottom))] desk:static desk:grid desk:gap-0.5 desk:border-0 desk:bg-transparent desk:p-0">
          {places.map((place) => (
            <li key={place.to} className={place === settings ? "hidden desk:block" : "flex-1"}>
              <PlaceLink place={place} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="ml-auto desk:mt-auto desk:ml-0">
        <SessionBadge />
      </div>
      {settings ? (
        <Link
          to={settings.to}
          aria-label={settings.name}
          className="-mr-2 grid size-11 place-items-center rounded-button text-muted desk:hidden"
          activeProps={{ className: "text-accent" }}
        >
          <Icon name={settings.icon} />
        </Link>
      ) : null}
    </header>
  );
}

function PlaceLink({ place }: { place: Place }) {
  return (
    <Link
      to={place.to}
      activeOptions={{ exact: place.to === "/" }}
      activeProps={{ className: "text-accent font-semibold desk:bg-accent-tint desk:text-text" }}
      inactiveProps={{ className: "text-muted font-medium desk:hover:text-text" }}
      className="grid min-h-11 min-w-11 justify-items-center gap-0.5 rounded-button py-1.5 text-[12px] desk:flex desk:items-center desk:gap-3 desk:px-3 desk:py-0 desk:text-body"
    >
      <Icon name={place.icon} />
      <span>{place.name}</span>
    </Link>
  );
}
