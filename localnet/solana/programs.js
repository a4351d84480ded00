// @ts-check
/** Our programs on the chain: where they are, their code, and the instructions that set pools up. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { AccountRole } from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';

/**
 * @typedef {object} Pool
 * @property {string} name
 * @property {string} state
 * @property {string} mintA
 * @property {string} mintB
 * @property {string} vaultA
 * @property {string} vaultB
 * @property {number} feeBps
 *
 * @typedef {object} Programs
 * @property {string} pool
 * @property {string} depository
 * @property {string} depositoryState
 * @property {string} depositoryVault
 * @property {Pool[]} pools
 */

/** @type {Programs} */
export const programs = JSON.parse(fs.readFileSync(new URL('programs.json', import.meta.url), 'utf8'));

/**
 * Puts the committed program files on the chain.
 * @param {import('./runtime.js').Runtime} runtime
 */
export function loadPrograms(runtime) {
  for (const [address, file] of [
    [programs.pool, 'pool.so'],
    [programs.depository, 'depository.so'],
  ]) {
    runtime.loadProgram(address, new Uint8Array(fs.readFileSync(new URL(`programs/${file}`, import.meta.url))));
  }
}

/**
 * The first eight bytes of an instruction's data.
 * @param {string} name
 */
function discriminator(name) {
  return createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
}

/**
 * @param {Pool} pool
 * @param {import('@solana/kit').TransactionSigner} payer
 * @returns {import('@solana/kit').Instruction}
 */
export function initializePoolInstruction(pool, payer) {
  const data = Buffer.alloc(10);
  discriminator('initialize_pool').copy(data);
  data.writeUInt16LE(pool.feeBps, 8);
  return {
    programAddress: asAddress(programs.pool),
    data: new Uint8Array(data),
    accounts: [
      /** @type {any} */ ({ address: payer.address, role: AccountRole.WRITABLE_SIGNER, signer: payer }),
      { address: asAddress(pool.state), role: AccountRole.WRITABLE },
      { address: asAddress(pool.mintA), role: AccountRole.READONLY },
      { address: asAddress(pool.mintB), role: AccountRole.READONLY },
      { address: asAddress(pool.vaultA), role: AccountRole.READONLY },
      { address: asAddress(pool.vaultB), role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    ],
  };
}

/**
 * @param {string} text
 * @returns {import('@solana/kit').Address}
 */
export function asAddress(text) {
  return /** @type {import('@solana/kit').Address} */ (text);
}
