// @ts-check
/** WebSocket subscriptions: slots, signatures, accounts, programs, logs. */
import { MAX_BASE58_BYTES, accountJson, checkEncoding } from './account-json.js';
import { FINALITY_SLOTS, SLOT_MS } from './clock.js';
import { INVALID_PARAMS, RpcError, invalidParams } from './rpc-error.js';
import { SYSTEM_PROGRAM } from './transaction.js';
import { address, commitment, config, signature, withContext } from './methods/params.js';

/**
 * @typedef {import('./chain.js').Chain} Chain
 * @typedef {import('./chain.js').Landed} Landed
 * @typedef {(method: string, result: unknown, subscription: number) => void} Push sends to one client
 *
 * @typedef {object} Subscription
 * @property {number} id
 * @property {Push} push
 * @property {string} notification
 * @property {boolean} finalOnly
 * @property {boolean} once
 * @property {(landed: Landed) => unknown[]} resultsOf what to tell of a transaction
 */

/** Owns the subscriptions of all clients. */
export class Subscriptions {
  /** @type {Map<number, Subscription>} */
  #active = new Map();
  /** @type {Map<number, Push>} */
  #slotWatchers = new Map();
  /** @type {Array<{due: number, id: number, results: unknown[]}>} waiting for their slot to be final */
  #waiting = [];
  #lastId = 0;
  #lastSlot = 0;
  /** @type {NodeJS.Timeout} */
  #timer;

  /** @param {Chain} chain */
  constructor(chain) {
    this.chain = chain;
    chain.on('landed', (landed) => this.#onLanded(landed));
    this.#timer = setInterval(() => this.#onTick(), SLOT_MS / 4);
    this.#timer.unref();
  }

  close() {
    clearInterval(this.#timer);
  }

  /**
   * Handles a subscribe or unsubscribe request.
   * @param {string} method
   * @param {any[]} params
   * @param {Push} push
   * @returns {{result: unknown, after?: () => void} | null} null when the method is not ours; after runs once the
   *   answer is sent, so that no notification precedes it
   */
  handle(method, params, push) {
    switch (method) {
      case 'slotSubscribe':
        return this.#watchSlots(push);
      case 'signatureSubscribe':
        return this.#watchSignature(params, push);
      case 'accountSubscribe':
        return this.#watchAccount(params, push);
      case 'programSubscribe':
        return this.#watchProgram(params, push);
      case 'logsSubscribe':
        return this.#watchLogs(params, push);
      case 'slotUnsubscribe':
      case 'signatureUnsubscribe':
      case 'accountUnsubscribe':
      case 'programUnsubscribe':
      case 'logsUnsubscribe':
        return { result: this.#remove(params[0]) };
      default:
        return null;
    }
  }

  /**
   * Forgets all subscriptions of a client that has gone.
   * @param {Push} push
   */
  removeClient(push) {
    for (const [id, subscription] of this.#active) if (subscription.push === push) this.#active.delete(id);
    for (const [id, watcher] of this.#slotWatchers) if (watcher === push) this.#slotWatchers.delete(id);
  }

  /** @param {unknown} id */
  #remove(id) {
    if (this.#active.delete(Number(id)) || this.#slotWatchers.delete(Number(id))) return true;
    throw new RpcError(INVALID_PARAMS, 'Invalid subscription id.');
  }

  /** @param {Push} push */
  #watchSlots(push) {
    const id = ++this.#lastId;
    this.#slotWatchers.set(id, push);
    return { result: id };
  }

  /**
   * @param {Push} push
   * @param {Omit<Subscription, 'id' | 'push'>} rest
   */
  #add(push, rest) {
    const subscription = { id: ++this.#lastId, push, ...rest };
    this.#active.set(subscription.id, subscription);
    return subscription;
  }

  /**
   * @param {any[]} params
   * @param {Push} push
   */
  #watchSignature([wanted, settings], push) {
    const key = signature(wanted);
    const subscription = this.#add(push, {
      notification: 'signatureNotification',
      finalOnly: isFinal(settings),
      once: true,
      resultsOf: ({ entry }) => (entry.signature === key ? [{ err: entry.meta.err }] : []),
    });
    const after = () => {
      const entry = this.chain.history.get(key);
      if (entry) this.#deliver(subscription, entry.slot, [{ err: entry.meta.err }]);
    };
    return { result: subscription.id, after };
  }

  /**
   * @param {any[]} params
   * @param {Push} push
   */
  #watchAccount([wanted, settings], push) {
    const key = address(wanted);
    const form = checkEncoding(config(settings));
    const { id } = this.#add(push, {
      notification: 'accountNotification',
      finalOnly: isFinal(settings),
      once: false,
      resultsOf: ({ written }) => (written.includes(key) ? [this.#accountJson(key, form) ?? emptyAccount()] : []),
    });
    return { result: id };
  }

  /**
   * @param {any[]} params
   * @param {Push} push
   */
  #watchProgram([wanted, settings], push) {
    const program = address(wanted);
    const form = checkEncoding(config(settings));
    const { id } = this.#add(push, {
      notification: 'programNotification',
      finalOnly: isFinal(settings),
      once: false,
      resultsOf: ({ written }) =>
        written
          .filter((key) => this.chain.read(key)?.owner === program)
          .map((pubkey) => ({ pubkey, account: this.#accountJson(pubkey, form) })),
    });
    return { result: id };
  }

  /**
   * @param {any[]} params
   * @param {Push} push
   */
  #watchLogs([filter, settings], push) {
    const all = filter === 'all' || filter === 'allWithVotes';
    if (!all && filter?.mentions?.length !== 1) throw invalidParams('filter is "all" or {mentions: [address]}');
    const mentioned = all ? null : address(filter.mentions[0]);
    const { id } = this.#add(push, {
      notification: 'logsNotification',
      finalOnly: isFinal(settings),
      once: false,
      resultsOf: ({ entry, keys }) =>
        mentioned === null || keys.includes(mentioned)
          ? [{ signature: entry.signature, err: entry.meta.err, logs: entry.meta.logMessages }]
          : [],
    });
    return { result: id };
  }

  /**
   * @param {string} key
   * @param {import('./account-json.js').AccountForm} form
   */
  #accountJson(key, form) {
    const account = this.chain.read(key);
    // Base58 is for short data only. There is nobody to refuse here, so long data is sent as base64, and says so.
    const isLong = account !== null && account.data.length > MAX_BASE58_BYTES;
    const isBase58 = form.encoding === undefined || form.encoding === 'base58' || form.encoding === 'binary';
    const fitting = isLong && isBase58 ? { ...form, encoding: 'base64' } : form;
    return accountJson(account, fitting, (mint) => this.chain.decimalsOf(mint));
  }

  /** @param {Landed} landed */
  #onLanded(landed) {
    for (const subscription of [...this.#active.values()]) {
      const results = subscription.resultsOf(landed);
      if (results.length > 0) this.#deliver(subscription, landed.entry.slot, results);
    }
  }

  /**
   * Sends now, or when the slot is final for a subscription that waits for that.
   * @param {Subscription} subscription
   * @param {number} slot
   * @param {unknown[]} results
   */
  #deliver(subscription, slot, results) {
    const { id, push, notification, finalOnly, once } = subscription;
    if (finalOnly && slot > this.chain.clock.finalSlot()) {
      this.#waiting.push({ due: slot + FINALITY_SLOTS, id, results });
      return;
    }
    if (once) this.#active.delete(id);
    for (const result of results) push(notification, withContext(this.chain, result), id);
  }

  #onTick() {
    const slot = this.chain.clock.slot();
    if (slot === this.#lastSlot) return;
    this.#lastSlot = slot;
    const due = this.#waiting.filter((waiting) => waiting.due <= slot);
    this.#waiting = this.#waiting.filter((waiting) => waiting.due > slot);
    for (const waiting of due) {
      const subscription = this.#active.get(waiting.id);
      if (subscription) this.#deliver(subscription, waiting.due - FINALITY_SLOTS, waiting.results);
    }
    const result = { parent: slot - 1, root: this.chain.clock.finalSlot(), slot };
    for (const [id, push] of this.#slotWatchers) push('slotNotification', result, id);
  }
}

/** @param {unknown} settings */
function isFinal(settings) {
  return commitment(config(settings).commitment) === 'finalized';
}

/** What watchers of an account that was emptied are told. */
function emptyAccount() {
  return { lamports: 0, data: ['', 'base64'], owner: SYSTEM_PROGRAM, executable: false, rentEpoch: 0, space: 0 };
}
