import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "rpc-websockets";
import { isFinal, keepMovement, type Movement, movementKeys, stateWord, titleOf } from "@/features/movement";
import { portfolioKeys } from "@/features/portfolio";
import { endSession } from "@/features/session";
import { readCsrfToken } from "@/shared/api/transport";
import { onRecovery } from "@/shared/lib/connection";
import { notify } from "@/shared/ui/toasts";

const topics = ["movements", "balances", "session"];
const reconnectInterval = 1000;
const maxReconnects = 5;

/**
 * Opens the live connection and feeds what it brings into the cache. It is a
 * convenience: whatever it misses, polling finds. Returns the way to close it.
 */
export function openLive(queryClient: QueryClient): () => void {
  let closed = false;
  let client: Client | undefined;
  const connect = () => {
    import("rpc-websockets").then(
      ({ Client }) => {
        if (closed) return;
        hangUp(client);
        client = new Client(liveAddress(), {
          reconnect_interval: reconnectInterval,
          max_reconnects: maxReconnects,
        });
        listen(client, queryClient);
      },
      () => undefined, // its code could not be fetched: polling goes on
    );
  };
  connect();
  // The client gives up after its tries; a server that is back is worth a new one.
  const forget = onRecovery(connect);
  return () => {
    closed = true;
    forget();
    hangUp(client);
  };
}

function hangUp(client: Client | undefined): void {
  client?.setAutoReconnect(false);
  client?.close();
}

function liveAddress(): string {
  const address = new URL("/ws", window.location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

function listen(client: Client, queryClient: QueryClient): void {
  client.on("error", () => undefined); // without a listener it would count as uncaught
  client.on("open", () => {
    subscribe(client, queryClient).catch(() => undefined);
  });
  client.on("movements", (movement: Movement) => {
    keepMovement(queryClient, movement);
    if (isFinal(movement.state) && wasSigned(movement)) echo(movement);
    void queryClient.invalidateQueries({ queryKey: portfolioKeys.all });
  });
  client.on("balances", () => {
    void queryClient.invalidateQueries({ queryKey: portfolioKeys.all });
  });
  client.on("session", endSession);
}

/** A review that was left unsigned runs out without a word: nothing had begun. */
function wasSigned(movement: Movement): boolean {
  return movement.steps.some((step) => step.hash !== null);
}

/** Ends the toast that began with the signature: one per movement, named by its id. */
function echo(movement: Movement): void {
  const tone = movement.state === "done" ? "ok" : "bad";
  notify(movement.id, tone, `${titleOf(movement)}: ${stateWord(movement.state)}`);
}

async function subscribe(client: Client, queryClient: QueryClient): Promise<void> {
  await client.login({ csrfToken: readCsrfToken() });
  await client.subscribe(topics);
  // News from before the subscription were missed: ask once for what is cached.
  await queryClient.invalidateQueries({ queryKey: movementKeys.all });
}
