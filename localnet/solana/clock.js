// @ts-check
/**
 * Slots, block heights and blockhashes as functions of wall-clock time and of two values fixed at genesis.
 * Nothing of them needs storing: after a crash the same slot has the same hash, slots never run backwards, and a
 * blockhash given out before is as old as the time that has really passed.
 */
import { createHash } from 'node:crypto';
import { toBase58 } from './base58.js';

/** How long a slot takes. */
export const SLOT_MS = 400;
/** Slots after which a confirmed block is final. */
export const FINALITY_SLOTS = 32;
/** Blocks during which a blockhash may be used. */
export const BLOCKHASH_LIFETIME = 150;
/** How many slots the SlotHashes sysvar remembers. */
const SLOT_HASHES = 512;
// The chain starts above zero, as if blocks had gone before, and heights lag behind slots as on the public network,
// where slots are skipped: a client that mixes the two up must fail here too.
const FIRST_SLOT = 10_000;
const HEIGHT_LAG = 8_000;
/** The public network's length of an epoch. */
export const SLOTS_PER_EPOCH = 432_000;

/** @typedef {{startMs: number, seed: string}} Genesis startMs: Unix milliseconds; seed: hex */

/** The clock of one chain: its slots and their hashes, all computed from the genesis. */
export class SlotClock {
  /** @type {Map<string, number>} hash to slot, of slots whose hash may still be used */
  #recent = new Map();
  #slot = 0;

  /**
   * @param {Genesis} genesis
   * @param {number} atLeast a slot that was seen before; the clock never shows less
   * @param {() => number} [now] Unix milliseconds
   */
  constructor(genesis, atLeast = 0, now = Date.now) {
    this.genesis = genesis;
    this.now = now;
    this.#slot = Math.max(FIRST_SLOT, atLeast);
    this.#remember(this.#slot - BLOCKHASH_LIFETIME);
  }

  /** The current slot. */
  slot() {
    const due = FIRST_SLOT + Math.floor((this.now() - this.genesis.startMs) / SLOT_MS);
    if (due > this.#slot) {
      const previous = this.#slot;
      this.#slot = due;
      this.#remember(Math.max(previous + 1, due - BLOCKHASH_LIFETIME));
    }
    return this.#slot;
  }

  /** The newest final slot. */
  finalSlot() {
    return this.slot() - FINALITY_SLOTS;
  }

  /** @param {number} slot */
  heightOf(slot) {
    return slot - HEIGHT_LAG;
  }

  /**
   * Unix seconds of a slot.
   * @param {number} slot
   */
  timeOf(slot) {
    return Math.floor((this.genesis.startMs + (slot - FIRST_SLOT) * SLOT_MS) / 1000);
  }

  /**
   * @param {number} slot
   * @returns {string} base58
   */
  hashOf(slot) {
    const hash = createHash('sha256').update(`tenfold local chain ${this.genesis.seed} ${slot}`).digest();
    return toBase58(hash);
  }

  genesisHash() {
    return this.hashOf(0);
  }

  /**
   * The slot of a blockhash that a transaction may still use now, or null.
   * @param {string} hash
   */
  usableSlotOf(hash) {
    const now = this.slot();
    const slot = this.#recent.get(hash);
    return slot !== undefined && slot >= now - BLOCKHASH_LIFETIME ? slot : null;
  }

  /**
   * The last block height at which a transaction with this slot's blockhash is accepted.
   * @param {number} slot
   */
  lastValidHeight(slot) {
    return this.heightOf(slot) + BLOCKHASH_LIFETIME;
  }

  /** Contents of the SlotHashes sysvar now: earlier slots, newest first. */
  slotHashes() {
    const newest = this.slot() - 1;
    return Array.from({ length: SLOT_HASHES }, (_, age) => ({
      slot: BigInt(newest - age),
      hash: this.#cachedHash(newest - age),
    }));
  }

  /** @type {Map<number, string>} */
  #hashes = new Map();

  /** @param {number} slot */
  #cachedHash(slot) {
    let hash = this.#hashes.get(slot);
    if (hash === undefined) {
      hash = this.hashOf(slot);
      this.#hashes.set(slot, hash);
      if (this.#hashes.size > 4 * SLOT_HASHES) this.#hashes.clear();
    }
    return hash;
  }

  /** @param {number} from first slot whose hash is not remembered yet */
  #remember(from) {
    for (let slot = from; slot <= this.#slot; slot++) this.#recent.set(this.hashOf(slot), slot);
    for (const [hash, slot] of this.#recent) {
      if (slot >= this.#slot - BLOCKHASH_LIFETIME) break;
      this.#recent.delete(hash);
    }
  }
}
