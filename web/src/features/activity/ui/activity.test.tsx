// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost/"}
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keepMovement } from "@/features/movement";
import { crossing, friend, payment } from "@/testing/movement";
import { problem, serve, showPage } from "@/testing/page";
import { ActivityPage } from "./ActivityPage";
import { MovementPage } from "./MovementPage";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const detail = { path: "/activity/$id", at: "/activity/m" };
const onMainnet = { "GET /api/v1/config": { network: "mainnet" } };

describe("the activity", () => {
  it("lists movements page by page", async () => {
    serve({
      "GET /api/v1/movements": ({ url }: Request) => {
        const before = new URL(url).searchParams.get("before");
        return before === "next"
          ? { movements: [payment("done")], next: null }
          : { movements: [crossing("signed", "failed")], next: "next" };
      },
    });
    showPage(ActivityPage, { path: "/activity" });
    const list = await screen.findByRole("list", { name: "Movements" });
    expect(list.textContent).toContain("0.5 ETH → USDC");
    expect(list.textContent).toContain("Failed");
    await userEvent.click(screen.getByRole("button", { name: "Show older" }));
    expect(await within(list).findByText("0.5 ETH → 0x111111…111111")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Show older" })).toBeNull();
  });

  it("says what will be here when there is nothing yet", async () => {
    serve({ "GET /api/v1/movements": { movements: [], next: null } });
    showPage(ActivityPage, { path: "/activity" });
    expect(await screen.findByText("Nothing yet")).toBeDefined();
  });

  it("says what failed", async () => {
    serve({ "GET /api/v1/movements": problem(500, "internal", "Something went wrong here.") });
    showPage(ActivityPage, { path: "/activity" });
    expect((await screen.findByRole("alert")).textContent).toContain("Something went wrong here.");
    expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
  });
});

describe("one movement", () => {
  it("shows its stages, its transactions, its amounts and where the money is", async () => {
    serve({
      ...onMainnet,
      "GET /api/v1/movements/m": crossing("signed", "sent", "confirming", "bridging", "delivering", "done"),
    });
    showPage(MovementPage, detail);
    expect(await screen.findByRole("heading", { level: 1, name: "0.5 ETH → USDC" })).toBeDefined();
    expect(screen.getByRole("img", { name: "Progress: Done" })).toBeDefined();
    expect(screen.getByText("1,603.91 USDC is in your wallet on Solana.")).toBeDefined();
    const links = await screen.findAllByRole("link", { name: /explorer/ });
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "https://basescan.org/tx/0xabcdef",
      "https://solscan.io/tx/5VERv8",
    ]);
    expect(screen.getByText("Arrived").nextSibling?.textContent).toBe("1,603.91 USDC");
    expect(screen.getByText("Network fees").nextSibling?.textContent).toBe("0.000021 ETH");
  });

  it("names each transaction when there are several, and adds their fees up", async () => {
    const movement = crossing("signed", "sent", "done");
    const [step] = movement.steps;
    if (step)
      movement.steps = [
        { ...step, kind: "approve" },
        { ...step, index: 1, kind: "swap" },
      ];
    movement.feesPaid = [...movement.feesPaid, ...movement.feesPaid];
    serve({ ...onMainnet, "GET /api/v1/movements/m": movement });
    showPage(MovementPage, detail);
    expect(await screen.findByRole("link", { name: "Approval on Base's explorer" })).toBeDefined();
    expect(screen.getByRole("link", { name: "Exchange on Base's explorer" })).toBeDefined();
    expect(screen.getByText("Network fees").nextSibling?.textContent).toBe("0.000042 ETH");
  });

  it("links to no public explorer from the local network, which none knows", async () => {
    serve({
      "GET /api/v1/config": { network: "local" },
      "GET /api/v1/movements/m": crossing("signed", "sent", "done"),
    });
    showPage(MovementPage, detail);
    expect(await screen.findByRole("img", { name: "Progress: Done" })).toBeDefined();
    expect(screen.queryByRole("link", { name: /explorer/ })).toBeNull();
  });

  it("marks where it stands and names what is to come", async () => {
    serve({ "GET /api/v1/movements/m": crossing("signed", "sent", "confirming") });
    showPage(MovementPage, detail);
    await screen.findByRole("img", { name: "Progress: Confirming" });
    const items = screen.getAllByRole("listitem");
    expect(items.map((item) => item.querySelector("b")?.textContent)).toEqual([
      "Signed",
      "Sent",
      "Confirming",
      "Bridging",
      "Delivering",
      "Done",
    ]);
    expect(items.filter((item) => item.getAttribute("aria-current") === "step")).toHaveLength(1);
    expect(screen.getByText("Arrives, at least").nextSibling?.textContent).toBe("1,599.1 USDC");
  });

  it("goes on by itself when news come", async () => {
    serve({ "GET /api/v1/movements/m": crossing("signed", "sent", "confirming") });
    const { queryClient } = showPage(MovementPage, detail);
    await screen.findByRole("img", { name: "Progress: Confirming" });
    keepMovement(queryClient, crossing("signed", "sent", "confirming", "bridging"));
    expect(await screen.findByRole("img", { name: "Progress: Bridging" })).toBeDefined();
  });

  it("says why it failed and where the money is", async () => {
    const failed = crossing("signed", "sent", "failed");
    failed.problem = {
      code: "simulation_failed",
      message: "Slippage error. Please retry, or increase slippage if the issue persists.",
      fundsWhere: "0.5 ETH is in your wallet on Base.",
    };
    serve({ "GET /api/v1/movements/m": failed });
    showPage(MovementPage, detail);
    expect((await screen.findByRole("alert")).textContent).toContain("Slippage error.");
    expect(screen.getByText("0.5 ETH is in your wallet on Base.")).toBeDefined();
  });

  it("shows a payment's recipient in full", async () => {
    serve({ "GET /api/v1/movements/m": payment("sent") });
    showPage(MovementPage, detail);
    await screen.findByRole("heading", { level: 1, name: "0.5 ETH → 0x111111…111111" });
    expect(screen.getByText("To").nextSibling?.textContent).toBe(friend);
  });

  it("says that it does not exist, without a way to try in vain", async () => {
    serve({ "GET /api/v1/movements/m": problem(404, "movement_not_found", "There is no such movement.") });
    showPage(MovementPage, detail);
    expect((await screen.findByRole("alert")).textContent).toContain("There is no such movement.");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });
});
