/** The two kinds of address. EVM addresses are one on nine chains. */
export type AddressKind = "evm" | "solana";

/** Whether two addresses are the same: without regard to case on EVM, exactly on Solana. */
export function sameAddress(kind: AddressKind, a: string, b: string): boolean {
  return kind === "evm" ? a.toLowerCase() === b.toLowerCase() : a === b;
}

/** First and last six characters (after 0x), the part that people compare. */
export function addressEnds(address: string): { start: string; middle: string; end: string } {
  const from = address.startsWith("0x") ? 8 : 6;
  if (address.length <= from + 6) return { start: address, middle: "", end: "" };
  return { start: address.slice(0, from), middle: address.slice(from, -6), end: address.slice(-6) };
}

/** An address or hash for places too narrow for all of it: first and last six characters. */
export function shortenAddress(address: string): string {
  const { start, end } = addressEnds(address);
  return end ? `${start}…${end}` : start;
}
