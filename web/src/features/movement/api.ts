import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, type Schema, unwrap } from "@/shared/api/client";
import { hasCode } from "@/shared/api/problem";
import { isFinal } from "./model";

/** A swap or transfer, as the server keeps it. */
export type Movement = Schema<"Movement">;

/** Keys of everything about movements. */
export const movementKeys = {
  all: ["movements"] as const,
  list: () => [...movementKeys.all, "list"] as const,
  recent: () => [...movementKeys.all, "recent"] as const,
  one: (id: string) => [...movementKeys.all, "one", id] as const,
};

const pageSize = 25;
const recentCount = 4;
/** How often a movement under way is asked for when the server cannot tell by itself. */
const pollEvery = 2000;

/** All movements, newest first, page by page. */
export const movementsQuery = infiniteQueryOptions({
  queryKey: movementKeys.list(),
  queryFn: ({ pageParam, signal }) =>
    unwrap(
      api.GET("/api/v1/movements", {
        params: { query: { limit: pageSize, ...(pageParam ? { before: pageParam } : {}) } },
        signal,
      }),
    ),
  initialPageParam: "",
  getNextPageParam: (page) => page.next ?? undefined,
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => page.movements.some((movement) => !isFinal(movement.state)))
      ? pollEvery
      : false,
});

/** The newest few movements. */
export const recentMovementsQuery = queryOptions({
  queryKey: movementKeys.recent(),
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET("/api/v1/movements", { params: { query: { limit: recentCount } }, signal })))
      .movements,
  refetchInterval: ({ state }) =>
    state.data?.some((movement) => !isFinal(movement.state)) ? pollEvery : false,
});

/** One movement, followed until it is final. */
export function movementQuery(id: string) {
  return queryOptions({
    queryKey: movementKeys.one(id),
    queryFn: ({ signal }) => unwrap(api.GET("/api/v1/movements/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => {
      const over = hasCode(state.error, "movement_not_found") || (state.data && isFinal(state.data.state));
      return over ? false : pollEvery;
    },
  });
}

/**
 * Puts a movement that the server sent into the cache. Answers and live news
 * may cross on their way: an older version never replaces a newer one.
 */
export function keepMovement(queryClient: QueryClient, movement: Movement): void {
  queryClient.setQueryData<Movement>(movementKeys.one(movement.id), (known) =>
    known && known.version > movement.version ? known : movement,
  );
  void queryClient.invalidateQueries({ queryKey: movementKeys.list() });
  void queryClient.invalidateQueries({ queryKey: movementKeys.recent() });
}
