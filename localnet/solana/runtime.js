// @ts-check
/**
 * The Solana virtual machine: accounts, programs, execution. Owns every call into litesvm; knows nothing of slots'
 * meaning, history or JSON-RPC. Uses litesvm's byte interface, which takes transactions exactly as they were sent.
 */
import litesvm from 'litesvm';
import { fromBase58, toBase58 } from './base58.js';
import { transactionErrorJson } from './runtime-errors.js';

const { LiteSVM, Account: SvmAccount } = litesvm;
const RENT_EPOCH_EXEMPT = 18446744073709551615n;

/**
 * @typedef {import('./transaction.js').Account} Account
 * @typedef {{programIdIndex: number, accounts: number[], data: string, stackHeight: number}} InnerInstructionJson
 * @typedef {object} Outcome what a transaction did, or would do
 * @property {import('./runtime-errors.js').TransactionErrorJson | null} error
 * @property {string[]} logs
 * @property {number} units compute units consumed
 * @property {Array<{index: number, instructions: InnerInstructionJson[]}>} inner
 * @property {{programId: string, data: [string, 'base64']} | null} returnData
 * @property {Map<string, Account> | null} postAccounts of a simulation that succeeded
 */

export class Runtime {
  /** @type {import('litesvm/dist/internal.js').LiteSvm} */
  #svm;
  #slot = -1;

  /** @param {any} liteSvm */
  constructor(liteSvm) {
    // Blockhashes and repeated signatures are judged by the chain. The machine derives durable nonces from the
    // lifetime of the transaction that advances them, so its own latest blockhash plays no part at all.
    liteSvm.withBlockhashCheck(false).withTransactionHistory(0n);
    this.#svm = liteSvm.inner;
  }

  /** A fresh machine with the standard programs and the wrapped SOL mint. */
  static create() {
    return new Runtime(new LiteSVM().withNativeMints());
  }

  /** @param {Uint8Array} bytes of toBytes() */
  static restore(bytes) {
    return new Runtime(LiteSVM.fromBytes(bytes));
  }

  /** The whole state, for restore(). */
  toBytes() {
    return this.#svm.toBytes();
  }

  /**
   * @param {string} address
   * @param {Uint8Array} code
   */
  loadProgram(address, code) {
    this.#svm.addProgram(fromBase58(address), code);
  }

  /**
   * @param {string} address
   * @returns {Account | null}
   */
  account(address) {
    const account = this.#svm.getAccount(fromBase58(address));
    return account && account.lamports() > 0n ? plainAccount(account) : null;
  }

  /**
   * @param {string} address
   * @returns {bigint} lamports
   */
  balance(address) {
    return this.#svm.getBalance(fromBase58(address)) ?? 0n;
  }

  /**
   * Writes an account past all rules: for genesis and for restoring what a transaction left; null removes it.
   * @param {string} address
   * @param {Account | null} account
   */
  writeAccount(address, account) {
    const { lamports, data, owner, executable } = account ?? {
      lamports: 0n,
      data: new Uint8Array(),
      owner: '11111111111111111111111111111111',
      executable: false,
    };
    this.#svm.setAccount(
      fromBase58(address),
      new SvmAccount(lamports, data, fromBase58(owner), executable, RENT_EPOCH_EXEMPT),
    );
  }

  /**
   * @param {string} program
   * @returns {Array<[string, Account]>}
   */
  accountsOwnedBy(program) {
    return this.#svm
      .getProgramAccounts(fromBase58(program))
      .map((found) => /** @type {[string, Account]} */ ([toBase58(found.address), plainAccount(found.account())]))
      .filter(([, account]) => account.lamports > 0n);
  }

  /**
   * @param {number} bytes
   * @returns {bigint} lamports
   */
  rentExemption(bytes) {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /**
   * Moves the machine's sysvars to a slot.
   * @param {number} slot
   * @param {{unixTime: number, epoch: number, slotHashes: Array<{slot: bigint, hash: string}>}} at
   */
  enterSlot(slot, at) {
    if (slot === this.#slot) return;
    this.#slot = slot;
    this.#svm.setSlotHashes(at.slotHashes);
    const clock = this.#svm.getClock();
    clock.slot = BigInt(slot);
    clock.unixTimestamp = BigInt(at.unixTime);
    clock.epoch = BigInt(at.epoch);
    clock.leaderScheduleEpoch = BigInt(at.epoch + 1);
    this.#svm.setClock(clock);
  }

  /**
   * Executes a transaction and keeps its effects.
   * @param {import('./transaction.js').WireTransaction} transaction
   * @returns {Outcome}
   */
  execute({ bytes, message }) {
    return outcomeOf(
      message.version === 'legacy' ? this.#svm.sendLegacyTransaction(bytes) : this.#svm.sendVersionedTransaction(bytes),
    );
  }

  /**
   * Executes a transaction without keeping its effects.
   * @param {import('./transaction.js').WireTransaction} transaction
   * @param {boolean} checkSignatures
   * @returns {Outcome}
   */
  simulate({ bytes, message }, checkSignatures) {
    this.#svm.setSigverify(checkSignatures);
    try {
      return outcomeOf(
        message.version === 'legacy'
          ? this.#svm.simulateLegacyTransaction(bytes)
          : this.#svm.simulateVersionedTransaction(bytes),
      );
    } finally {
      this.#svm.setSigverify(true);
    }
  }
}

/**
 * @param {import('litesvm').Account} account
 * @returns {Account}
 */
function plainAccount(account) {
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner: toBase58(account.owner()),
    executable: account.executable(),
  };
}

/**
 * litesvm answers with metadata itself for an executed transaction that succeeded, and with an object that has
 * meta() for simulations and failures.
 * @param {any} result
 * @returns {Outcome}
 */
function outcomeOf(result) {
  const failed = typeof result.err === 'function';
  /** @type {import('litesvm').TransactionMetadata} */
  const meta = typeof result.meta === 'function' ? result.meta() : result;
  const returned = meta.returnData();
  return {
    error: failed ? transactionErrorJson(result) : null,
    logs: meta.logs(),
    units: Number(meta.computeUnitsConsumed()),
    inner: innerInstructions(meta),
    returnData:
      returned.data().length === 0
        ? null
        : {
            programId: toBase58(returned.programId()),
            data: [Buffer.from(returned.data()).toString('base64'), 'base64'],
          },
    postAccounts:
      typeof result.postAccounts === 'function'
        ? new Map(result.postAccounts().map((/** @type {any} */ a) => [toBase58(a.address), plainAccount(a.account())]))
        : null,
  };
}

/** @param {import('litesvm').TransactionMetadata} meta */
function innerInstructions(meta) {
  return meta
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map((inner) => {
        const instruction = inner.instruction();
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: toBase58(instruction.data()),
          stackHeight: inner.stackHeight(),
        };
      }),
    }))
    .filter((entry) => entry.instructions.length > 0);
}
