// @ts-check
/** What the chain does with a transaction: land it once, leave no trace of it, or stop the world. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { Chain } from '../chain.js';
import { SlotClock } from '../clock.js';
import { History } from '../history.js';
import { signedTransaction } from '../purse.js';
import { decodeTransaction } from '../transaction.js';
import { newChain, person } from './chain.js';

/** @type {Awaited<ReturnType<typeof newChain>>} */ let net;
/** @type {import('@solana/kit').KeyPairSigner} */ let payer;

before(async () => {
  net = await newChain();
  payer = await person(net, []);
});

/** @param {bigint} amount */
async function transfer(amount, chain = net.chain) {
  const instruction = getTransferSolInstruction({ source: payer, destination: payer.address, amount });
  return signedTransaction(chain, payer, [instruction], chain.clock.slot());
}

/** @param {(bytes: Uint8Array) => void} change */
async function altered(change) {
  const bytes = Uint8Array.from((await transfer(1n)).bytes);
  change(bytes);
  return decodeTransaction(bytes);
}

test('the same transaction lands once', async () => {
  const transaction = await transfer(2n);
  const entry = net.chain.submit(transaction);
  const balance = net.chain.runtime.balance(payer.address);
  assert.ok(entry);
  assert.equal(net.chain.submit(transaction), entry);
  assert.equal(net.chain.runtime.balance(payer.address), balance);
});

test('one that fails in a program lands, and costs its fee', async () => {
  const before = net.chain.runtime.balance(payer.address);
  const entry = net.chain.submit(await transfer(1n << 62n));
  assert.deepEqual(entry?.meta.err, { InstructionError: [0, { Custom: 1 }] });
  assert.equal(before - net.chain.runtime.balance(payer.address), 5000n);
});

describe('no trace is left of a transaction', () => {
  /** @type {Array<[string, () => Promise<import('../transaction.js').WireTransaction>]>} */
  const cases = [
    ['with a wrong signature', () => altered((bytes) => (bytes[10] ^= 1))],
    ['without a signature', () => altered((bytes) => bytes.fill(0, 1, 65))],
    ['whose message was changed', () => altered((bytes) => (bytes[bytes.length - 2] ^= 1))],
    [
      'with the blockhash of another chain',
      () => {
        const clock = new SlotClock({ startMs: Date.now(), seed: 'other' });
        return transfer(
          3n,
          /** @type {any} */ ({
            clock,
            blockhashAt: (/** @type {number} */ slot) => ({ blockhash: clock.hashOf(slot), lastValidBlockHeight: 1 }),
          }),
        );
      },
    ],
    [
      'whose payer has nothing',
      async () => {
        const pauper = await generateKeyPairSigner();
        return signedTransaction(net.chain, pauper, [], net.chain.clock.slot());
      },
    ],
  ];
  for (const [what, build] of cases) {
    test(what, async () => {
      const transaction = await build();
      const [count, balance] = [net.chain.history.count, net.chain.runtime.balance(payer.address)];
      assert.equal(net.chain.submit(transaction), null);
      assert.equal(net.chain.history.count, count);
      assert.equal(net.chain.runtime.balance(payer.address), balance);
    });
  }
});

test('one that cannot be stored ends the process, and nobody is told of it', async () => {
  const history = new History();
  const full = new Error('disk is full');
  const chain = new Chain({
    runtime: net.chain.runtime,
    clock: net.chain.clock,
    history,
    record: () => {
      throw full;
    },
    onFatal: (error) => {
      throw new Error('process ended', { cause: error });
    },
  });
  chain.on('landed', () => assert.fail('was announced'));
  const transaction = await transfer(4n);
  assert.throws(
    () => chain.submit(transaction),
    (error) => /** @type {Error} */ (error).cause === full,
  );
  assert.equal(history.count, 0);
});
