import { useLingui } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { Button } from "./Button";
import { Icon } from "./Icon";

/** Copies a text and says so, on the button and aloud. `name` tells several apart. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const { t } = useLingui();
  const [outcome, setOutcome] = useState<"idle" | "copied" | "refused">("idle");
  useBackToIdle(outcome !== "idle", () => setOutcome("idle"));
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    );
  const said = { idle: t`Copy`, copied: t`Copied`, refused: t`Select and copy it` }[outcome];
  return (
    <>
      <Button onClick={copy} aria-label={t`Copy ${name}`}>
        <Icon name={outcome === "copied" ? "check" : "copy"} size={18} />
        {said}
      </Button>
      <span role="status" className="sr-only">
        {outcome === "copied" ? t`${name} copied` : ""}
      </span>
    </>
  );
}

function useBackToIdle(active: boolean, back: () => void) {
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(back, 2000);
    return () => clearTimeout(timer);
  });
}
