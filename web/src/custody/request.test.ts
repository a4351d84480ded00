import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CustodyRequestError, sendStamped } from "./request";

const stamp = { stampHeaderName: "X-Stamp", stampHeaderValue: "c3RhbXA" };
let server: Server;
let base = "";

/** Answers by path what a provider might answer, and echoes what it was sent under /echo. */
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const answers: Record<string, [number, string]> = {
        "/refused": [401, JSON.stringify({ code: 16, message: "expired api key", details: [] })],
        "/plain": [403, JSON.stringify({ code: 7, message: "request not authorized", details: null })],
        "/broken": [502, "<html>bad gateway</html>"],
        "/echo": [200, JSON.stringify({ body, headers: request.headers, method: request.method })],
      };
      const [status, text] = answers[request.url ?? ""] ?? [404, "{}"];
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe("stamped requests", () => {
  it("go out byte for byte, with the stamp and the client version", async () => {
    const body = '{ "organizationId":"<&>" }';
    const seen = (await sendStamped(`${base}/`, "/echo", body, stamp)) as Record<string, unknown>;
    expect(seen).toMatchObject({ body, method: "POST", headers: { "x-stamp": "c3RhbXA" } });
    expect(seen.headers).toHaveProperty("x-client-version");
  });

  it("fail with code, message and details", async () => {
    const error = await sendStamped(base, "/refused", "{}", stamp).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(CustodyRequestError);
    expect(error).toMatchObject({ code: 16, message: "Turnkey error 16: expired api key (Details: [])" });
  });

  it("leave out details that are not there", async () => {
    await expect(sendStamped(base, "/plain", "{}", stamp)).rejects.toThrow(
      /^Turnkey error 7: request not authorized$/,
    );
  });

  it("fail with the status when the body says nothing", async () => {
    await expect(sendStamped(base, "/broken", "{}", stamp)).rejects.toThrow(/^502 Bad Gateway$/);
  });

  it("say in words when nobody answers", async () => {
    await expect(sendStamped("http://127.0.0.1:9", "/echo", "{}", stamp)).rejects.toMatchObject({
      name: "ShownError",
      message: "The key custody service does not answer. Nothing was signed; please try again.",
    });
  });

  it("need a base URL", async () => {
    await expect(sendStamped("", "/echo", "{}", stamp)).rejects.toThrow(
      "Missing base URL. Please verify env vars.",
    );
  });
});
