import { Trans } from "@lingui/react/macro";
import { Component, type ReactNode } from "react";
import { Button } from "@/shared/ui/Button";

interface Props {
  children: ReactNode;
}

/** The last net: a fault in the page itself ends here, in words and with a way on. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <PageFault onRetry={() => window.location.reload()} /> : this.props.children;
  }
}

/** Says that the page failed, and that the money is not touched by it. */
export function PageFault({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="mx-auto grid max-w-[400px] gap-3 p-6 pt-24 text-center" role="alert">
      <h1 className="text-title font-semibold">
        <Trans>This page stopped working</Trans>
      </h1>
      <p className="text-muted">
        <Trans>Your money is where it was. What you had already confirmed goes on without this page.</Trans>
      </p>
      <Button look="primary" onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    </main>
  );
}
