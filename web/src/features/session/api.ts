import { queryOptions } from "@tanstack/react-query";
import type { StampedRequest } from "@/custody";
import { api, type Schema, unwrap, unwrapEmpty } from "@/shared/api/client";

/** What the page is told before anybody signs in. */
export type Config = Schema<"Config">;

/** What the server is configured with; it does not change while the page lives. */
export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: ({ signal }) => fetchConfig(signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Reads the configuration without the cache. */
export function fetchConfig(signal?: AbortSignal): Promise<Config> {
  return unwrap(api.GET("/api/v1/config", signal ? { signal } : {}));
}

/** Opens the app server's session with a stamped whoami request. */
export function openAppSession(request: StampedRequest) {
  return unwrap(api.POST("/api/v1/sessions", { body: request }));
}

/** Reads the app server's session that the cookie names. */
export function readAppSession() {
  return unwrap(api.GET("/api/v1/session"));
}

/** Ends the app server's session. */
export function closeAppSession(): Promise<void> {
  return unwrapEmpty(api.DELETE("/api/v1/session"));
}

/** Has the app server create a person's organization, with the parent's key. */
export function createSubOrganization(params: Record<string, unknown>): Promise<unknown> {
  return unwrap(api.POST("/api/v1/server-sign", { body: { methodName: "createSubOrganization", params } }));
}
