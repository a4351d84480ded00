// @ts-check
/** Transactions that the service itself signs: those of the first start, and airdrops. */
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { BLOCKHASH_LIFETIME } from './clock.js';
import { asAddress } from './programs.js';
import { INTERNAL_ERROR, RpcError } from './rpc-error.js';
import { decodeTransaction } from './transaction.js';

/**
 * @typedef {import('./keys.js').Signer} Signer
 * @typedef {import('./chain.js').Chain} Chain
 * @typedef {import('@solana/kit').Instruction} Instruction
 */

/**
 * @param {Chain} chain
 * @param {Signer} payer
 * @param {Instruction[]} instructions
 * @param {number} slot whose blockhash to use
 */
export async function signedTransaction(chain, payer, instructions, slot) {
  const { blockhash, lastValidBlockHeight } = chain.blockhashAt(slot);
  const lifetime = /** @type {any} */ ({ blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  const signed = await signTransactionMessageWithSigners(message);
  return decodeTransaction(Uint8Array.from(getTransactionEncoder().encode(signed)));
}

/**
 * Pays an airdrop from the purse. Equal airdrops in one slot would be one transaction, so each takes the newest
 * blockhash that makes it another.
 * @param {Signer} purse
 * @returns {import('./methods/transaction-methods.js').Airdrop}
 */
export function airdropFrom(purse) {
  return async (chain, recipient, lamports) => {
    const transfer = getTransferSolInstruction({ source: purse, destination: asAddress(recipient), amount: lamports });
    const newest = chain.clock.slot();
    for (let slot = newest; slot > newest - BLOCKHASH_LIFETIME; slot--) {
      const transaction = await signedTransaction(chain, purse, [transfer], slot);
      const signature = /** @type {string} */ (transaction.signatures[0]);
      if (chain.history.get(signature)) continue;
      const entry = chain.submit(transaction);
      if (entry && !entry.meta.err) return signature;
      break;
    }
    throw new RpcError(INTERNAL_ERROR, 'airdrop failed');
  };
}
