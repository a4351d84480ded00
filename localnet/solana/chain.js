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
 * @typedef {object} JournalRecord
 * @property {number} slot
 * @property {number} blockTime
 * @property {string} wire base64
 * @property {import('./history.js').Meta} meta
 * @property {string} nonceHash the runtime's hash when the transaction ran
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
   * @param {(record: JournalRecord) => void} parts.record makes the record durable; when it throws the process must end
   */
  constructor({ runtime, clock, history, record }) {
    super();
    this.setMaxListeners(0);
    this.runtime = runtime;
    this.clock = clock;
    this.history = history;
    this.record = record;
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
   * Runs a transaction for good. One that the network would not charge for leaves no trace: then the result is null.
   * @param {WireTransaction} transaction
   * @returns {Entry | null}
   */
  submit(transaction) {
    const { message, signatures } = transaction;
    const slot = this.enterSlot();
    if (signatures.includes(null) || !this.isAlive(message)) return null;
    const resolved = resolveKeys(message, this.read);
    if ('error' in resolved) return null;

    const { keys } = resolved;
    const preBalances = this.#balances(keys);
    const preTokenBalances = this.#tokenBalances(keys);
    const outcome = this.runtime.execute(transaction);
    const postBalances = this.#balances(keys);
    if (outcome.error !== null && postBalances[0] === preBalances[0]) return null;

    const wire = Buffer.from(transaction.bytes).toString('base64');
    const blockTime = this.clock.timeOf(slot);
    /** @type {import('./history.js').Meta} */
    const meta = {
      err: outcome.error,
      status: outcome.error === null ? { Ok: null } : { Err: outcome.error },
      fee: feeOf(message),
      preBalances,
      postBalances,
      preTokenBalances,
      postTokenBalances: this.#tokenBalances(keys),
      logMessages: outcome.logs,
      innerInstructions: outcome.inner,
      loadedAddresses: resolved.loaded,
      computeUnitsConsumed: outcome.units,
      ...(outcome.returnData && { returnData: outcome.returnData }),
      rewards: [],
    };
    const written = keys.filter((_, index) => isWritable(message, resolved, index));
    this.record({
      slot,
      blockTime,
      wire,
      meta,
      nonceHash: this.runtime.nonceHash(),
      accounts: written.map((key) => [key, accountRecord(this.read(key))]),
    });
    const entry = this.history.add({ slot, blockTime, wire, meta }, transaction);
    this.emit('landed', { entry, keys, written });
    return entry;
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
