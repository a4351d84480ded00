import { type Movement, type Stage, stagesOf, stageText, stateWord } from "@/features/movement";
import { formatClock } from "@/shared/lib/time";
import { Icon } from "@/shared/ui/Icon";
import { StepLinks } from "./StepLinks";

const dots: Record<Stage["phase"], string> = {
  past: "bg-ok border-ok text-surface",
  present: "border-[5px] border-accent",
  ahead: "border-2 border-control",
};

/** What happened, what is happening, and what is still to come. */
export function Timeline({ movement }: { movement: Movement }) {
  const stages = stagesOf(movement);
  return (
    <ol>
      {stages.map((stage, index) => (
        <StageLine key={stage.state} stage={stage} movement={movement} last={index === stages.length - 1} />
      ))}
    </ol>
  );
}

function StageLine({ stage, movement, last }: { stage: Stage; movement: Movement; last: boolean }) {
  const ahead = stage.phase === "ahead";
  return (
    <li
      className="relative grid grid-cols-[28px_1fr_auto] gap-3 pb-5"
      {...(stage.phase === "present" ? { "aria-current": "step" } : {})}
    >
      {last ? null : <span aria-hidden="true" className="absolute top-6 bottom-0 left-[9px] w-0.5 bg-line" />}
      <span
        aria-hidden="true"
        className={`mt-px grid size-5 place-items-center rounded-full border ${dots[stage.phase]}`}
      >
        {stage.phase === "past" ? <Icon name="check" size={14} /> : null}
      </span>
      <div className={ahead ? "text-muted" : ""}>
        <b className={ahead ? "font-normal" : "font-semibold"}>{stateWord(stage.state)}</b>
        {ahead ? null : <div className="text-small text-muted">{stageText(stage, movement)}</div>}
        <StepLinks movement={movement} state={stage.state} />
      </div>
      <span className="text-small text-muted">{stage.at === null ? null : formatClock(stage.at)}</span>
    </li>
  );
}
