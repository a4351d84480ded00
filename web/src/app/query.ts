import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { hasCode, ProblemError } from "@/shared/api/problem";
import { onRecovery } from "@/shared/lib/connection";

/** Makes the cache of server state. `onSessionEnd` is told when the server says the session is over. */
export function createQueryClient(onSessionEnd: () => void): QueryClient {
  const onError = (error: Error) => {
    if (hasCode(error, "session_expired", "csrf_token_wrong")) onSessionEnd();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // "always": the server may be on this very machine while the device is offline.
      queries: { networkMode: "always", staleTime: 15_000, retry: shouldRetry, refetchOnWindowFocus: true },
      mutations: { networkMode: "always", retry: false },
    },
  });
  onRecovery(() => void client.invalidateQueries());
  return client;
}

/** Retries silences and server faults twice; a refusal stays a refusal. */
function shouldRetry(failures: number, error: Error): boolean {
  const refused = error instanceof ProblemError && error.status >= 400 && error.status < 500;
  return !refused && failures < 2;
}
