import { t } from "@lingui/core/macro";
import { ProblemError } from "@/shared/api/problem";
import { friendlyMessage } from "./friendly";
import { ShownError } from "./shown";

/** A failure in words for people. */
export interface Failure {
  /** Stable code: the server's, or "client" for what happened in this browser. */
  code: string;
  /** What to show. */
  message: string;
  /** Where the money is, when it concerns money. */
  fundsWhere?: string;
  /** The specific text beneath a general one, for "Details". */
  details?: string;
}

/**
 * Turns any thrown value into words. The server's refusals carry their message;
 * texts of the browser, the custody provider and its clients go through the
 * catalog's rules, and what stands in an error's cause becomes the details.
 */
export function describeFailure(error: unknown): Failure {
  if (error instanceof ProblemError) return describeProblem(error);
  const text = error instanceof Error ? error.message : String(error ?? "");
  const problem = problemIn(error);
  if (problem && problem.code !== "internal") return describeProblem(problem);
  const cause = error instanceof Error ? error.cause : undefined;
  const details = cause instanceof Error && cause.message !== text ? cause.message : undefined;
  return {
    code: "client",
    message: error instanceof ShownError ? text : friendlyMessage(text),
    ...(details ? { details } : {}),
  };
}

function describeProblem(problem: ProblemError): Failure {
  return {
    code: problem.code,
    message: problem.message || messageOf(problem.code),
    ...(problem.fundsWhere ? { fundsWhere: problem.fundsWhere } : {}),
  };
}

/** Words for refusals that came without any. */
function messageOf(code: string): string {
  if (code === "unreachable") return t`Tenfold's server does not answer. Please try again.`;
  return friendlyMessage(code);
}

/** The server's refusal behind an error, if there is one. */
function problemIn(error: unknown): ProblemError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProblemError) return cause;
  }
  return undefined;
}
