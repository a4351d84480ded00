import { Trans, useLingui } from "@lingui/react/macro";
import { isFinal, type Movement, progressOf, stagesOf, startedAt, stateWord } from "@/features/movement";
import { formatStopwatch } from "@/shared/lib/time";
import { Ring } from "@/shared/ui/Ring";

const finalColor: Partial<Record<Movement["state"], string>> = { done: "var(--ok)", failed: "var(--bad)" };

/** How far a movement is: done, under way and ahead as arcs, with the time it took so far. */
export function ProgressRing({ movement, now }: { movement: Movement; now: number }) {
  const { t } = useLingui();
  const final = isFinal(movement.state);
  const word = stateWord(movement.state);
  const start = startedAt(movement);
  const elapsed = (final ? movement.updatedAt : now) - start;
  const past = final ? 1 : progressOf(movement);
  const present = final ? 0 : 1 / Math.max(1, stagesOf(movement).length);
  const parts = [
    { color: finalColor[movement.state] ?? (final ? "var(--warn)" : "var(--ok)"), value: past },
    { color: "var(--accent)", value: present },
    { color: "var(--line)", value: Math.max(0, 1 - past - present) },
  ];
  return (
    <div className="grid place-items-center pt-2 pb-6">
      <div className="relative">
        <Ring size={140} width={14} parts={parts} label={t`Progress: ${word}`} />
        <div className="absolute inset-0 grid place-content-center text-center">
          <b className="text-large font-semibold">{formatStopwatch(elapsed)}</b>
          <span className="text-small text-muted">
            {final ? <Trans>in all</Trans> : <Trans>so far</Trans>}
          </span>
        </div>
      </div>
    </div>
  );
}
