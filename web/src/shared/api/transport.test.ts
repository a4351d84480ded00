import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import createClient from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectionStore } from "@/shared/lib/connection";
import { unwrap, unwrapEmpty } from "./client";
import { hasCode, ProblemError } from "./problem";
import type { paths } from "./schema";
import { send, setCsrfToken } from "./transport";

let server: Server;
let seen: IncomingHttpHeaders = {};
let api: ReturnType<typeof createClient<paths>>;

const problem = {
  type: "about:blank",
  title: "Conflict",
  status: 409,
  code: "quote_expired",
  detail: "The offer has ended.",
  fundsWhere: "0.5 ETH is in your wallet on Base.",
};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen = request.headers;
    if (request.method === "DELETE") return response.writeHead(204).end();
    if (request.url?.startsWith("/api/v1/config")) {
      return response.writeHead(200, { "content-type": "application/json" }).end('{"network":"local"}');
    }
    if (request.url?.startsWith("/api/v1/quotes")) return response.writeHead(502).end("<html>");
    return response
      .writeHead(409, { "content-type": "application/problem+json" })
      .end(JSON.stringify(problem));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  api = createClient<paths>({ baseUrl: `http://127.0.0.1:${port}`, fetch: send });
});

afterAll(() => {
  setCsrfToken(null);
  return new Promise((resolve) => server.close(resolve));
});

const movement = {
  params: { header: { "Idempotency-Key": "mine" } },
  body: { kind: "swap" as const, quoteId: "q", digest: "d" },
};

describe("the way to the app server", () => {
  it("gives changes the CSRF token and an idempotency key, reads neither", async () => {
    setCsrfToken("token");
    await unwrap(api.GET("/api/v1/config"));
    expect(seen).not.toHaveProperty("x-csrf-token");
    expect(seen).not.toHaveProperty("idempotency-key");
    await unwrapEmpty(api.DELETE("/api/v1/session"));
    expect(seen["x-csrf-token"]).toBe("token");
    expect(seen["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("keeps a caller's own idempotency key", async () => {
    await unwrap(api.POST("/api/v1/movements", movement)).catch(() => undefined);
    expect(seen["idempotency-key"]).toBe("mine");
  });

  it("turns a problem document into its code, message and place of the money", async () => {
    const error = await unwrap(api.POST("/api/v1/movements", movement)).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      code: "quote_expired",
      status: 409,
      message: "The offer has ended.",
      fundsWhere: "0.5 ETH is in your wallet on Base.",
    });
    expect(hasCode(error, "quote_expired", "quote_altered")).toBe(true);
    expect(hasCode(error, "session_expired")).toBe(false);
  });

  it("calls any other bad answer internal", async () => {
    const body = { fromChainId: 1, fromAsset: "a", toChainId: 1, toAsset: "b", amount: "1" };
    const error = await unwrap(api.POST("/api/v1/quotes", { body })).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "internal", status: 502, message: "" });
  });

  it("notes silence and answers", async () => {
    const nobody = createClient<paths>({ baseUrl: "http://127.0.0.1:9", fetch: send });
    await expect(unwrap(nobody.GET("/api/v1/config"))).rejects.toMatchObject({
      code: "unreachable",
      status: 0,
    });
    expect(connectionStore.get().reachable).toBe(false);
    await unwrap(api.GET("/api/v1/config"));
    expect(connectionStore.get()).toMatchObject({ reachable: true });
  });

  it("leaves a request that its page gave up alone", async () => {
    const gone = AbortSignal.abort();
    await expect(api.GET("/api/v1/config", { signal: gone })).rejects.toMatchObject({ name: "AbortError" });
    expect(connectionStore.get().reachable).toBe(true);
  });
});
