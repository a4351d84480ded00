import { describe, expect, it } from "vitest";
import programs from "../../../../localnet/solana/programs.json";
import type { Intent } from "./agreement.ts";
import { associatedTokenAccount, decodeSolana } from "./decode-solana.ts";
import { UnreadableTransaction } from "./facts.ts";
import {
  ATA,
  bytes,
  complaints,
  FRIEND,
  ME,
  pay,
  SOLANA,
  STRANGER,
  SYSTEM,
  step,
  TOKEN,
  USDC,
  unsigned,
  venue,
  WSOL,
} from "./solana-bytes.fixture.ts";

const payment: Intent = {
  kind: "transfer",
  chainId: SOLANA,
  asset: SYSTEM,
  amount: 2_500_000_000n,
  owner: ME,
  toChainId: SOLANA,
  toAsset: SYSTEM,
  recipient: FRIEND,
  minimumOut: 0n,
};
describe("reading Solana bytes", () => {
  it("reads a payment, its sender and its highest fee", () => {
    const limit = step("ComputeBudget111111111111111111111111111111", bytes("02e8030000"));
    const price = step("ComputeBudget111111111111111111111111111111", bytes("03", 1_000_001n));
    expect(decodeSolana(unsigned(limit, price, pay(FRIEND, 1n)), SOLANA, venue)).toEqual({
      chainId: SOLANA,
      from: ME,
      maximumFee: 5000n + 1001n,
      effects: [{ kind: "transfer", asset: SYSTEM, amount: 1n, recipient: FRIEND }],
    });
  });

  it.each([
    ["an unknown program", step(STRANGER, bytes("00"), ME)],
    ["an account assignment", step(SYSTEM, bytes("01000000", 0n), ME)],
    ["a token authority change", step(TOKEN, bytes("0600"), ME)],
  ])("refuses %s", (_, instruction) => {
    expect(() => decodeSolana(unsigned(instruction), SOLANA, venue)).toThrow(UnreadableTransaction);
  });

  it("knows an owner's token account as the local network's pools publish it", async () => {
    const pool = programs.pools[0];
    expect(await associatedTokenAccount(pool?.state ?? "", pool?.mintA ?? "")).toBe(pool?.vaultA);
  });
});

describe("a payment on Solana", () => {
  it("agrees for SOL", async () => {
    expect(await complaints(payment, pay(FRIEND, payment.amount))).toEqual([]);
  });

  it("agrees for a token, with the recipient's account opened first", async () => {
    const from = await associatedTokenAccount(ME, USDC);
    const to = await associatedTokenAccount(FRIEND, USDC);
    const open = step(ATA, bytes("01"), ME, to, FRIEND, USDC, SYSTEM, TOKEN);
    const send = step(TOKEN, bytes("0c", 1_000_000n, "06"), from, USDC, to, ME);
    expect(await complaints({ ...payment, asset: USDC, amount: 1_000_000n }, open, send)).toEqual([]);
  });

  it("complains about a token account of somebody else", async () => {
    const from = await associatedTokenAccount(ME, USDC);
    const to = await associatedTokenAccount(STRANGER, USDC);
    const send = step(TOKEN, bytes("0c", 1_000_000n, "06"), from, USDC, to, ME);
    const intent = { ...payment, asset: USDC, amount: 1_000_000n };
    expect(await complaints(intent, send)).toContain("It pays another address.");
  });

  it("complains about an account of another asset, which costs rent", async () => {
    const other = await associatedTokenAccount(FRIEND, USDC);
    const open = step(ATA, bytes("01"), ME, other, FRIEND, USDC, SYSTEM, TOKEN);
    const found = await complaints(payment, open, pay(FRIEND, payment.amount));
    expect(found).toEqual(["It opens an account of another asset."]);
  });

  it("complains about an extra payment", async () => {
    const found = await complaints(payment, pay(FRIEND, payment.amount), pay(STRANGER, 1n));
    expect(found).toContain("It takes another amount.");
  });
});

describe("a swap on Solana", () => {
  const intent: Intent = {
    ...payment,
    kind: "swap",
    toAsset: USDC,
    recipient: ME,
    amount: 10n ** 9n,
    minimumOut: 160_000_000n,
  };

  async function swap(change: { minimum?: bigint; destinationOwner?: string; closeTo?: string } = {}) {
    const { minimum = 160_000_000n, destinationOwner = ME, closeTo = ME } = change;
    const wrapped = await associatedTokenAccount(ME, WSOL);
    const destination = await associatedTokenAccount(destinationOwner, USDC);
    return [
      step(ATA, bytes("01"), ME, wrapped, ME, WSOL, SYSTEM, TOKEN),
      pay(wrapped, intent.amount),
      step(TOKEN, bytes("11"), wrapped),
      step(ATA, bytes("01"), ME, destination, destinationOwner, USDC, SYSTEM, TOKEN),
      step(
        venue.pool,
        bytes("f8c69e91e17587c8", intent.amount, minimum),
        STRANGER,
        ME,
        wrapped,
        destination,
        FRIEND,
        FRIEND,
        TOKEN,
      ),
      step(TOKEN, bytes("09"), wrapped, closeTo, ME),
    ];
  }

  it("agrees with the offer", async () => {
    expect(await complaints(intent, ...(await swap()))).toEqual([]);
  });

  it.each([
    ["a lower minimum", { minimum: 1n }, "It accepts less than the offer's minimum."],
    ["a stranger's account", { destinationOwner: STRANGER }, "It uses token accounts that are not yours."],
    ["what is left going elsewhere", { closeTo: STRANGER }, "It sends what is left to another address."],
  ])("complains about %s", async (_, change, complaint) => {
    expect(await complaints(intent, ...(await swap(change)))).toContain(complaint);
  });
});
