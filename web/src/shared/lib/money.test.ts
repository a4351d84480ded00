import vectorsFile from "@catalog/vectors/amounts.json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decimalToUnits,
  formatAmount,
  formatUnits,
  formatUsd,
  parseAmount,
  splitUsd,
  valueInUsd,
} from "./money";

describe("parseAmount", () => {
  it.each([
    ["0.5", 18, 500_000_000_000_000_000n],
    [" 12 ", 6, 12_000_000n],
    [".5", 6, 500_000n],
    ["5.", 6, 5_000_000n],
    ["1,500", 6, 1_500_000_000n],
    ["6,620.733999", 6, 6_620_733_999n],
    ["0.123456", 6, 123_456n],
    ["0.1234560000", 6, 123_456n],
    ["000001", 0, 1n],
    ["115792089237316195423570985008687907853269984665640564039457.584007913129639935", 18, 2n ** 256n - 1n],
  ])("reads %j with %d places", (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toEqual({ ok: true, amount });
  });

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["0", "zero"],
    ["0.000000", "zero"],
    ["-1", "negative"],
    ["−1", "negative"],
    ["-0", "negative"],
    ["0.1234567", "too_many_decimals"],
    ["0,5", "invalid"],
    ["0,500", "invalid"],
    ["1,50", "invalid"],
    ["1,2345", "invalid"],
    ["1 000", "invalid"],
    ["1e3", "invalid"],
    ["0x10", "invalid"],
    ["+1", "invalid"],
    [".", "invalid"],
    ["1..2", "invalid"],
    ["١٢", "invalid"],
    ["Infinity", "invalid"],
    ["one", "invalid"],
  ])("refuses %j as %s", (text, problem) => {
    expect(parseAmount(text, 6)).toEqual({ ok: false, problem });
  });

  it("reads back what formatUnits writes", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
        fc.integer({ min: 0, max: 36 }),
        (amount, decimals) => {
          expect(parseAmount(formatUnits(amount, decimals), decimals)).toEqual({ ok: true, amount });
        },
      ),
    );
  });
});

describe("the vectors shared with the server", () => {
  it.each(vectorsFile.vectors)(
    "$baseUnits with $decimals places is $text",
    ({ baseUnits, decimals, text }) => {
      const amount = BigInt(baseUnits);
      expect(formatUnits(amount, decimals)).toBe(text);
      if (amount > 0n) expect(parseAmount(text, decimals)).toEqual({ ok: true, amount });
    },
  );
});

describe("formatAmount", () => {
  it.each([
    [3_120_000_000n, 6, "3,120"],
    [1_234_567_891_234n, 6, "1,234,567.891234"],
    [1_999_999_999_999_999_999n, 18, "1.999999"],
    [1n, 18, "0.000000000000000001"],
    [123_456_789n, 18, "0.000000000123456"],
    [-5_000_000n, 6, "-5"],
    [0n, 6, "0"],
  ])("%d with %d places reads %s", (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text);
  });

  it("never shows more than there is", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (amount) => {
        const shown = parseAmount(formatAmount(amount, 18).replaceAll(",", ""), 18);
        expect(shown.ok ? shown.amount : 0n).toBeLessThanOrEqual(amount);
      }),
    );
  });
});

describe("US dollars", () => {
  it.each([
    ["1607.3", "$1,607.30"],
    ["0", "$0.00"],
    ["0.004", "<$0.01"],
    ["0.005", "$0.01"],
    ["-2.69", "-$2.69"],
    ["123456789012345678.91", "$123,456,789,012,345,678.91"],
    ["nonsense", "—"],
    ["1e9", "—"],
  ])("%s reads %s", (value, text) => expect(formatUsd(value)).toBe(text));

  it("come in two parts for the large figure", () => {
    expect(splitUsd("18402.574")).toEqual({ whole: "$18,402", cents: ".57" });
    expect(splitUsd("")).toEqual({ whole: "$0", cents: ".00" });
  });

  it("are exact, cut to cents", () => {
    expect(valueInUsd(500_000_000_000_000_000n, 18, "3214.6")).toBe("1607.3");
    expect(valueInUsd(1_999_999n, 6, "1")).toBe("1.99");
    expect(valueInUsd(1n, 18, "3000")).toBe("0");
    expect(valueInUsd(10n, 6, null)).toBeNull();
    expect(valueInUsd(10n, 6, "free")).toBeNull();
  });

  it("sum without floats", () => {
    expect(decimalToUnits("0.1") + decimalToUnits("0.2")).toBe(decimalToUnits("0.3"));
    expect(decimalToUnits("-1.5")).toBe(-1_500_000_000_000_000_000n);
    expect(() => decimalToUnits("1,5")).toThrow(RangeError);
  });
});
