// @ts-check
/**
 * The accounts of the chain at one point of its journal, in one file that is replaced atomically: a line of JSON
 * (genesis values, journal offset, slot, checksum), then the machine's bytes.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { replaceFile } from './journal.js';
import { parse, stringify } from './json.js';

const FORMAT = 1;

/**
 * @typedef {object} Snapshot
 * @property {import('./clock.js').Genesis} genesis
 * @property {number} journalOffset records before it are in the state
 * @property {number} slot
 * @property {Uint8Array} state
 */

/**
 * @param {string} file
 * @param {Snapshot} snapshot
 */
export function writeSnapshot(file, { genesis, journalOffset, slot, state }) {
  const header = { format: FORMAT, genesis, journalOffset, slot, sha256: digest(state) };
  replaceFile(file, [`${stringify(header)}\n`, state]);
}

/**
 * @param {string} file
 * @returns {Snapshot | null} null when there is none
 * @throws {Error} when the file is damaged or of another format
 */
export function readSnapshot(file) {
  if (!fs.existsSync(file)) return null;
  const content = fs.readFileSync(file);
  const newline = content.indexOf(10);
  const header = /** @type {any} */ (newline < 0 ? null : parse(content.subarray(0, newline).toString('utf8')));
  if (header?.format !== FORMAT) throw new Error(`${file} is not a snapshot of this version`);
  const state = new Uint8Array(content.subarray(newline + 1));
  if (digest(state) !== header.sha256) throw new Error(`${file} is damaged`);
  return { genesis: header.genesis, journalOffset: header.journalOffset, slot: header.slot, state };
}

/** @param {Uint8Array} bytes */
function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
