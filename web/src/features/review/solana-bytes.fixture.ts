import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { disagreements, type Intent } from "./agreement.ts";
import { decodeSolana } from "./decode-solana.ts";

// What the tests of this folder write Solana transactions with.

export const SYSTEM = "11111111111111111111111111111111";
export const USDT = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
export const WSOL = "So11111111111111111111111111111111111111112";
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const ATA = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
export const ME = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
export const FRIEND = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
export const STRANGER = "DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy";
export const SOLANA = 7565164;
export const venue = {
  pool: "TenfoLdPooL11111111111111111111111111111111",
  depository: "TenfoLdDeposit11111111111111111111111111111",
};
const allowed = { swap: venue.pool, deposit: venue.depository, between: USDC };
const native = { asset: SYSTEM, wrapped: WSOL };

export const bytes = (...parts: (number | bigint | string)[]) => {
  const out: number[] = [];
  for (const part of parts) {
    if (typeof part === "number") out.push(part);
    else if (typeof part === "bigint")
      for (let i = 0n; i < 8n; i++) out.push(Number((part >> (8n * i)) & 0xffn));
    else out.push(...(part.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
  }
  return new Uint8Array(out);
};
const roleOf = (address: string) => {
  if (address === ME) return AccountRole.WRITABLE_SIGNER;
  return address === SYSTEM || address === TOKEN ? AccountRole.READONLY : AccountRole.WRITABLE;
};
export const step = (program: string, data: Uint8Array, ...accounts: string[]): Instruction => ({
  programAddress: program as Address,
  data,
  accounts: accounts.map((address) => ({
    address: address as Address,
    role: roleOf(address),
  })),
});
export const pay = (to: string, lamports: bigint) => step(SYSTEM, bytes("02000000", lamports), ME, to);

export function unsigned(...instructions: Instruction[]): string {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(ME as Address, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(WSOL), lastValidBlockHeight: 1n },
        m,
      ),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  return Array.from(getTransactionEncoder().encode(compileTransaction(message)), (b) =>
    b.toString(16).padStart(2, "0"),
  ).join("");
}

/** What the page says about a transaction. */
export const complaints = (intent: Intent, ...instructions: Instruction[]) =>
  disagreements(intent, [decodeSolana(unsigned(...instructions), SOLANA, venue)], allowed, native);
