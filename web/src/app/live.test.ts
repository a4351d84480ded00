import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Movement, movementKeys } from "@/features/movement";
import { phaseStore, sessions } from "@/features/session";
import { setCsrfToken } from "@/shared/api/transport";
import { crossing } from "@/testing/movement";
import { openLive } from "./live";

const notify = vi.hoisted(() => vi.fn());
vi.mock("@/shared/ui/toasts", () => ({ notify }));

/** What the test needs of the library's own server; the page's build knows only its client. */
interface LiveServer {
  wss: { address(): { port: number }; clients: Set<unknown> };
  once(event: "listening", listener: () => void): void;
  setAuth(check: (login: { csrfToken: string }) => Promise<boolean>, path: string): void;
  event(topic: string, path: string): { protected(): void };
  of(path: string): { emit(topic: string, news: unknown): void };
  close(): Promise<void>;
}

const path = "/ws";
let server: LiveServer;
let queryClient: QueryClient;
let close: () => void;

/** Starts the server, which lets in only a page that proves itself with the CSRF token. */
async function startServer(): Promise<LiveServer> {
  const library: object = await import("rpc-websockets");
  const Server = Reflect.get(library, "Server") as new (options: object) => LiveServer;
  const started = new Server({ port: 0, host: "127.0.0.1" });
  await new Promise<void>((resolve) => started.once("listening", resolve));
  started.setAuth(async ({ csrfToken }) => csrfToken === "csrf", path);
  for (const topic of ["movements", "balances", "session"]) started.event(topic, path).protected();
  return started;
}

beforeEach(async () => {
  server = await startServer();
  vi.stubGlobal("window", { location: { href: `http://127.0.0.1:${server.wss.address().port}/activity` } });
  setCsrfToken("csrf");
  notify.mockReset();
  queryClient = new QueryClient();
  // Being subscribed shows in that cached movements are asked for once more.
  queryClient.setQueryData(movementKeys.recent(), []);
  close = openLive(queryClient);
  await vi.waitFor(() => expect(queryClient.getQueryState(movementKeys.recent())?.isInvalidated).toBe(true));
});

afterEach(async () => {
  close();
  await server.close();
  setCsrfToken(null);
  vi.unstubAllGlobals();
});

const tell = (topic: string, news: unknown) => server.of(path).emit(topic, news);
const cached = () => queryClient.getQueryData<Movement>(movementKeys.one("m"));

describe("live updates", () => {
  it("put a movement's news into the cache and say when it is final", async () => {
    tell("movements", crossing("signed", "sent"));
    await vi.waitFor(() => expect(cached()?.state).toBe("sent"));
    expect(notify).not.toHaveBeenCalled();
    tell("movements", crossing("signed", "sent", "confirming", "done"));
    await vi.waitFor(() => expect(cached()?.state).toBe("done"));
    expect(notify).toHaveBeenCalledWith("m", "ok", "0.5 ETH → USDC: Done");
  });

  it("make old balances stale", async () => {
    queryClient.setQueryData(["portfolio"], { totalUsd: "1" });
    tell("balances", { chainIds: [8453] });
    await vi.waitFor(() => expect(queryClient.getQueryState(["portfolio"])?.isInvalidated).toBe(true));
  });

  it("end the session when the server says so", async () => {
    const expiry = Date.now() + 60_000;
    sessions.save({
      sessionType: "SESSION_TYPE_READ_WRITE",
      userId: "u",
      organizationId: "o",
      expiry,
      token: "t",
    });
    phaseStore.set("signed_in");
    tell("session", { state: "expired" });
    await vi.waitFor(() => expect(phaseStore.get()).toBe("lapsed"));
    expect(sessions.get()).toBeNull();
  });

  it("stop when they are no longer wanted", async () => {
    close();
    await vi.waitFor(() => expect(server.wss.clients.size).toBe(0));
  });
});
