// @ts-check
/**
 * The chain: executes transactions on the runtime at the clock's slot, and makes each durable before it returns.
 * Order for a transaction that lands: execute, journal (with the accounts it left), history, listeners. After a
 * crash the state is the last snapshot plus the accounts of the later journal records; nothing is executed again.
 */
import { EventEmitter } from 'node:events';
import { SLOTS_PER_EPOCH } from './clock.js';
import { readMint, readTokenAccount, tokenAmountJson } from './token-accounts.js';
import { feeOf, hasCurrentNonce, isWritable, resolveKeys } from './transaction.js';

/**
 * @typedef {import('./transaction.js').WireTransaction} WireTransaction
 * @typedef {import('./transaction.js').Account} Account
 * @typedef {import('./runtime.js').Outcome} Outcome
 * @typedef {import('./history.js').Entry} Entry
 *
 * @typedef {{entry: Entry, keys: string[], written: string[]}} Landed keys: all accounts named; written: those that
 *   could be written to
 *
 * @typedef {object} JournalRecord
 * @property {number} slot
 * @property {number} blockTime
 * @property {string} wire base64
 * @property {import('./history.js').Meta} meta
 * @property {Array<[string, {lamports: bigint | number, data: string, owner: string, executable: boolean} | null]>}
 *   accounts what the transaction left in the accounts it could write
 */

/** Emits 'landed' with a Landed after a transaction is durable. */
export class Chain extends EventEmitter {
  /**
   * @param {object} parts
   * @param {import('./runtime.js').Runtime} parts.runtime
   * @param {import('./clock.js').SlotClock} parts.clock
   * @param {import('./history.js').History} parts.history
   * @param {(record: JournalRecord) => void} parts.record makes the record durable, or throws
   * @param {(error: unknown) => never} parts.onFatal a transaction has run and could not be recorded: state and journal
   *   differ from here on, so the process must end
   */
  constructor({ runtime, clock, history, record, onFatal }) {
    super();
    this.setMaxListeners(0);
    this.runtime = runtime;
    this.clock = clock;
    this.history = history;
    this.record = record;
    this.onFatal = onFatal;
    /** @param {string} address */
    this.read = (address) => this.runtime.account(address);
  }

  /** Brings the runtime to the current slot and returns it. */
  enterSlot() {
    const slot = this.clock.slot();
    this.runtime.enterSlot(slot, {
      unixTime: this.clock.timeOf(slot),
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotHashes: this.clock.slotHashes(),
    });
    return slot;
  }

  /**
   * Whether the message may run now: its blockhash is recent, or its durable nonce current.
   * @param {import('./transaction.js').Message} message
   */
  isAlive(message) {
    return this.clock.usableSlotOf(message.lifetime) !== null || hasCurrentNonce(message, this.read);
  }

  /**
   * The newest blockhash at a slot, and until when it may be used.
   * @param {number} slot
   */
  blockhashAt(slot) {
    return { blockhash: this.clock.hashOf(slot), lastValidBlockHeight: this.clock.lastValidHeight(slot) };
  }

  /**
   * @param {WireTransaction} transaction
   * @param {{checkSignatures: boolean, anyLifetime?: boolean}} options
   * @returns {Outcome}
   */
  simulate(transaction, { checkSignatures, anyLifetime = false }) {
    this.enterSlot();
    if (!anyLifetime && !this.isAlive(transaction.message)) return refusal('BlockhashNotFound');
    const resolved = resolveKeys(transaction.message, this.read);
    if ('error' in resolved) return refusal(resolved.error);
    return this.runtime.simulate(transaction, checkSignatures);
  }

  /**
   * Runs a transaction for good, once: sent again it is found in the history. One that the network would not charge
   * for leaves no trace: then the result is null.
   * @param {WireTransaction} transaction
   * @returns {Entry | null}
   */
  submit(transaction) {
    const { message, signatures } = transaction;
    const slot = this.enterSlot();
    const known = this.history.get(signatures[0] ?? '');
    if (known) return known;
    if (signatures.includes(null) || !this.isAlive(message)) return null;
    const resolved = resolveKeys(message, this.read);
    if ('error' in resolved) return null;

    const before = { balances: this.#balances(resolved.keys), tokenBalances: this.#tokenBalances(resolved.keys) };
    const outcome = this.runtime.execute(transaction);
    if (outcome.error !== null && this.runtime.balance(resolved.keys[0]) === before.balances[0]) return null;
    let landed;
    try {
      landed = this.#land(transaction, slot, resolved, before, outcome);
    } catch (error) {
      return this.onFatal(error);
    }
    this.emit('landed', landed);
    return landed.entry;
  }

  /**
   * Makes an executed transaction a part of the chain's history.
   * @param {WireTransaction} transaction
   * @param {number} slot
   * @param {import('./transaction.js').ResolvedKeys} resolved
   * @param {{balances: bigint[], tokenBalances: unknown[]}} before
   * @param {Outcome} outcome
   * @returns {Landed}
   */
  #land(transaction, slot, resolved, before, outcome) {
    const { message } = transaction;
    const { keys } = resolved;
    const wire = Buffer.from(transaction.bytes).toString('base64');
    const blockTime = this.clock.timeOf(slot);
    /** @type {import('./history.js').Meta} */
    const meta = {
      err: outcome.error,
      status: outcome.error === null ? { Ok: null } : { Err: outcome.error },
      fee: feeOf(message),
      preBalances: before.balances,
      postBalances: this.#balances(keys),
      preTokenBalances: before.tokenBalances,
      postTokenBalances: this.#tokenBalances(keys),
      logMessages: outcome.logs,
      innerInstructions: outcome.inner,
      loadedAddresses: resolved.loaded,
      computeUnitsConsumed: outcome.units,
      ...(outcome.returnData && { returnData: outcome.returnData }),
      rewards: [],
    };
    const written = keys.filter((_, index) => isWritable(message, resolved, index));
    const accounts = written.map((key) => /** @type {[string, any]} */ ([key, accountRecord(this.read(key))]));
    this.record({ slot, blockTime, wire, meta, accounts });
    return { entry: this.history.add({ slot, blockTime, wire, meta }, transaction), keys, written };
  }

  /**
   * Commitment of a slot as clients see it.
   * @param {number} slot
   */
  confirmation(slot) {
    const final = slot <= this.clock.finalSlot();
    return {
      confirmations: final ? null : this.clock.slot() - slot,
      confirmationStatus: final ? 'finalized' : 'confirmed',
    };
  }

  /** @param {string} mint */
  decimalsOf(mint) {
    return readMint(this.read(mint))?.decimals ?? 0;
  }

  /** @param {string[]} keys */
  #balances(keys) {
    return keys.map((key) => this.runtime.balance(key));
  }

  /** @param {string[]} keys */
  #tokenBalances(keys) {
    return keys.flatMap((key, accountIndex) => {
      const account = this.read(key);
      const token = readTokenAccount(account);
      if (!account || !token) return [];
      const uiTokenAmount = tokenAmountJson(token.amount, this.decimalsOf(token.mint));
      return [{ accountIndex, mint: token.mint, owner: token.owner, programId: account.owner, uiTokenAmount }];
    });
  }
}

/**
 * @param {string} error
 * @returns {Outcome}
 */
function refusal(error) {
  return { error, logs: [], units: 0, inner: [], returnData: null, postAccounts: null };
}

/** @param {Account | null} account */
function accountRecord(account) {
  return account && { ...account, data: Buffer.from(account.data).toString('base64') };
}
