// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost/"}
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newWalletStore } from "@/features/session";
import { crossing } from "@/testing/movement";
import { type Answers, problem, serve, showPage } from "@/testing/page";
import type { Portfolio } from "../api";
import { PortfolioPage } from "./PortfolioPage";

const usdcOnBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const asset = {
  chainId: 8453,
  address: usdcOnBase,
  symbol: "USDC",
  name: "USD Coin",
  decimals: 6,
  amount: "3120000000",
  priceUsd: "1.00",
  valueUsd: "3120.00",
};
const full: Portfolio = {
  asOf: Date.now(),
  totalUsd: "3120.00",
  chains: [
    { chainId: 8453, status: "ok", asOf: Date.now(), valueUsd: "3120.00" },
    { chainId: 999, status: "ok", asOf: Date.now(), valueUsd: "0" },
  ],
  assets: [asset, { ...asset, chainId: 1, amount: "0", valueUsd: "0" }],
};
const empty: Portfolio = { ...full, totalUsd: "0", assets: [{ ...asset, amount: "0", valueUsd: "0" }] };

function answers(portfolio: unknown, faucet = false): Answers {
  return {
    "GET /api/v1/portfolio": portfolio,
    "GET /api/v1/movements": { movements: [], next: null },
    "GET /api/v1/config": { network: faucet ? "local" : "mainnet", faucet, version: "1", custody: {} },
    "POST /api/v1/faucet-claims": { transactions: [] },
  };
}

afterEach(() => {
  cleanup();
  newWalletStore.set(false);
  vi.unstubAllGlobals();
});

describe("the portfolio", () => {
  it("shows the total and the assets that are held, with their chains", async () => {
    serve(answers(full));
    showPage(PortfolioPage);
    const assets = await screen.findByRole("list", { name: "Assets" });
    expect(screen.getByRole("heading", { level: 1, name: "Portfolio" })).toBeDefined();
    expect(within(assets).getAllByRole("listitem")).toHaveLength(1);
    expect(assets.textContent).toContain("USDC on Base");
    expect(assets.textContent).toContain("3,120 USDC");
    expect(screen.getByText("$3,120")).toBeDefined();
    expect(screen.getByRole("img", { name: "Allocation by chain" })).toBeDefined();
  });

  it("says that it is loading", async () => {
    serve(answers(() => new Promise(() => undefined)));
    showPage(PortfolioPage);
    expect(await screen.findByRole("status", { name: "Loading your assets" })).toBeDefined();
  });

  it("says what will be here when there is nothing yet", async () => {
    serve(answers(empty));
    showPage(PortfolioPage);
    expect(await screen.findByText("No assets yet")).toBeDefined();
    expect(screen.getByRole("link", { name: "Show my addresses" }).getAttribute("href")).toBe("/receive");
  });

  it("says which chain cannot be reached and shows the others", async () => {
    const chains = full.chains.map((chain) =>
      chain.chainId === 999 ? { ...chain, status: "unavailable" } : chain,
    );
    serve(answers({ ...full, chains }));
    showPage(PortfolioPage);
    expect(await screen.findByText(/HyperEVM can't be reached now\./)).toBeDefined();
    expect(screen.getByText(/USD Coin/)).toBeDefined();
  });

  it("says what failed and tries again", async () => {
    let broken = true;
    serve(
      answers(() => (broken ? problem(502, "chain_unavailable", "The chains do not answer now.") : full)),
    );
    showPage(PortfolioPage);
    expect((await screen.findByRole("alert")).textContent).toContain("The chains do not answer now.");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("list", { name: "Assets" })).toBeDefined();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("lists the newest movements", async () => {
    const movements = [crossing("signed", "sent", "delivering")];
    serve({ ...answers(full), "GET /api/v1/movements": { movements, next: null } });
    showPage(PortfolioPage);
    const row = await screen.findByRole("link", { name: /0.5 ETH → USDC/ });
    expect(row.getAttribute("href")).toBe("/activity/m");
    expect(row.textContent).toContain("Delivering");
  });
});

describe("starting funds", () => {
  it("are asked for once by itself for a new wallet, and then shown", async () => {
    newWalletStore.set(true);
    let funded = false;
    const sent = serve({
      ...answers(() => (funded ? full : empty), true),
      "POST /api/v1/faucet-claims": () => {
        funded = true;
        return { transactions: [] };
      },
    });
    showPage(PortfolioPage);
    expect(await screen.findByRole("list", { name: "Assets" })).toBeDefined();
    cleanup();
    showPage(PortfolioPage);
    expect(await screen.findByRole("button", { name: "Get test funds" })).toBeDefined();
    expect(sent.filter((name) => name === "POST /api/v1/faucet-claims")).toHaveLength(1);
  });

  it("are asked for by a button later, and a refusal stands in the page", async () => {
    const sent = serve({
      ...answers(empty, true),
      "POST /api/v1/faucet-claims": problem(429, "rate_limited", "Too many claims. Please wait a minute."),
    });
    showPage(PortfolioPage);
    await userEvent.click(await screen.findByRole("button", { name: "Get test funds" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Too many claims.");
    expect(sent.filter((name) => name === "POST /api/v1/faucet-claims")).toHaveLength(1);
  });

  it("are not offered where coins are real", async () => {
    serve(answers(empty, false));
    showPage(PortfolioPage);
    await screen.findByText("No assets yet");
    expect(screen.queryByRole("button", { name: "Get test funds" })).toBeNull();
    expect(screen.queryByText(/play money/)).toBeNull();
  });
});
