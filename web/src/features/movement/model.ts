import type { Schema } from "@/shared/api/client";
import type { Tone } from "@/shared/ui/Surface";

/** A movement's state; the values come from the server's table. */
export type MovementState = Schema<"Movement">["state"];

const finalStates: ReadonlySet<MovementState> = new Set([
  "done",
  "refunded",
  "failed",
  "expired",
  "cancelled",
]);

/** Whether a movement will not change any more. */
export function isFinal(state: MovementState): boolean {
  return finalStates.has(state);
}

/** How a state is coloured; its word always stands with it. */
export function toneOf(state: MovementState): Tone {
  switch (state) {
    case "done":
      return "ok";
    case "failed":
      return "bad";
    case "delayed":
    case "needs_action":
    case "refunded":
    case "expired":
    case "cancelled":
      return "warn";
    default:
      return "info";
  }
}

/** The states that a movement goes through when all is well, in order. */
export function pathOf(movement: Pick<Schema<"Movement">, "from" | "to">): MovementState[] {
  const crossing = movement.from.chainId !== movement.to.chainId;
  return crossing
    ? ["signed", "sent", "confirming", "bridging", "delivering", "done"]
    : ["signed", "sent", "confirming", "done"];
}

/** One line of a movement's history as it is shown. */
export interface Stage {
  state: MovementState;
  /** When it was reached, in epoch milliseconds; null when it lies ahead. */
  at: number | null;
  phase: "past" | "present" | "ahead";
}

type Followed = Pick<Schema<"Movement">, "state" | "timeline" | "from" | "to">;

/**
 * What happened and, unless the movement is final, what is still to come. The
 * states before the signature are the person's own doing and are left out.
 */
export function stagesOf(movement: Followed): Stage[] {
  const reached = movement.timeline.filter(({ state }) => state !== "draft" && state !== "needs_signature");
  const final = isFinal(movement.state);
  const stages = reached.map(({ state, at }, index): Stage => {
    const last = index === reached.length - 1;
    return { state, at, phase: last && !final ? "present" : "past" };
  });
  return final ? stages : [...stages, ...ahead(movement, reached.at(-1)?.state)];
}

function ahead(movement: Followed, latest: MovementState | undefined): Stage[] {
  const path = pathOf(movement);
  const done = new Set(movement.timeline.map(({ state }) => state));
  const from = latest ? path.indexOf(latest) + 1 : 0;
  return path
    .slice(from)
    .flatMap((state): Stage[] => (done.has(state) ? [] : [{ state, at: null, phase: "ahead" }]));
}

/** How far a movement is, from 0 to 1. */
export function progressOf(movement: Followed): number {
  if (isFinal(movement.state)) return 1;
  const stages = stagesOf(movement);
  const past = stages.filter(({ phase }) => phase === "past").length;
  return stages.length === 0 ? 0 : past / stages.length;
}

/** When a movement was signed: its start for clocks. Epoch milliseconds. */
export function startedAt(movement: Pick<Schema<"Movement">, "timeline" | "createdAt">): number {
  return movement.timeline.find(({ state }) => state === "signed")?.at ?? movement.createdAt;
}

type Fee = Schema<"Movement">["feesPaid"][number];

/** The fees of all steps, added up by asset. */
export function totalFees(fees: readonly Fee[]): Fee[] {
  const totals = new Map<string, Fee>();
  for (const fee of fees) {
    const key = `${fee.chainId}:${fee.asset}`;
    const before = BigInt(totals.get(key)?.amount ?? 0);
    totals.set(key, { ...fee, amount: (before + BigInt(fee.amount)).toString() });
  }
  return [...totals.values()];
}
