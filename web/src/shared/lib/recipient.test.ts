import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressEnds, sameAddress, shortenAddress } from "./address";
import { parseRecipient } from "./recipient";

const evm = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const solana = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";

describe("an EVM recipient", () => {
  it.each([evm, evm.toLowerCase(), `0x${evm.slice(2).toUpperCase()}`, `  ${evm}\n`])(
    "is read from %j",
    (text) => {
      expect(parseRecipient("evm", text)).toEqual({ ok: true, address: evm });
    },
  );

  it.each([
    ["", "empty"],
    ["0xd8da6BF26964aF9D7eEd9e03E53415D37aA96045", "checksum"],
    [evm.slice(0, -1), "invalid"],
    [`${evm}0`, "invalid"],
    [evm.slice(2), "invalid"],
    [`0X${evm.slice(2)}`, "invalid"],
    ["0xZ8dA6BF26964aF9D7eEd9e03E53415D37aA96045", "invalid"],
    ["vitalik.eth", "invalid"],
    [solana, "other_kind"],
  ])("is refused: %j as %s", (text, problem) => {
    expect(parseRecipient("evm", text)).toEqual({ ok: false, problem });
  });

  it("is refused whenever one letter of a mixed-case address changes its case", () => {
    const letters = [...evm].flatMap((character, index) =>
      index > 1 && /[a-f]/i.test(character) ? [index] : [],
    );
    fc.assert(
      fc.property(fc.constantFrom(...letters), (index) => {
        const letter = evm.charAt(index);
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const wrong = evm.slice(0, index) + flipped + evm.slice(index + 1);
        expect(parseRecipient("evm", wrong)).toEqual({ ok: false, problem: "checksum" });
      }),
    );
  });
});

describe("a Solana recipient", () => {
  it("is read as it stands", () => {
    expect(parseRecipient("solana", ` ${solana} `)).toEqual({ ok: true, address: solana });
  });

  it.each([
    ["", "empty"],
    [evm, "other_kind"],
    [`${solana.slice(0, -1)}0`, "not_base58"],
    [`${solana.slice(0, -1)}l`, "not_base58"],
    [`${solana.slice(0, -1)}-`, "not_base58"],
    [solana.slice(0, -2), "invalid"],
    [`${solana}${solana}`, "invalid"],
    ["111", "invalid"],
  ])("is refused: %j as %s", (text, problem) => {
    expect(parseRecipient("solana", text)).toEqual({ ok: false, problem });
  });
});

describe("addresses", () => {
  it("are the same without regard to case on EVM, exactly on Solana", () => {
    expect(sameAddress("evm", evm, evm.toLowerCase())).toBe(true);
    expect(sameAddress("solana", solana, solana.toLowerCase())).toBe(false);
    expect(sameAddress("solana", solana, solana)).toBe(true);
  });

  it("keep their first and last six characters when shortened", () => {
    expect(shortenAddress(evm)).toBe("0xd8dA6B…A96045");
    expect(shortenAddress(solana)).toBe("9WzDXw…YtAWWM");
    expect(shortenAddress("short")).toBe("short");
    const { start, middle, end } = addressEnds(evm);
    expect(start + middle + end).toBe(evm);
  });
});
