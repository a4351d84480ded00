import { type Address, createAddressWithSeed, getAddressEncoder } from "@solana/kit";
import { describe, expect, it } from "vitest";
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
  USDT,
  unsigned,
  venue,
  WSOL,
} from "./solana-bytes.fixture.ts";

// The shapes that localnet/venue/internal/solanachain sends around wrapped SOL and through two pools.

const AMOUNT = 500_000_000n;
const MINIMUM = 3_000_000n;
const BETWEEN = 80_000_000n;
const seed = "0123456789abcdef0123456789abcdef";
const hex = (data: Iterable<number>) =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const raw = (address: string) => hex(getAddressEncoder().encode(address as Address));
const own = (mint: string) => associatedTokenAccount(ME, mint);
const temporaryOf = (base = ME) =>
  createAddressWithSeed({ baseAddress: base as Address, programAddress: TOKEN as Address, seed });

const between = (asset: string, toAsset: string): Intent => ({
  kind: "swap",
  chainId: SOLANA,
  asset,
  amount: AMOUNT,
  owner: ME,
  toChainId: SOLANA,
  toAsset,
  recipient: ME,
  minimumOut: MINIMUM,
});

const create = (account: string, { base = ME, space = 165n, program = TOKEN, length = 32n } = {}) =>
  step(
    SYSTEM,
    bytes(
      "03000000",
      raw(base),
      length,
      hex(new TextEncoder().encode(seed)),
      2_039_280n,
      space,
      raw(program),
    ),
    ME,
    account,
    ME,
  );
const initialize = (account: string, owner = ME, mint = WSOL) =>
  step(TOKEN, bytes("12", raw(owner)), account, mint);
const swap = (from: string, to: string, amount = AMOUNT, minimum = MINIMUM, pool = venue.pool) =>
  step(pool, bytes("f8c69e91e17587c8", amount, minimum), STRANGER, ME, from, to, FRIEND, FRIEND, TOKEN);
const close = (account: string, to = ME) => step(TOKEN, bytes("09"), account, to, ME);
const send = (from: string, to: string, amount = AMOUNT) => step(TOKEN, bytes("03", amount), from, to, ME);
const open = (account: string, mint: string, owner = ME) =>
  step(ATA, bytes("01"), ME, account, owner, mint, SYSTEM, TOKEN);

const unneeded = "It opens an account that it does not need.";
const notYours = "It uses token accounts that are not yours.";
const nothing = "It does not do what you asked for.";
const wrapped = "It leaves what you receive wrapped.";

const usdc = await own(USDC);
const usdt = await own(USDT);
const wsol = await own(WSOL);
const friends = await associatedTokenAccount(FRIEND, WSOL);
const stranger = await associatedTokenAccount(STRANGER, USDC);
const temporary = await temporaryOf();
const strangers = await temporaryOf(STRANGER);

describe("reading the steps of a temporary account", () => {
  it("reads where it is, from what, for whom and for which token", () => {
    const { effects } = decodeSolana(unsigned(create(temporary), initialize(temporary)), SOLANA, venue);
    expect(effects).toEqual([
      {
        kind: "createSeededAccount",
        base: ME,
        seed: new TextEncoder().encode(seed),
        tokenAccount: temporary,
      },
      { kind: "initializeTokenAccount", owner: ME, mint: WSOL, tokenAccount: temporary },
    ]);
  });

  it.each([
    ["of another size", create(temporary, { space: 0n })],
    ["of another program", create(temporary, { program: SYSTEM })],
    ["with another length of its seed", create(temporary, { length: 31n })],
    ["cut short", step(SYSTEM, bytes("03000000", raw(ME)), ME, temporary, ME)],
    [
      "with a seed that is too long",
      step(SYSTEM, bytes("03000000", hex(new Uint8Array(130))), ME, temporary),
    ],
  ])("refuses an account %s", (_, instruction) => {
    expect(() => decodeSolana(unsigned(instruction), SOLANA, venue)).toThrow(UnreadableTransaction);
  });
});

describe("a swap for SOL by somebody who holds wrapped SOL", () => {
  const intent = between(USDC, SYSTEM);
  const opened = [create(temporary), initialize(temporary)];
  const paid = swap(usdc, temporary);

  it("agrees when a temporary account receives it and is closed", async () => {
    expect(await complaints(intent, ...opened, paid, close(temporary))).toEqual([]);
  });

  it("agrees with the ordinary account when nothing was wrapped", async () => {
    expect(await complaints(intent, open(wsol, WSOL), swap(usdc, wsol), close(wsol))).toEqual([]);
  });

  it.each([
    ["that stays open", [...opened, paid], wrapped],
    ["closed before it receives", [...opened, close(temporary), paid], wrapped],
    [
      "closed to a stranger",
      [...opened, paid, close(temporary, STRANGER)],
      "It sends what is left to another address.",
    ],
    [
      "at an address of no seed",
      [create(friends), initialize(friends), swap(usdc, friends), close(friends)],
      unneeded,
    ],
    [
      "from a stranger's base",
      [create(strangers, { base: STRANGER }), initialize(strangers), swap(usdc, strangers), close(strangers)],
      unneeded,
    ],
    [
      "whose owner is a stranger",
      [create(temporary), initialize(temporary, STRANGER), paid, close(temporary)],
      "It opens an account for another address.",
    ],
    [
      "of another token",
      [create(temporary), initialize(temporary, ME, USDT), paid, close(temporary)],
      unneeded,
    ],
    ["made twice", [...opened, ...opened, paid, close(temporary)], unneeded],
    ["that was not made here", [paid, close(temporary)], notYours],
    [
      "that is a source too",
      [...opened, paid, send(temporary, friends), close(temporary)],
      "It sends a token without naming it.",
    ],
    ["passed by", [...opened, swap(usdc, wsol), close(temporary)], notYours],
    [
      "and the ordinary one closed",
      [...opened, paid, close(temporary), close(wsol)],
      "It closes another account.",
    ],
    [
      "paid lamports",
      [...opened, paid, pay(temporary, AMOUNT), close(temporary)],
      "It sends instead of swapping.",
    ],
    [
      "with too low a minimum",
      [...opened, swap(usdc, temporary, AMOUNT, 1n), close(temporary)],
      "It accepts less than the offer's minimum.",
    ],
    [
      "for another amount",
      [...opened, swap(usdc, temporary, AMOUNT + 1n), close(temporary)],
      "It takes another amount.",
    ],
  ])("complains about an account %s", async (_, instructions, complaint) => {
    expect(await complaints(intent, ...instructions)).toContain(complaint);
  });

  it("complains about an ordinary account that stays open", async () => {
    expect(await complaints(intent, swap(usdc, wsol))).toEqual([wrapped]);
  });

  it("complains about a temporary account for any other request", async () => {
    const steps = [...opened, swap(usdc, usdt), close(temporary)];
    expect(await complaints(between(USDC, USDT), ...steps)).toContain(unneeded);
  });
});

describe("unwrapping SOL", () => {
  const intent = between(WSOL, SYSTEM);
  const opened = [create(temporary), initialize(temporary)];

  it("agrees when the amount passes through a temporary account", async () => {
    expect(await complaints(intent, ...opened, send(wsol, temporary), close(temporary))).toEqual([]);
  });

  it("agrees with a transfer that names the token", async () => {
    const checked = step(TOKEN, bytes("0c", AMOUNT, "09"), wsol, WSOL, temporary, ME);
    expect(await complaints(intent, ...opened, checked, close(temporary))).toEqual([]);
  });

  it.each([
    ["another amount", [...opened, send(wsol, temporary, 1n), close(temporary)], "It takes another amount."],
    [
      "another account's tokens",
      [...opened, send(usdc, temporary), close(temporary)],
      "It takes another asset.",
    ],
    [
      "a second transfer",
      [...opened, send(wsol, temporary), send(wsol, temporary), close(temporary)],
      "It pays more than once.",
    ],
    [
      "a transfer elsewhere",
      [...opened, send(wsol, friends), close(temporary)],
      "It sends a token without naming it.",
    ],
    ["an account that stays open", [...opened, send(wsol, temporary)], wrapped],
    [
      "a closing to a stranger",
      [...opened, send(wsol, temporary), close(temporary, STRANGER)],
      "It sends what is left to another address.",
    ],
    [
      "all being unwrapped as well",
      [...opened, send(wsol, temporary), close(temporary), close(wsol)],
      "It closes another account.",
    ],
    ["a bare closing, whose amount can't be read", [close(wsol)], nothing],
  ])("complains about %s", async (_, instructions, complaint) => {
    expect(await complaints(intent, ...instructions)).toContain(complaint);
  });

  it("complains about a transfer into it when a swap was asked for", async () => {
    const steps = [...opened, swap(usdc, temporary), send(wsol, temporary), close(temporary)];
    expect(await complaints(between(USDC, SYSTEM), ...steps)).toContain("It takes another asset.");
  });

  it("complains about unwrapping around a swap of wrapped SOL", async () => {
    const found = await complaints(between(WSOL, USDC), swap(wsol, usdc), close(wsol));
    expect(found).toEqual(["It wraps or unwraps coins."]);
  });
});

describe("a swap through two pools", () => {
  const first = (from: string) => swap(from, usdc, AMOUNT, BETWEEN);
  const second = (to: string, amount = BETWEEN) => swap(usdc, to, amount, MINIMUM);
  const wrap = [open(wsol, WSOL), pay(wsol, AMOUNT), step(TOKEN, bytes("11"), wsol)];
  const opened = [create(temporary), initialize(temporary)];

  it.each([
    [
      "SOL for USDT",
      SYSTEM,
      USDT,
      [...wrap, open(usdt, USDT), open(usdc, USDC), first(wsol), second(usdt), close(wsol)],
    ],
    ["SOL for USDT, with wrapped SOL held", SYSTEM, USDT, [...wrap.slice(1), first(wsol), second(usdt)]],
    ["wrapped SOL for USDT", WSOL, USDT, [open(usdt, USDT), open(usdc, USDC), first(wsol), second(usdt)]],
    [
      "USDT for SOL",
      USDT,
      SYSTEM,
      [open(wsol, WSOL), open(usdc, USDC), first(usdt), second(wsol), close(wsol)],
    ],
    [
      "USDT for SOL, with wrapped SOL held",
      USDT,
      SYSTEM,
      [...opened, first(usdt), second(temporary), close(temporary)],
    ],
    ["USDT for wrapped SOL", USDT, WSOL, [open(wsol, WSOL), open(usdc, USDC), first(usdt), second(wsol)]],
  ])("agrees for %s", async (_, asset, toAsset, instructions) => {
    expect(await complaints(between(asset, toAsset), ...instructions)).toEqual([]);
  });

  it.each([
    ["another amount in", [swap(usdt, usdc, AMOUNT + 1n, BETWEEN), second(wsol)], "It takes another amount."],
    [
      "too low a minimum at the end",
      [first(usdt), swap(usdc, wsol, BETWEEN, 1n)],
      "It accepts less than the offer's minimum.",
    ],
    ["more paid on than the first gives", [first(usdt), second(wsol, BETWEEN + 1n)], notYours],
    [
      "a stranger's account between",
      [swap(usdt, stranger, AMOUNT, BETWEEN), swap(stranger, wsol, BETWEEN)],
      notYours,
    ],
    [
      "an account between that is not the next source",
      [swap(usdt, stranger, AMOUNT, BETWEEN), second(wsol)],
      notYours,
    ],
    ["another token between", [swap(usdt, friends, AMOUNT, BETWEEN), swap(friends, wsol, BETWEEN)], notYours],
    ["the last account a stranger's", [first(usdt), second(friends)], notYours],
    ["the swaps in the other order", [second(wsol), first(usdt)], notYours],
    ["a third swap", [first(usdt), second(usdc), second(wsol)], notYours],
    ["the first swap alone", [first(usdt)], notYours],
    [
      "an account between for somebody else",
      [open(stranger, USDC, STRANGER), first(usdt), second(wsol)],
      "It opens an account for another address.",
    ],
    [
      "tokens leaving between",
      [first(usdt), send(usdc, stranger), second(wsol)],
      "It sends a token without naming it.",
    ],
  ])("complains about %s", async (_, instructions, complaint) => {
    const found = await complaints(between(USDT, SYSTEM), ...instructions, close(wsol));
    expect(found).toContain(complaint);
  });

  it("complains about an account between that no two swaps pass through", async () => {
    const found = await complaints(between(USDT, SYSTEM), open(usdc, USDC), swap(usdt, wsol), close(wsol));
    expect(found).toEqual(["It opens an account of another asset."]);
  });

  it("complains about a result that stays wrapped", async () => {
    expect(await complaints(between(USDT, SYSTEM), first(usdt), second(wsol))).toEqual([wrapped]);
  });
});
