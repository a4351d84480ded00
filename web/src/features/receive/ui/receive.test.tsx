// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost/"}
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { problem, serve, showPage } from "@/testing/page";
import { ReceivePage } from "./ReceivePage";

const evm = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const solana = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
const accounts = [
  { kind: "evm", address: evm, walletId: "w", chainIds: [1, 8453, 42161, 80094, 56, 146, 43114, 137, 999] },
  { kind: "solana", address: solana, walletId: "w", chainIds: [7565164] },
];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("receiving", () => {
  it("shows each address in full, as QR, with the networks it is good for", async () => {
    serve({ "GET /api/v1/accounts": { accounts } });
    const { container } = showPage(ReceivePage);
    expect(await screen.findByRole("img", { name: "QR code of your EVM address" })).toBeDefined();
    expect(screen.getByRole("img", { name: "QR code of your Solana address" })).toBeDefined();
    expect(container.textContent).toContain(evm);
    expect(container.textContent).toContain(solana);
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Ethereum",
      "Base",
      "Arbitrum",
      "Berachain",
      "BSC",
      "Sonic",
      "Avalanche",
      "Polygon",
      "HyperEVM",
      "Solana",
    ]);
  });

  it("copies the whole address and says so", async () => {
    serve({ "GET /api/v1/accounts": { accounts } });
    const user = userEvent.setup();
    showPage(ReceivePage);
    await user.click(await screen.findByRole("button", { name: "Copy Solana address" }));
    expect(await navigator.clipboard.readText()).toBe(solana);
    expect(screen.getByText("Solana address copied")).toBeDefined();
  });

  it("says what failed", async () => {
    serve({ "GET /api/v1/accounts": problem(502, "custody_unavailable", "Custody does not answer now.") });
    showPage(ReceivePage);
    expect((await screen.findByRole("alert")).textContent).toContain("Custody does not answer now.");
  });
});
