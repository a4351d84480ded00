import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { FunctionComponent } from "react";
import { vi } from "vitest";

/** What the server answers, by method and path; a function may look at the request or never answer. */
export type Answers = Record<string, unknown | ((request: Request) => unknown)>;

/** Requests that were sent, as "METHOD /path", oldest first. */
export type Sent = string[];

/** Answers the page's requests. A Response is given as it is, anything else as JSON. */
export function serve(answers: Answers): Sent {
  const sent: Sent = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    const name = `${request.method} ${pathname}`;
    sent.push(name);
    const answer = answers[name];
    const body: unknown = typeof answer === "function" ? await answer(request) : answer;
    if (body instanceof Response) return body;
    return body === undefined ? problem(404, "not_found", "There is no such thing.") : Response.json(body);
  });
  return sent;
}

/** A refusal as the server writes it. */
export function problem(status: number, code: string, detail: string): Response {
  const body = { type: "about:blank", title: "", status, code, detail };
  return Response.json(body, { status, headers: { "content-type": "application/problem+json" } });
}

/** Shows a page at an address, with the words, the cache and the router around it. */
export function showPage(
  Page: FunctionComponent,
  { path = "/", at = path }: { path?: string; at?: string } = {},
) {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always" } },
  });
  const rootRoute = createRootRoute();
  const route = createRoute({ getParentRoute: () => rootRoute, path, component: Page });
  const router = createRouter({
    routeTree: rootRoute.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [at] }),
    defaultNotFoundComponent: () => null,
  });
  const view = render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </I18nProvider>,
  );
  return { ...view, queryClient, router };
}
