// @ts-check
/** The data directory: opens or restores a chain, keeps its journal and snapshots. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Chain } from './chain.js';
import { SlotClock } from './clock.js';
import { History } from './history.js';
import { Journal } from './journal.js';
import { Runtime } from './runtime.js';
import { readSnapshot, writeSnapshot } from './snapshot.js';

const SNAPSHOT_EVERY_RECORDS = 200;

/**
 * @typedef {import('./chain.js').JournalRecord} JournalRecord
 * @typedef {{chain: Chain, snapshot: () => void, close: () => void}} Store
 */

/**
 * @param {string} directory must exist
 * @param {object} options
 * @param {(runtime: Runtime) => void} options.genesis writes the first accounts of a new chain
 * @param {(runtime: Runtime) => void} options.prepare runs on every start, before the first transaction
 * @param {(error: unknown) => never} options.onFatal a record could not be made durable: must end the process
 * @returns {Store}
 * @throws {Error} when the files are damaged
 */
export function openStore(directory, { genesis, prepare, onFatal }) {
  const journalFile = path.join(directory, 'journal.ndjson');
  const snapshotFile = path.join(directory, 'state.snapshot');
  const start = readSnapshot(snapshotFile) ?? newChain(journalFile, snapshotFile, genesis);

  const runtime = Runtime.restore(start.state);
  const history = new History();
  /** @type {JournalRecord | null} */ let last = null;
  let unsaved = 0; // records behind the snapshot
  const journal = Journal.open(journalFile, (/** @type {JournalRecord} */ record, end) => {
    history.add(record);
    last = record;
    if (end <= start.journalOffset) return;
    applyRecord(runtime, record);
    unsaved += 1;
  });
  if (journal.size < start.journalOffset) {
    throw new Error(`${journalFile} is shorter than the snapshot beside it: the data directory is damaged`);
  }
  const newest = /** @type {JournalRecord | null} */ (last);
  prepare(runtime);

  const clock = new SlotClock(start.genesis, Math.max(start.slot, newest?.slot ?? 0));
  const chain = new Chain({ runtime, clock, history, record: persist, onFatal });

  /** @param {JournalRecord} record */
  function persist(record) {
    journal.append(record);
    unsaved += 1;
    if (unsaved >= SNAPSHOT_EVERY_RECORDS) snapshot();
  }

  function snapshot() {
    const slot = clock.slot();
    writeSnapshot(snapshotFile, {
      genesis: start.genesis,
      journalOffset: journal.size,
      slot,
      state: runtime.toBytes(),
    });
    unsaved = 0;
  }

  return {
    chain,
    snapshot,
    close() {
      if (unsaved > 0) snapshot();
      journal.close();
    },
  };
}

/**
 * @param {string} journalFile
 * @param {string} snapshotFile
 * @param {(runtime: Runtime) => void} genesis
 * @returns {import('./snapshot.js').Snapshot}
 */
function newChain(journalFile, snapshotFile, genesis) {
  if (fs.existsSync(journalFile) && fs.statSync(journalFile).size > 0) {
    throw new Error(`${snapshotFile} is missing, but ${journalFile} is there: the data directory is damaged`);
  }
  const runtime = Runtime.create();
  genesis(runtime);
  const first = {
    genesis: { startMs: Date.now(), seed: randomBytes(32).toString('hex') },
    journalOffset: 0,
    slot: 0,
    state: runtime.toBytes(),
  };
  writeSnapshot(snapshotFile, first);
  return first;
}

/**
 * Programs before the accounts that point to them: the machine loads a program's code when its account is written.
 * @param {Runtime} runtime
 * @param {JournalRecord} record
 */
function applyRecord(runtime, { accounts }) {
  const inOrder = [...accounts].sort(([, a], [, b]) => Number(a?.executable ?? false) - Number(b?.executable ?? false));
  for (const [address, account] of inOrder) {
    runtime.writeAccount(
      address,
      account && {
        lamports: BigInt(account.lamports),
        data: new Uint8Array(Buffer.from(account.data, 'base64')),
        owner: account.owner,
        executable: account.executable,
      },
    );
  }
}
