import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { endSession, keepPeopleApart } from "@/features/session";
import { i18n } from "@/shared/i18n";
import { ErrorBoundary } from "./ErrorBoundary";
import { createQueryClient } from "./query";
import { createAppRouter } from "./router";

const Toasts = lazy(() => import("@/shared/ui/Toasts"));

const queryClient = createQueryClient(endSession);
keepPeopleApart(queryClient);
const router = createAppRouter(queryClient);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** The whole page: words, server state, routes and toasts. */
export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Suspense>
            <Toasts />
          </Suspense>
        </QueryClientProvider>
      </ErrorBoundary>
    </I18nProvider>
  );
}
