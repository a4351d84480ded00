import createClient from "openapi-fetch";
import { readProblem } from "./problem";
import type { components, paths } from "./schema";
import { send } from "./transport";

/** The app server's API, typed by its OpenAPI document. Only the api.ts of a feature calls it. */
export const api = createClient<paths>({ baseUrl: "/", fetch: send });

/** The name of one of the API's objects. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a good answer; throws ProblemError for a refusal. */
export async function unwrap<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok || data === undefined) throw readProblem(response.status, error);
  return data;
}

/** For answers without a body; throws ProblemError for a refusal. */
export async function unwrapEmpty(answer: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await answer;
  if (!response.ok) throw readProblem(response.status, error);
}
