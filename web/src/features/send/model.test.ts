import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUnits } from "@/shared/lib/money";
import { checkSend, type SendFacts, type SendForm } from "./model.ts";

const ME = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const FRIEND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SOLANA_FRIEND = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
const form: SendForm = { chainId: 8453, asset: "0x0", recipient: FRIEND, amount: "0.5" };
const facts: SendFacts = { kind: "evm", decimals: 18, balance: 10n ** 18n, own: ME };
const solana: SendFacts = {
  kind: "solana",
  decimals: 9,
  balance: 10n ** 9n,
  own: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
};

describe("a payment as typed", () => {
  it("ok/evm", () =>
    expect(checkSend(form, facts)).toEqual({ ok: true, recipient: FRIEND, amount: 5n * 10n ** 17n }));
  it("ok/solana", () =>
    expect(checkSend({ ...form, recipient: SOLANA_FRIEND }, solana)).toEqual({
      ok: true,
      recipient: SOLANA_FRIEND,
      amount: 5n * 10n ** 8n,
    }));

  it.each([
    ["nothing typed", { recipient: "" }, { recipient: "empty" }],
    ["a wrong checksum", { recipient: FRIEND.replace("C", "c") }, { recipient: "checksum" }],
    ["a Solana address on EVM", { recipient: SOLANA_FRIEND }, { recipient: "other_kind" }],
    ["a shortened address", { recipient: FRIEND.slice(0, 30) }, { recipient: "invalid" }],
    ["one's own address in another spelling", { recipient: ME.toLowerCase() }, { recipient: "self" }],
    ["no amount", { amount: "" }, { amount: "empty" }],
    ["zero", { amount: "0.000" }, { amount: "zero" }],
    ["a negative amount", { amount: "-1" }, { amount: "negative" }],
    ["too many decimals", { amount: "0.1234567890123456789" }, { amount: "too_many_decimals" }],
    ["more than there is", { amount: "1.000000000000000001" }, { amount: "above_balance" }],
    ["words", { amount: "1e5" }, { amount: "invalid" }],
  ])("fail/%s", (_, change, refusal) => {
    expect(checkSend({ ...form, ...change }, facts)).toEqual({ ok: false, ...refusal });
  });

  it("fail/an EVM address on Solana", () => {
    expect(checkSend(form, solana)).toMatchObject({ recipient: "other_kind" });
  });

  it("fail/letters that base58 does not have", () => {
    expect(checkSend({ ...form, recipient: `${SOLANA_FRIEND.slice(0, -1)}0` }, solana)).toMatchObject({
      recipient: "not_base58",
    });
  });

  it("reads back every amount that it shows", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 30n), (amount) => {
        const checked = checkSend(
          { ...form, amount: formatUnits(amount, 18) },
          { ...facts, balance: amount },
        );
        expect(checked).toMatchObject({ ok: true, amount });
      }),
    );
  });
});
