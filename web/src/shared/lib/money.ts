/** Amounts are bigint base units of an asset; prices and values are decimal strings in US dollars. */

/** Why a typed amount was refused. */
export type AmountProblem = "empty" | "invalid" | "negative" | "zero" | "too_many_decimals";

const groupedPattern = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;

/** A typed amount in base units, or why it is none. */
export type ParsedAmount = { ok: true; amount: bigint } | { ok: false; problem: AmountProblem };

/**
 * Reads what a person typed as an amount of an asset with `decimals` places.
 * The point separates decimals. Commas may group thousands, as the page itself
 * writes them and people paste them; any other comma is refused, because it
 * could mean either. Exponents and signs are refused.
 */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, problem: "empty" };
  if (/^[-−]/.test(trimmed)) return { ok: false, problem: "negative" };
  const match = /^(\d*)(?:\.(\d*))?$/.exec(
    groupedPattern.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed,
  );
  const [, whole = "", fraction = ""] = match ?? [];
  if (!match || whole + fraction === "") return { ok: false, problem: "invalid" };
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > decimals) return { ok: false, problem: "too_many_decimals" };
  const amount = BigInt(whole + significant.padEnd(decimals, "0"));
  return amount === 0n ? { ok: false, problem: "zero" } : { ok: true, amount };
}

/**
 * Shifts an integer amount by `decimals` places, trims trailing zeros and keeps
 * the sign: the exact value, for fields, copying and accessible text.
 */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${negative ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}`;
}

/** The exact value, grouped for reading: for the review, where nothing may be cut. */
export function formatExact(amount: bigint, decimals: number): string {
  const [whole = "0", fraction] = formatUnits(amount, decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction ? `${grouped}.${fraction}` : grouped;
}

/** Decimal places kept for reading; amounts below 1 keep this many significant digits instead. */
const readablePlaces = 6;

/**
 * An amount for reading: grouped, shortened to six places (six significant
 * digits below 1). Always cut, never rounded up, so that nobody seems to have
 * more than he has.
 */
export function formatAmount(amount: bigint, decimals: number, places = readablePlaces): string {
  const exact = formatUnits(amount, decimals);
  const [signed = "0", fraction = ""] = exact.split(".");
  const leadingZeros = signed === "0" || signed === "-0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const kept = fraction.slice(0, leadingZeros + places).replace(/0+$/, "");
  const whole = signed.replace(/\B(?=(\d{3})+$)/g, ",");
  return kept ? `${whole}.${kept}` : whole;
}

const decimalPattern = /^-?\d+(\.\d+)?$/;

/** Whether a string is a plain decimal number, as prices and values are on the wire. */
function isDecimal(text: string): text is `${number}` {
  return decimalPattern.test(text);
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** A value in US dollars, such as "$1,607.30"; anything positive below a cent reads "<$0.01". */
export function formatUsd(value: string): string {
  if (!isDecimal(value)) return "—";
  const shown = dollars.format(value);
  return shown === "$0.00" && /[1-9]/.test(value) ? "<$0.01" : shown;
}

/** A value in US dollars in two parts, for the one large figure of a page. */
export function splitUsd(value: string): { whole: string; cents: string } {
  const [whole = "", cents = ""] = (isDecimal(value) ? dollars.format(value) : "$0.00").split(".");
  return { whole, cents: `.${cents}` };
}

const unitPlaces = 18;

/** A decimal string as an integer of 10^-18, for exact sums and shares. Throws on anything else. */
export function decimalToUnits(value: string): bigint {
  if (!isDecimal(value)) throw new RangeError("not a decimal number");
  const negative = value.startsWith("-");
  const [whole = "0", fraction = ""] = value.replace("-", "").split(".");
  const units = BigInt(whole + fraction.slice(0, unitPlaces).padEnd(unitPlaces, "0"));
  return negative ? -units : units;
}

/**
 * The value in US dollars of an amount at a price, cut to cents, as a decimal
 * string; null when there is no price.
 */
export function valueInUsd(amount: bigint, decimals: number, priceUsd: string | null): string | null {
  if (priceUsd === null || !isDecimal(priceUsd)) return null;
  const cents = (amount * decimalToUnits(priceUsd) * 100n) / 10n ** BigInt(decimals + unitPlaces);
  return formatUnits(cents, 2);
}
