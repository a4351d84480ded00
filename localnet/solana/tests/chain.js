// @ts-check
/** A chain in this process, without files and server, for tests of what transactions do. */
import * as kit from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import * as token from '@solana-program/token';
import { Chain } from '../chain.js';
import { SlotClock } from '../clock.js';
import { completeGenesis, writeFirstAccounts } from '../genesis.js';
import { History } from '../history.js';
import { asAddress, loadPrograms } from '../programs.js';
import { signedTransaction } from '../purse.js';
import { Runtime } from '../runtime.js';
import { readTokenAccount } from '../token-accounts.js';

export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
export const SOL_PRICE = 168_000_000n;

/** @typedef {import('../chain.js').Outcome} Outcome */

export async function newChain() {
  const [authority, treasury] = [await kit.generateKeyPairSigner(), await kit.generateKeyPairSigner()];
  const runtime = Runtime.create();
  writeFirstAccounts(runtime, authority.address);
  loadPrograms(runtime);
  const clock = new SlotClock({ startMs: Date.now(), seed: 'test' });
  const onFatal = (/** @type {unknown} */ error) => {
    throw error;
  };
  const chain = new Chain({ runtime, clock, history: new History(), record: () => {}, onFatal });
  await completeGenesis(chain, { authority, treasury, testAccounts: [], solPrice: SOL_PRICE });
  return { chain, authority, treasury };
}

/**
 * Runs a transaction and returns what happened to it.
 * @param {Chain} chain
 * @param {kit.KeyPairSigner} payer
 * @param {kit.Instruction[]} instructions
 */
export async function run(chain, payer, instructions) {
  const entry = chain.submit(await signedTransaction(chain, payer, instructions, chain.clock.slot()));
  if (!entry) throw new Error('the transaction did not land');
  return entry;
}

/**
 * The program error of a simulated transaction: `Custom` number, or the error as it is; null when it succeeds.
 * @param {Chain} chain
 * @param {kit.KeyPairSigner} payer
 * @param {kit.Instruction[]} instructions
 */
export async function errorOf(chain, payer, instructions) {
  const transaction = await signedTransaction(chain, payer, instructions, chain.clock.slot());
  const { error } = chain.simulate(transaction, { checkSignatures: true });
  const inner = /** @type {any} */ (error)?.InstructionError?.[1];
  return inner?.Custom ?? inner ?? error;
}

/**
 * @param {string} mint
 * @param {string} owner
 */
export async function associated(mint, owner) {
  const seeds = { mint: asAddress(mint), owner: asAddress(owner), tokenProgram: token.TOKEN_PROGRAM_ADDRESS };
  return (await token.findAssociatedTokenPda(seeds))[0];
}

/**
 * @param {kit.KeyPairSigner} payer
 * @param {string} mint
 * @param {string} [owner]
 */
export function createAssociated(payer, mint, owner = payer.address) {
  return token.getCreateAssociatedTokenIdempotentInstructionAsync({
    payer,
    mint: asAddress(mint),
    owner: asAddress(owner),
  });
}

/**
 * A person with 1,000 SOL and 100,000 of each mint given.
 * @param {{chain: Chain, authority: kit.KeyPairSigner}} net
 * @param {string[]} mints
 */
export async function person({ chain, authority }, mints) {
  const signer = await kit.generateKeyPairSigner();
  const amount = 100_000_000_000n;
  await run(chain, authority, [
    getTransferSolInstruction({ source: authority, destination: signer.address, amount: 1_000_000_000_000n }),
  ]);
  for (const mint of mints) {
    const account = await associated(mint, signer.address);
    await run(chain, authority, [
      await createAssociated(authority, mint, signer.address),
      token.getMintToInstruction({ mint: asAddress(mint), token: account, mintAuthority: authority, amount }),
    ]);
  }
  return signer;
}

/**
 * @param {Chain} chain
 * @param {string} account
 */
export function tokensIn(chain, account) {
  return readTokenAccount(chain.read(account))?.amount ?? null;
}

/**
 * Changes bytes of an account past all rules.
 * @param {Chain} chain
 * @param {string} address
 * @param {(view: DataView) => void} change
 */
export function patch(chain, address, change) {
  const account = chain.read(address);
  if (!account) throw new Error(`${address} is not there`);
  const data = Uint8Array.from(account.data);
  change(new DataView(data.buffer));
  chain.runtime.writeAccount(address, { ...account, data });
}
