// @vitest-environment happy-dom
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { CustodyRequestError } from "@/custody/request";
import { ShownError } from "@/shared/errors/shown";
import { endSession, forgetSession, keepPeopleApart, ownerStore, phaseStore, sessions } from "../store";
import { SessionGate } from "./SessionGate";

/** The custody code talks to frames and devices; here its outcomes are what matters. */
const actions = vi.hoisted(() => ({
  prepare: vi.fn(async () => undefined),
  createWallet: vi.fn(),
  logIn: vi.fn(),
  logOut: vi.fn(),
  extendSession: vi.fn(),
  adoptSession: vi.fn(async () => undefined),
}));
vi.mock("../actions", () => actions);

const config = {
  network: "local",
  faucet: true,
  version: "1",
  custody: { baseUrl: "", organizationId: "", authFrameUrl: "", rpId: "" },
};

function enter(milliseconds = 900_000, organizationId = "own") {
  const expiry = Date.now() + milliseconds;
  sessions.save({
    sessionType: "SESSION_TYPE_READ_WRITE",
    userId: "user",
    organizationId,
    expiry,
    token: "t",
  });
  ownerStore.set(organizationId);
  phaseStore.set("signed_in");
}

function Form() {
  const [text, setText] = useState("");
  return <input aria-label="Amount" value={text} onChange={(event) => setText(event.target.value)} />;
}

let queryClient: QueryClient;

function show() {
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queryClient.setQueryData(["config"], config);
  onTestFinished(keepPeopleApart(queryClient));
  return render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <SessionGate>
          <Form />
        </SessionGate>
      </QueryClientProvider>
    </I18nProvider>,
  );
}

beforeEach(() => {
  for (const action of Object.values(actions)) action.mockReset();
  actions.prepare.mockResolvedValue(undefined);
  actions.adoptSession.mockResolvedValue(undefined);
});

afterEach(() => {
  cleanup();
  forgetSession();
});

describe("the welcome", () => {
  it("offers both ways in, and says that the coins are play money", async () => {
    show();
    expect(await screen.findByText("Local network: every coin here is play money.")).toBeDefined();
    expect(screen.getByRole("button", { name: "Create wallet" })).toBeDefined();
    expect(screen.getByRole("button", { name: "Log in with passkey" })).toBeDefined();
    expect(screen.queryByLabelText("Amount")).toBeNull();
  });

  it("gives way to the page once a wallet is created", async () => {
    actions.createWallet.mockImplementation(async () => enter());
    show();
    await userEvent.click(screen.getByRole("button", { name: "Create wallet" }));
    expect(await screen.findByLabelText("Amount")).toBeDefined();
  });

  it("lets nobody press twice", async () => {
    actions.logIn.mockReturnValue(new Promise(() => undefined));
    show();
    const button = screen.getByRole("button", { name: "Log in with passkey" });
    await userEvent.click(button);
    await userEvent.click(button);
    await userEvent.click(screen.getByRole("button", { name: "Create wallet" }));
    expect(actions.logIn).toHaveBeenCalledTimes(1);
    expect(actions.createWallet).not.toHaveBeenCalled();
  });

  it("shows the general text of a failed login, and the specific one under Details", async () => {
    const cause = new CustodyRequestError("Turnkey error 16: expired api key", 16);
    actions.logIn.mockRejectedValue(new ShownError("Unable to log in with the provided passkey.", cause));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Log in with passkey" }));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Unable to log in with the provided passkey.");
    expect(alert.querySelector("details")?.textContent).toContain("Turnkey error 16: expired api key");
  });

  it("forgets a failure when the person tries again", async () => {
    actions.logIn.mockRejectedValueOnce(
      new ShownError("No account found. Let's create one and get started!"),
    );
    actions.createWallet.mockReturnValue(new Promise(() => undefined));
    show();
    await userEvent.click(screen.getByRole("button", { name: "Log in with passkey" }));
    expect(await screen.findByText(/No account found/)).toBeDefined();
    await userEvent.click(screen.getByRole("button", { name: "Create wallet" }));
    expect(screen.queryByText(/No account found/)).toBeNull();
  });
});

describe("a session that ends", () => {
  it("asks to log in over the page and keeps what was typed", async () => {
    enter();
    show();
    await userEvent.type(screen.getByLabelText("Amount"), "0.5");
    act(() => endSession());
    expect(await screen.findByRole("dialog", { name: "Your session has ended", hidden: true })).toBeDefined();
    expect(sessions.get()).toBeNull();
    actions.logIn.mockImplementation(async () => enter());
    await userEvent.click(screen.getByRole("button", { name: "Log in with passkey", hidden: true }));
    expect(await screen.findByDisplayValue("0.5")).toBeDefined();
    expect(screen.queryByRole("dialog", { hidden: true })).toBeNull();
  });

  it("starts the page anew when somebody else logs in", async () => {
    enter();
    show();
    await userEvent.type(screen.getByLabelText("Amount"), "0.5");
    queryClient.setQueryData(["portfolio"], { totalUsd: "1" });
    act(() => endSession());
    actions.logIn.mockImplementation(async () => enter(900_000, "somebody else"));
    await userEvent.click(await screen.findByRole("button", { name: "Log in with passkey", hidden: true }));
    expect(await screen.findByDisplayValue("")).toBeDefined();
    expect(queryClient.getQueryData(["portfolio"])).toBeUndefined();
  });

  it("ends by itself when its time is up", async () => {
    enter(60);
    show();
    expect(await screen.findByText("Your session has ended")).toBeDefined();
    expect(phaseStore.get()).toBe("lapsed");
  });

  it("offers to stay signed in during its last two minutes", async () => {
    enter(119_000);
    show();
    expect(screen.getByText("Your session ends in 2 minutes.")).toBeDefined();
    actions.extendSession.mockImplementation(async () => enter());
    await userEvent.click(screen.getByRole("button", { name: "Stay signed in" }));
    expect(screen.queryByText(/Your session ends/)).toBeNull();
  });

  it("follows what the person does in another tab", async () => {
    enter();
    show();
    const otherTab = new BroadcastChannel("tenfold.session");
    onTestFinished(() => otherTab.close());
    otherTab.postMessage({ tab: "other", organizationId: "own" });
    await vi.waitFor(() => expect(actions.adoptSession).toHaveBeenCalledTimes(1));
    expect(phaseStore.get()).toBe("signed_in");
    otherTab.postMessage({ tab: "other", organizationId: "somebody else" });
    await vi.waitFor(() => expect(phaseStore.get()).toBe("lapsed"));
    otherTab.postMessage({ tab: "other", organizationId: null });
    await vi.waitFor(() => expect(actions.logOut).toHaveBeenCalledTimes(1));
  });

  it("takes everything that was cached for the person with it", async () => {
    enter();
    show();
    queryClient.setQueryData(["portfolio"], { totalUsd: "1" });
    act(() => forgetSession());
    expect(await screen.findByRole("button", { name: "Create wallet" })).toBeDefined();
    expect(queryClient.getQueryData(["portfolio"])).toBeUndefined();
    expect(queryClient.getQueryData(["config"])).toEqual(config);
  });
});
