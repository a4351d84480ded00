// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost/"}
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { IframeClient, PasskeyClient } from "@/custody";
import { readCsrfToken } from "@/shared/api/transport";
import { problem, serve } from "@/testing/page";
import { adoptSession, extendSession, logIn, logOut, signWithSession } from "./flows";
import { endSession, forgetSession, phaseStore, sessions } from "./store";

const stamp = async () => ({ stampHeaderName: "X-Stamp", stampHeaderValue: "s" });
const passkey: PasskeyClient = { kind: "passkey", rpId: "localhost", stamp };
const destroyed = vi.fn();
const iframe: IframeClient = {
  kind: "iframe",
  stamp,
  targetPublicKey: async () => `04${"a".repeat(128)}`,
  injectCredentialBundle: async () => undefined,
  destroy: async () => destroyed(),
};

vi.mock("./clients", () => ({
  custodyClients: async () => ({
    target: { baseUrl: "http://custody.test", organizationId: "parent" },
    passkey,
    iframe,
  }),
  dropCustodyClients: () => iframe.destroy(),
}));

const completed = (result: unknown) => ({
  activity: { id: "a", status: "ACTIVITY_STATUS_COMPLETED", result },
});
const refused = (code: number, message: string) =>
  Response.json({ code, message, details: [] }, { status: 401 });
const readWrite = completed({
  createReadWriteSessionResultV2: { userId: "user", organizationId: "own", credentialBundle: "sealed" },
});
const opened = (expiresAt: number) =>
  Response.json({ organizationId: "own", userId: "user", expiresAt, csrfToken: "csrf" }, { status: 201 });

/** The bodies that the two servers were sent, by path. */
let bodies: Record<string, string> = {};

/** Both servers behind one fetch: requests to the app are made here of URL and options too. */
function serveBoth(answers: Parameters<typeof serve>[0]) {
  const sent = serve(answers);
  const app = globalThis.fetch;
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input, init && { ...init, signal: null });
    const text = await request.clone().text();
    bodies[new URL(request.url).pathname] = text;
    return app(request);
  });
  return sent;
}

const login = {
  "POST /public/v1/submit/create_read_write_session": readWrite,
  "POST /api/v1/sessions": () => opened(Date.now() + 600_000),
};

beforeEach(() => {
  bodies = {};
});

afterEach(() => {
  forgetSession();
  destroyed.mockReset();
  vi.unstubAllGlobals();
});

describe("logging in", () => {
  it("opens the server's session with a stamped whoami, never longer than either side allows", async () => {
    const sent = serveBoth(login);
    const session = await logIn();
    expect(sent).toEqual(["POST /public/v1/submit/create_read_write_session", "POST /api/v1/sessions"]);
    const { body, stamp: sentStamp } = JSON.parse(bodies["/api/v1/sessions"] ?? "{}");
    const { organizationId, timestampMs, ...rest } = JSON.parse(body);
    expect({ organizationId, rest }).toEqual({ organizationId: "own", rest: {} });
    expect(Math.abs(Date.now() - Number(timestampMs))).toBeLessThan(60_000);
    expect(sentStamp).toEqual({ stampHeaderName: "X-Stamp", stampHeaderValue: "s" });
    expect(session.expiry).toBeLessThanOrEqual(Date.now() + 600_000);
    expect(sessions.get()).toEqual(session);
    expect(phaseStore.get()).toBe("signed_in");
    expect(readCsrfToken()).toBe("csrf");
  });

  it.each([
    [16, "credential ID could not be found in organization or its parent organization"],
    [5, "webauthn authenticator not found in organization"],
  ])("says that there is no account for an unknown passkey (%d)", async (code, message) => {
    serveBoth({ "POST /public/v1/submit/create_read_write_session": refused(code, message) });
    await expect(logIn()).rejects.toThrow("No account found. Let's create one and get started!");
    expect(phaseStore.get()).toBe("signed_out");
  });

  it("keeps the general text for every other refusal", async () => {
    serveBoth({
      "POST /public/v1/submit/create_read_write_session": refused(16, "could not verify WebAuthN signature"),
    });
    await expect(logIn()).rejects.toThrow("Unable to log in with the provided passkey.");
  });

  it("is not half done when the server refuses", async () => {
    serveBoth({ ...login, "POST /api/v1/sessions": problem(401, "session_expired", "Log in again.") });
    await expect(logIn()).rejects.toThrow("Log in again.");
    expect(phaseStore.get()).toBe("signed_out");
    expect(sessions.get()).toBeNull();
    expect(readCsrfToken()).toBeNull();
  });
});

describe("signing", () => {
  const transaction = {
    signWith: "0x1",
    type: "TRANSACTION_TYPE_ETHEREUM" as const,
    unsignedTransaction: "02ff",
  };
  const path = "POST /public/v1/submit/sign_transaction";

  it("asks custody in the person's own organization", async () => {
    serveBoth({ ...login, [path]: completed({ signTransactionResult: { signedTransaction: "02aa" } }) });
    await logIn();
    expect(await signWithSession(transaction)).toBe("02aa");
    expect(JSON.parse(bodies["/public/v1/submit/sign_transaction"] ?? "{}")).toMatchObject({
      organizationId: "own",
      type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
      parameters: transaction,
    });
  });

  it("asks nobody without a session", async () => {
    const sent = serveBoth({});
    await expect(signWithSession(transaction)).rejects.toThrow("Your session has ended.");
    expect(sent).toEqual([]);
  });

  it("ends the session when custody does not know the credential any more", async () => {
    serveBoth({ ...login, [path]: refused(16, "expired api key") });
    await logIn();
    await expect(signWithSession(transaction)).rejects.toThrow("Your session has ended.");
    expect(phaseStore.get()).toBe("lapsed");
    expect(sessions.get()).toBeNull();
  });

  it("keeps the session when others must agree", async () => {
    const waiting = { activity: { id: "a", status: "ACTIVITY_STATUS_CONSENSUS_NEEDED" } };
    serveBoth({ ...login, [path]: waiting });
    await logIn();
    await expect(signWithSession(transaction)).rejects.toThrow("Activity requires consensus");
    expect(phaseStore.get()).toBe("signed_in");
  });
});

describe("staying and leaving", () => {
  it("renews with the frame's credential and ends the old one", async () => {
    serveBoth(login);
    await logIn();
    await extendSession();
    const body = JSON.parse(bodies["/public/v1/submit/create_read_write_session"] ?? "{}");
    expect(body).toMatchObject({ organizationId: "own", parameters: { invalidateExisting: true } });
    expect(phaseStore.get()).toBe("signed_in");
  });

  it("takes over the session that another tab of the same person opened", async () => {
    serveBoth({
      ...login,
      "GET /api/v1/session": {
        organizationId: "own",
        userId: "user",
        expiresAt: Date.now() + 5000,
        csrfToken: "new",
      },
    });
    await logIn();
    await adoptSession();
    expect(readCsrfToken()).toBe("new");
    expect(sessions.get()?.expiry).toBeLessThanOrEqual(Date.now() + 5000);
  });

  it("does not take over somebody else's", async () => {
    serveBoth({
      ...login,
      "GET /api/v1/session": {
        organizationId: "other",
        userId: "user",
        expiresAt: Date.now() + 5000,
        csrfToken: "new",
      },
    });
    await logIn();
    await expect(adoptSession()).rejects.toThrow("Your session has ended.");
    expect(readCsrfToken()).toBeNull();
    expect(phaseStore.get()).toBe("lapsed");
  });

  it.each([
    ["own", true],
    ["other", false],
  ])(
    "logs out of what a lapsed session left at the server, if it is %s's own",
    async (organizationId, ends) => {
      let token: string | null = null;
      const sent = serveBoth({
        ...login,
        "GET /api/v1/session": { organizationId, userId: "user", expiresAt: 1, csrfToken: "left" },
        "DELETE /api/v1/session": (request: Request) => {
          token = request.headers.get("X-CSRF-Token");
          return new Response(null, { status: 204 });
        },
      });
      await logIn();
      endSession();
      await logOut();
      expect(sent.includes("DELETE /api/v1/session")).toBe(ends);
      expect(token).toBe(ends ? "left" : null);
      expect(phaseStore.get()).toBe("signed_out");
      expect(readCsrfToken()).toBeNull();
    },
  );

  it("logs out even when the server does not answer", async () => {
    serveBoth({ ...login, "DELETE /api/v1/session": () => Promise.reject(new TypeError("Failed to fetch")) });
    await logIn();
    await logOut();
    expect(destroyed).toHaveBeenCalledTimes(1);
    expect(sessions.get()).toBeNull();
    expect(readCsrfToken()).toBeNull();
    expect(phaseStore.get()).toBe("signed_out");
  });
});
