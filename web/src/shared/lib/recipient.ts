import { isAddress as isSolanaAddress } from "@solana/kit";
import { getAddress, isAddress as isEvmAddress } from "viem/utils";
import type { AddressKind } from "./address";

/** Why a typed recipient was refused, finest reason first. */
export type RecipientProblem = "empty" | "other_kind" | "checksum" | "not_base58" | "invalid";

/** A checked recipient in its canonical spelling, or why it is none. */
export type ParsedRecipient = { ok: true; address: string } | { ok: false; problem: RecipientProblem };

const evmShape = /^0x[0-9a-fA-F]{40}$/;
const base58Shape = /^[1-9A-HJ-NP-Za-km-z]+$/;

/**
 * Reads what a person typed as the address of a recipient on a chain of `kind`.
 * On EVM: 0x and 40 hex digits, and when letters are of mixed case the EIP-55
 * checksum must hold. On Solana: base58 of 32 bytes.
 */
export function parseRecipient(kind: AddressKind, text: string): ParsedRecipient {
  const typed = text.trim();
  if (typed === "") return { ok: false, problem: "empty" };
  return kind === "evm" ? parseEvm(typed) : parseSolana(typed);
}

function parseEvm(typed: string): ParsedRecipient {
  if (!evmShape.test(typed)) {
    return { ok: false, problem: isSolanaAddress(typed) ? "other_kind" : "invalid" };
  }
  const digits = typed.slice(2);
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (mixed && !isEvmAddress(typed)) return { ok: false, problem: "checksum" };
  return { ok: true, address: getAddress(`0x${digits.toLowerCase()}`) };
}

function parseSolana(typed: string): ParsedRecipient {
  if (evmShape.test(typed)) return { ok: false, problem: "other_kind" };
  if (!base58Shape.test(typed)) return { ok: false, problem: "not_base58" };
  return isSolanaAddress(typed) ? { ok: true, address: typed } : { ok: false, problem: "invalid" };
}
