// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SlotClock } from '../clock.js';

const START = 1_800_000_000_000;
const GENESIS = { startMs: START, seed: 'ab'.repeat(32) };

/** A clock whose time a test sets. */
function clockAt(ms = START, atLeast = 0) {
  const time = { ms };
  return { time, clock: new SlotClock(GENESIS, atLeast, () => time.ms) };
}

describe('slots', () => {
  test('pass every 400 ms of wall-clock time', () => {
    const { clock, time } = clockAt();
    const first = clock.slot();
    time.ms += 399;
    assert.equal(clock.slot(), first);
    time.ms += 1;
    assert.equal(clock.slot(), first + 1);
    time.ms += 3_600_000;
    assert.equal(clock.slot(), first + 1 + 9_000);
    assert.equal(clock.timeOf(clock.slot()), Math.floor((START + 3_600_400) / 1000));
  });

  test('never run backwards, even when the wall clock does, also over a restart', () => {
    const { clock, time } = clockAt(START + 60_000);
    const slot = clock.slot();
    time.ms -= 50_000;
    assert.equal(clock.slot(), slot);
    assert.equal(clockAt(START, slot).clock.slot(), slot);
  });
});

describe('a blockhash', () => {
  test('may be used for 150 blocks and not one more', () => {
    const { clock, time } = clockAt();
    const slot = clock.slot();
    const hash = clock.hashOf(slot);
    time.ms += 150 * 400;
    assert.equal(clock.usableSlotOf(hash), slot);
    assert.equal(clock.heightOf(clock.slot()), clock.lastValidHeight(slot));
    time.ms += 400;
    assert.equal(clock.usableSlotOf(hash), null);
  });

  test('is as old after a restart as time has passed', () => {
    const { clock } = clockAt();
    const hash = clock.hashOf(clock.slot());
    assert.equal(clockAt(START + 150 * 400).clock.usableSlotOf(hash), clock.slot());
    assert.equal(clockAt(START + 151 * 400).clock.usableSlotOf(hash), null);
  });

  test('stays usable when the machine slept for less than its life', () => {
    const { clock, time } = clockAt();
    const slot = clock.slot();
    time.ms += 100 * 400; // nobody asked for the slot in between
    assert.equal(clock.usableSlotOf(clock.hashOf(slot + 50)), slot + 50);
  });

  test('of a slot to come, or of another chain, is unknown', () => {
    const { clock } = clockAt();
    assert.equal(clock.usableSlotOf(clock.hashOf(clock.slot() + 1)), null);
    const other = new SlotClock({ ...GENESIS, seed: 'cd'.repeat(32) }, 0, () => START);
    assert.equal(clock.usableSlotOf(other.hashOf(other.slot())), null);
  });
});

test('the SlotHashes sysvar has the 512 slots before this one, newest first', () => {
  const { clock, time } = clockAt();
  for (let step = 0; step < 3; step++, time.ms += 1_000_000) {
    const hashes = clock.slotHashes();
    assert.equal(hashes.length, 512);
    assert.deepEqual(hashes[0], { slot: BigInt(clock.slot() - 1), hash: clock.hashOf(clock.slot() - 1) });
    assert.equal(hashes[511].slot, BigInt(clock.slot() - 512));
  }
});
