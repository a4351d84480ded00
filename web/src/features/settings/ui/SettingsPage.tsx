import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { configQuery, LogOutButton, sessions } from "@/features/session";
import { useStore } from "@/shared/lib/store";
import { formatClock } from "@/shared/lib/time";
import { PageHeading } from "@/shared/ui/PageHeading";
import { Card } from "@/shared/ui/Surface";
import { ThemeChooser } from "./ThemeChooser";

/** The look of the page, who is logged in, and the way out. */
export function SettingsPage() {
  const { t } = useLingui();
  return (
    <div className="grid max-w-[640px] gap-5">
      <PageHeading title={t`Settings`} />
      <Section title={<Trans>Appearance</Trans>}>
        <ThemeChooser />
      </Section>
      <Section title={<Trans>Session</Trans>}>
        <SessionFacts />
        <LogOutButton />
      </Section>
      <Section title={<Trans>About</Trans>}>
        <About />
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Card className="grid justify-items-start gap-4 p-5">
      <h2 className="text-lead font-semibold">{title}</h2>
      {children}
    </Card>
  );
}

function SessionFacts() {
  const session = useStore(sessions);
  if (!session) return null;
  return (
    <Facts>
      <Fact name={<Trans>Organization</Trans>} value={session.organizationId} mono />
      <Fact name={<Trans>User</Trans>} value={session.userId} mono />
      <Fact name={<Trans>Signed in until</Trans>} value={formatClock(session.expiry)} />
    </Facts>
  );
}

function About() {
  const { t } = useLingui();
  const { data } = useQuery(configQuery);
  if (!data) return null;
  return (
    <Facts>
      <Fact
        name={<Trans>Network</Trans>}
        value={data.network === "local" ? t`Local (play money)` : t`Mainnet`}
      />
      <Fact name={<Trans>Version</Trans>} value={data.version} />
    </Facts>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid w-full gap-x-4 desk:gap-y-2 desk:grid-cols-[140px_minmax(0,1fr)]">{children}</dl>
  );
}

function Fact({ name, value, mono }: { name: ReactNode; value: string; mono?: boolean }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className={`mb-3 [overflow-wrap:anywhere] desk:mb-0 ${mono ? "font-mono text-small" : ""}`}>
        {value}
      </dd>
    </>
  );
}
