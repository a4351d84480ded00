// @ts-check
/** Every transaction of the chain, found by signature and by the accounts it names. */
import { decodeTransaction, memoOf } from './transaction.js';

/**
 * @typedef {object} Meta the meta object of getTransaction
 * @property {import('./runtime-errors.js').TransactionErrorJson | null} err
 * @property {unknown} status
 * @property {bigint | number} fee
 * @property {Array<bigint | number>} preBalances
 * @property {Array<bigint | number>} postBalances
 * @property {unknown[]} preTokenBalances
 * @property {unknown[]} postTokenBalances
 * @property {string[]} logMessages
 * @property {import('./runtime.js').Outcome['inner']} innerInstructions
 * @property {{writable: string[], readonly: string[]}} loadedAddresses
 * @property {number} computeUnitsConsumed
 * @property {unknown} [returnData]
 * @property {unknown[]} rewards
 *
 * @typedef {object} Entry
 * @property {string} signature
 * @property {number} slot
 * @property {number} blockTime Unix seconds
 * @property {string} wire the transaction, base64
 * @property {Meta} meta
 * @property {string | null} memo
 */

/** Keeps the entries in memory; the journal is what survives. */
export class History {
  /** @type {Map<string, Entry>} */
  #bySignature = new Map();
  /** @type {Map<string, Entry[]>} oldest first */
  #byAccount = new Map();

  /**
   * @param {{slot: number, blockTime: number, wire: string, meta: Meta}} landed
   * @param {import('./transaction.js').WireTransaction} [decoded] of wire, when the caller has it
   * @returns {Entry}
   */
  add({ slot, blockTime, wire, meta }, decoded = decodeTransaction(new Uint8Array(Buffer.from(wire, 'base64')))) {
    const { message, signatures } = decoded;
    const signature = /** @type {string} */ (signatures[0]);
    const entry = { signature, slot, blockTime, wire, meta, memo: memoOf(message) };
    this.#bySignature.set(signature, entry);
    const { writable, readonly } = meta.loadedAddresses;
    for (const account of new Set([...message.staticKeys, ...writable, ...readonly])) {
      const entries = this.#byAccount.get(account);
      if (entries) entries.push(entry);
      else this.#byAccount.set(account, [entry]);
    }
    return entry;
  }

  get count() {
    return this.#bySignature.size;
  }

  /** @param {string} signature */
  get(signature) {
    return this.#bySignature.get(signature);
  }

  /**
   * Transactions that name an account, newest first.
   * @param {string} account
   * @param {{before?: string, until?: string, limit: number, throughSlot: number}} range before and until are
   *   signatures, both excluded
   * @returns {Entry[]}
   */
  ofAccount(account, { before, until, limit, throughSlot }) {
    const all = this.#byAccount.get(account) ?? [];
    let end = all.length;
    if (before !== undefined) {
      const at = all.findIndex((entry) => entry.signature === before);
      if (at >= 0) end = at;
    }
    /** @type {Entry[]} */ const found = [];
    for (let i = end - 1; i >= 0 && found.length < limit; i--) {
      if (all[i].signature === until) break;
      if (all[i].slot <= throughSlot) found.push(all[i]);
    }
    return found;
  }
}
