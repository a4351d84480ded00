import { describe, expect, it } from "vitest";
import { createSessionStore, normaliseExpiry, type Session } from "./session";

const session: Session = {
  sessionType: "SESSION_TYPE_READ_WRITE",
  userId: "user",
  organizationId: "organization",
  expiry: 10_000,
  token: "bundle",
};

describe("session store", () => {
  it("holds a session until its expiry and then counts it as absent for good", () => {
    let now = 9_999;
    const store = createSessionStore(() => now);
    store.save(session);
    expect(store.get()).toBe(session);
    now = 10_000;
    expect(store.get()).toBeNull();
    now = 9_999;
    expect(store.get()).toBeNull();
  });

  it("tells its readers when a session comes and goes", () => {
    const store = createSessionStore(() => 0);
    let told = 0;
    const stop = store.subscribe(() => {
      told += 1;
    });
    store.save(session);
    store.clear();
    stop();
    store.save(session);
    expect(told).toBe(2);
  });

  it("describes the current user by the kind of session", () => {
    const store = createSessionStore(() => 0);
    expect(store.currentUser()).toBeUndefined();
    store.save(session);
    expect(store.currentUser()).toEqual({
      userId: "user",
      organization: { organizationId: "organization", organizationName: "" },
      session: { write: { credentialBundle: "bundle", expiry: 10_000 } },
    });
    store.save({ ...session, sessionType: "SESSION_TYPE_READ_ONLY", token: "token" });
    expect(store.currentUser()?.session).toEqual({ read: { token: "token", expiry: 10_000 } });
  });
});

describe("session expiry", () => {
  it("becomes epoch milliseconds, whatever it came in", () => {
    expect(normaliseExpiry("1795000000")).toBe(1_795_000_000_000);
    expect(normaliseExpiry(1_795_000_000)).toBe(1_795_000_000_000);
    expect(normaliseExpiry(1_795_000_000_123)).toBe(1_795_000_000_123);
  });

  it.each(["", "soon", "0", -5, Number.NaN])("refuses %j", (value) => {
    expect(() => normaliseExpiry(value)).toThrow(RangeError);
  });
});
