import * as v from "valibot";

/** A refusal by the app server: RFC 9457 with a stable code and the message to show. */
export class ProblemError extends Error {
  readonly code: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Where the money is, when the refusal concerns money. */
  readonly fundsWhere: string | undefined;

  constructor(problem: {
    code: string;
    status: number;
    message: string;
    fundsWhere?: string | undefined;
    cause?: unknown;
  }) {
    super(problem.message, problem.cause === undefined ? undefined : { cause: problem.cause });
    this.name = "ProblemError";
    this.code = problem.code;
    this.status = problem.status;
    this.fundsWhere = problem.fundsWhere;
  }
}

const bodySchema = v.object({
  code: v.optional(v.string()),
  title: v.optional(v.string()),
  detail: v.optional(v.string()),
  fundsWhere: v.optional(v.string()),
});

/** Reads a refused answer's body. A body of another shape becomes the code "internal". */
export function readProblem(status: number, body: unknown): ProblemError {
  const parsed = v.safeParse(bodySchema, body);
  const problem = parsed.success ? parsed.output : {};
  return new ProblemError({
    code: problem.code ?? "internal",
    status,
    message: problem.detail ?? problem.title ?? "",
    fundsWhere: problem.fundsWhere,
  });
}

/** Whether an error is a refusal with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ProblemError && codes.includes(error.code);
}
