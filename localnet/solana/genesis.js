// @ts-check
/**
 * What a new chain starts with. The mints and one purse are written as accounts; all else is made by plain
 * transactions, each of which does one thing whole, so that a start that was cut short goes on where it stopped.
 */
import { getTransferSolInstruction } from '@solana-program/system';
import {
  TOKEN_PROGRAM_ADDRESS,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getMintToInstruction,
  getSyncNativeInstruction,
} from '@solana-program/token';
import { fromBase58 } from './base58.js';
import { asAddress, initializePoolInstruction, programs } from './programs.js';
import { signedTransaction } from './purse.js';
import { TOKEN_PROGRAM, mintBytes } from './token-accounts.js';
import { SYSTEM_PROGRAM } from './transaction.js';

/** The stable coins' mints, at their public addresses. */
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const STABLE_DECIMALS = 6;
const LAMPORTS_PER_SOL = 1_000_000_000n;
const STABLE_UNIT = 1_000_000n;

const PURSE_LAMPORTS = 500_000_000n * LAMPORTS_PER_SOL;
const TREASURY = { sol: 50_000_000n, stable: 10_000_000_000n };
const TEST_ACCOUNT = { sol: 1_000n, stable: 100_000n };
// Depth of each side of the pools, in US dollars.
const SOL_POOL_DOLLARS = 50_000_000n;
const STABLE_POOL_DOLLARS = 50_000_000n;
const MICRO = 1_000_000n;

/**
 * @typedef {import('./keys.js').Signer} Signer
 * @typedef {import('./chain.js').Chain} Chain
 * @typedef {import('@solana/kit').Instruction} Instruction
 */

/**
 * Writes the accounts that must be there before the first transaction.
 * @param {import('./runtime.js').Runtime} runtime
 * @param {string} authority mint authority and purse
 */
export function writeFirstAccounts(runtime, authority) {
  const plain = { data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false };
  runtime.writeAccount(authority, { ...plain, lamports: PURSE_LAMPORTS });
  const data = mintBytes({ mintAuthority: fromBase58(authority), decimals: STABLE_DECIMALS });
  const lamports = runtime.rentExemption(data.length);
  for (const mint of [USDC, USDT]) {
    runtime.writeAccount(mint, { lamports, data, owner: TOKEN_PROGRAM, executable: false });
  }
}

/**
 * Sets up whatever of the starting state is not there yet.
 * @param {Chain} chain
 * @param {{authority: Signer, treasury: Signer, testAccounts: Signer[], solPrice: bigint}} settings solPrice in
 *   millionths of a US dollar
 */
export async function completeGenesis(chain, { authority, treasury, testAccounts, solPrice }) {
  const [solPool, stablePool] = programs.pools;
  await fund(chain, authority, treasury.address, TREASURY);
  for (const account of testAccounts) await fund(chain, authority, account.address, TEST_ACCOUNT);
  await openVault(chain, authority);
  await openPool(chain, authority, solPool, {
    amountA: (SOL_POOL_DOLLARS * MICRO * LAMPORTS_PER_SOL) / solPrice,
    amountB: SOL_POOL_DOLLARS * STABLE_UNIT,
  });
  await openPool(chain, authority, stablePool, {
    amountA: STABLE_POOL_DOLLARS * STABLE_UNIT,
    amountB: STABLE_POOL_DOLLARS * STABLE_UNIT,
  });
}

/**
 * @param {Chain} chain
 * @param {Signer} authority
 * @param {string} owner
 * @param {{sol: bigint, stable: bigint}} amounts whole coins
 */
async function fund(chain, authority, owner, { sol, stable }) {
  const associated = await associatedAddress(USDC, owner);
  if (chain.read(associated)) return;
  /** @type {Instruction[]} */
  const instructions = [
    getTransferSolInstruction({ source: authority, destination: asAddress(owner), amount: sol * LAMPORTS_PER_SOL }),
  ];
  for (const mint of [USDC, USDT]) {
    instructions.push(...(await mintToOwner(authority, mint, owner, stable * STABLE_UNIT)));
  }
  await run(chain, authority, instructions);
}

/**
 * The depository's vault must be rent-exempt, so that a deposit of any size can arrive.
 * @param {Chain} chain
 * @param {Signer} authority
 */
async function openVault(chain, authority) {
  if (chain.read(programs.depositoryVault)) return;
  const amount = chain.runtime.rentExemption(0);
  const destination = asAddress(programs.depositoryVault);
  await run(chain, authority, [getTransferSolInstruction({ source: authority, destination, amount })]);
}

/**
 * @param {Chain} chain
 * @param {Signer} authority
 * @param {import('./programs.js').Pool} pool
 * @param {{amountA: bigint, amountB: bigint}} amounts base units
 */
async function openPool(chain, authority, pool, { amountA, amountB }) {
  if (chain.read(pool.state)) return;
  await run(chain, authority, [
    ...(await deposit(authority, pool.mintA, pool, amountA)),
    ...(await deposit(authority, pool.mintB, pool, amountB)),
    initializePoolInstruction(pool, authority),
  ]);
}

/**
 * @param {Signer} authority
 * @param {string} mint
 * @param {import('./programs.js').Pool} pool
 * @param {bigint} amount base units
 * @returns {Promise<Instruction[]>}
 */
async function deposit(authority, mint, pool, amount) {
  if (mint !== WRAPPED_SOL) return mintToOwner(authority, mint, pool.state, amount);
  const account = asAddress(pool.vaultA);
  return [
    await createAssociated(authority, mint, pool.state),
    getTransferSolInstruction({ source: authority, destination: account, amount }),
    getSyncNativeInstruction({ account }),
  ];
}

/**
 * @param {Signer} authority
 * @param {string} mint
 * @param {string} owner
 * @param {bigint} amount base units
 * @returns {Promise<Instruction[]>}
 */
async function mintToOwner(authority, mint, owner, amount) {
  const token = await associatedAddress(mint, owner);
  return [
    await createAssociated(authority, mint, owner),
    getMintToInstruction({ mint: asAddress(mint), token, mintAuthority: authority, amount }),
  ];
}

/**
 * @param {Signer} payer
 * @param {string} mint
 * @param {string} owner
 */
function createAssociated(payer, mint, owner) {
  return getCreateAssociatedTokenIdempotentInstructionAsync({ payer, mint: asAddress(mint), owner: asAddress(owner) });
}

/**
 * @param {string} mint
 * @param {string} owner
 */
async function associatedAddress(mint, owner) {
  const seeds = { mint: asAddress(mint), owner: asAddress(owner), tokenProgram: TOKEN_PROGRAM_ADDRESS };
  return (await findAssociatedTokenPda(seeds))[0];
}

/**
 * Signs and submits one transaction.
 * @param {Chain} chain
 * @param {Signer} payer
 * @param {Instruction[]} instructions
 */
async function run(chain, payer, instructions) {
  const entry = chain.submit(await signedTransaction(chain, payer, instructions, chain.clock.slot()));
  if (!entry || entry.meta.err) {
    const reason = JSON.stringify(entry ? { err: entry.meta.err, logs: entry.meta.logMessages } : 'not accepted');
    throw new Error(`setting up the chain failed: ${reason}`);
  }
}
