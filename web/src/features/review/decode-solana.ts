import {
  type Address,
  type CompiledTransactionMessage,
  createAddressWithSeed,
  getAddressDecoder,
  getAddressEncoder,
  getBase16Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getProgramDerivedAddress,
  getTransactionDecoder,
} from "@solana/kit";
import { type Effect, type Facts, UnreadableTransaction } from "./facts.ts";

const SYSTEM = "11111111111111111111111111111111";
const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ASSOCIATED_TOKEN = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const LAMPORTS_PER_SIGNATURE = 5000n;
const MICRO = 1_000_000n;

/** The venue programs whose instructions this page can read. */
export interface VenuePrograms {
  pool: string;
  depository: string;
}

type Message = Exclude<CompiledTransactionMessage, { version: 1 }>;

interface Instruction {
  program: string;
  accounts: string[];
  data: Uint8Array;
}

/**
 * Reads an unsigned Solana wire transaction (hex without 0x). Throws
 * UnreadableTransaction for an instruction that is not a payment, a token
 * account, a wrap, a swap or a deposit, and for lookup tables, which this page
 * can't resolve on its own.
 */
export function decodeSolana(unsigned: string, chainId: number, venue: VenuePrograms): Facts {
  const message = decodeMessage(unsigned);
  const instructions = readInstructions(message);
  const effects: Effect[] = [];
  const budget = { units: 200_000n * BigInt(instructions.length), price: 0n };
  for (const instruction of instructions) {
    if (instruction.program === COMPUTE_BUDGET) readBudget(instruction, budget);
    else effects.push(...readEffect(instruction, venue));
  }
  const signatures = BigInt(message.header.numSignerAccounts);
  return {
    chainId,
    from: message.staticAccounts[0] ?? null,
    maximumFee: signatures * LAMPORTS_PER_SIGNATURE + (budget.units * budget.price + MICRO - 1n) / MICRO,
    effects,
  };
}

function decodeMessage(unsigned: string): Message {
  const wire = getBase16Encoder().encode(unsigned);
  try {
    const { messageBytes } = getTransactionDecoder().decode(wire);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    if (message.version === 1) throw new UnreadableTransaction("a version this page does not know");
    const again = getCompiledTransactionMessageEncoder().encode(message);
    if (!sameBytes(again, messageBytes)) throw new UnreadableTransaction("not the canonical encoding");
    return message;
  } catch (cause) {
    if (cause instanceof UnreadableTransaction) throw cause;
    throw new UnreadableTransaction("not a Solana transaction", { cause });
  }
}

function readInstructions(message: Message): Instruction[] {
  if (message.header.numSignerAccounts !== 1) throw new UnreadableTransaction("more than one signer");
  if ("addressTableLookups" in message && message.addressTableLookups?.length) {
    throw new UnreadableTransaction("accounts hidden in a lookup table");
  }
  const account = (index: number): string => {
    const address = message.staticAccounts[index];
    if (!address) throw new UnreadableTransaction("an account that is not listed");
    return address;
  };
  return message.instructions.map((instruction) => ({
    program: account(instruction.programAddressIndex),
    accounts: (instruction.accountIndices ?? []).map(account),
    data: new Uint8Array(instruction.data ?? []),
  }));
}

function readBudget({ data }: Instruction, budget: { units: bigint; price: bigint }) {
  if (data[0] === 2 && data.length === 5) budget.units = BigInt(view(data).getUint32(1, true));
  else if (data[0] === 3 && data.length === 9) budget.price = u64(data, 1);
  else throw new UnreadableTransaction("an unknown compute budget");
}

function readEffect(instruction: Instruction, venue: VenuePrograms): Effect[] {
  switch (instruction.program) {
    case SYSTEM:
      return readSystem(instruction);
    case TOKEN:
      return readToken(instruction);
    case ASSOCIATED_TOKEN:
      return readAssociatedToken(instruction);
    case venue.pool:
      return readPool(instruction);
    case venue.depository:
      return readDepository(instruction);
    default:
      throw new UnreadableTransaction(`program ${instruction.program}`);
  }
}

function readSystem({ data, accounts }: Instruction): Effect[] {
  const recipient = accounts[1];
  if (data[0] === CREATE_WITH_SEED && recipient) return [readSeeded(data, recipient)];
  if (data.length !== 12 || view(data).getUint32(0, true) !== 2 || !recipient) {
    throw new UnreadableTransaction("a system instruction other than a transfer");
  }
  return [{ kind: "transfer", asset: SYSTEM, amount: u64(data, 4), recipient }];
}

const CREATE_WITH_SEED = 3;
const LONGEST_SEED = 32;
const TOKEN_ACCOUNT_SPACE = 165n;

/**
 * System createAccountWithSeed: u32 tag, base, u64 length and seed, u64 lamports,
 * u64 space, owning program. Only an account of the token program is read. The
 * lamports don't matter: whoever closes the account gets all of them back.
 */
function readSeeded(data: Uint8Array, tokenAccount: string): Effect {
  const length = data.length - 92;
  const readable =
    length >= 0 && length <= LONGEST_SEED && view(data).getUint32(0, true) === CREATE_WITH_SEED;
  if (!readable || u64(data, 36) !== BigInt(length))
    throw new UnreadableTransaction("an unknown new account");
  const end = 44 + length;
  if (u64(data, end + 8) !== TOKEN_ACCOUNT_SPACE || addressAt(data, end + 16) !== TOKEN) {
    throw new UnreadableTransaction("a new account that is not for tokens");
  }
  return { kind: "createSeededAccount", base: addressAt(data, 4), seed: data.slice(44, end), tokenAccount };
}

function readToken({ data, accounts }: Instruction): Effect[] {
  const [first, second, third] = accounts;
  if (!first) throw new UnreadableTransaction("a token instruction without accounts");
  // SyncNative and CloseAccount only tidy the wrapping of SOL up.
  if (data[0] === 17 && data.length === 1) return [];
  const effect = second && readTokenEffect(data, first, second, third);
  if (!effect) throw new UnreadableTransaction("a token instruction this page does not know");
  return [effect];
}

/** Transfer (3), CloseAccount (9), TransferChecked (12) and InitializeAccount3 (18). */
function readTokenEffect(data: Uint8Array, first: string, second: string, third = ""): Effect | null {
  switch (`${data[0]}:${data.length}`) {
    case "3:9":
      return tokenTransfer(null, data, first, second);
    case "9:1":
      return { kind: "unwrap", amount: null, contract: first, recipient: second };
    case "12:10":
      return third ? tokenTransfer(second, data, first, third) : null;
    case "18:33":
      return {
        kind: "initializeTokenAccount",
        owner: addressAt(data, 1),
        mint: second,
        tokenAccount: first,
      };
    default:
      return null;
  }
}

function tokenTransfer(asset: string | null, data: Uint8Array, source: string, tokenAccount: string): Effect {
  return { kind: "tokenAccountTransfer", asset, amount: u64(data, 1), source, tokenAccount };
}

function readAssociatedToken({ data, accounts }: Instruction): Effect[] {
  const [, tokenAccount, owner, mint] = accounts;
  const creates = data.length === 0 || (data.length === 1 && (data[0] === 0 || data[0] === 1));
  if (!creates || !tokenAccount || !owner || !mint)
    throw new UnreadableTransaction("an unknown token account step");
  return [{ kind: "createTokenAccount", owner, mint, tokenAccount }];
}

// Layouts of the two programs: localnet/solana/README.md.
const SWAP = "f8c69e91e17587c8";
const DEPOSIT_NATIVE = "0d9e0ddf5fd51c06";
const DEPOSIT_TOKEN = "0b9c60da27a3b413";

function readPool({ program, data, accounts }: Instruction): Effect[] {
  const [, , source, destination] = accounts;
  if (data.length !== 24 || hex(data.subarray(0, 8)) !== SWAP || !source || !destination) {
    throw new UnreadableTransaction("an unknown pool instruction");
  }
  return [
    {
      kind: "poolSwap",
      amountIn: u64(data, 8),
      minimumOut: u64(data, 16),
      source,
      destination,
      contract: program,
    },
  ];
}

function readDepository({ program, data, accounts }: Instruction): Effect[] {
  const [, , depositor, , mint] = accounts;
  if (data.length !== 48 || !depositor || !mint) throw new UnreadableTransaction("an unknown deposit");
  const discriminator = hex(data.subarray(0, 8));
  const requestId = `0x${hex(data.subarray(16))}`;
  const amount = u64(data, 8);
  if (discriminator === DEPOSIT_NATIVE) {
    return [{ kind: "deposit", asset: SYSTEM, amount, depositor, contract: program, requestId }];
  }
  if (discriminator === DEPOSIT_TOKEN) {
    return [{ kind: "deposit", asset: mint, amount, depositor, contract: program, requestId }];
  }
  throw new UnreadableTransaction("an unknown deposit");
}

const view = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);
const u64 = (data: Uint8Array, offset: number) => view(data).getBigUint64(offset, true);
const addressAt = (data: Uint8Array, offset: number): string => getAddressDecoder().decode(data, offset);
const hex = (data: Uint8Array) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const sameBytes = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.prototype.every.call(a, (byte, index) => byte === b[index]);

/** The one token account of an owner for a mint (the Associated Token Account program's rule). */
export async function associatedTokenAccount(owner: string, mint: string): Promise<string> {
  const encoder = getAddressEncoder();
  const [address] = await getProgramDerivedAddress({
    programAddress: ASSOCIATED_TOKEN as Address,
    seeds: [owner, TOKEN, mint].map((part) => encoder.encode(part as Address)),
  });
  return address;
}

/** The address of a token account that an owner makes from a seed (the system program's rule). */
export function seededTokenAccount(owner: string, seed: Uint8Array): Promise<string> {
  return createAddressWithSeed({
    baseAddress: owner as Address,
    programAddress: TOKEN as Address,
    seed,
  });
}
