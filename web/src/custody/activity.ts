import * as v from "valibot";

const envelopeSchema = v.object({
  activity: v.object({
    id: v.string(),
    status: v.string(),
    result: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  }),
});

/** One custody write as the provider answers it. */
export type Activity = v.InferOutput<typeof envelopeSchema>["activity"];

/** Reads the activity out of an answer. Throws when there is none. */
export function readActivity(answer: unknown): Activity {
  return v.parse(envelopeSchema, answer).activity;
}

/** Throws unless the activity is completed; the texts are the specification's (section 4). */
export function assertActivityCompleted(activity: Activity): void {
  if (activity.status === "ACTIVITY_STATUS_COMPLETED") return;
  if (activity.status === "ACTIVITY_STATUS_CONSENSUS_NEEDED") throw new Error("Activity requires consensus");
  throw new Error(`Expected COMPLETED status, got ${activity.status}`);
}

/** The named result of a completed activity, checked against its schema. */
export function resultOf<T>(activity: Activity, name: string, schema: v.GenericSchema<unknown, T>): T {
  assertActivityCompleted(activity);
  return v.parse(schema, activity.result?.[name]);
}
