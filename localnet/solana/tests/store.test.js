// @ts-check
/** Restoring a chain from its files: snapshots in between, durable nonces, a first start that was cut short. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { generateKeyPairSigner } from '@solana/kit';
import {
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import { toBase58 } from '../base58.js';
import { completeGenesis, writeFirstAccounts } from '../genesis.js';
import { asAddress, loadPrograms, programs } from '../programs.js';
import { openStore } from '../store.js';
import { SYSTEM_PROGRAM } from '../transaction.js';
import { SOL_PRICE, run, tokensIn } from './chain.js';
import { temporaryDirectory } from './service.js';

/** @param {import('node:test').TestContext} t */
async function newDirectory(t) {
  const directory = temporaryDirectory(t);
  const [authority, treasury] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  const open = async () => {
    const store = openStore(directory, {
      genesis: (runtime) => writeFirstAccounts(runtime, authority.address),
      prepare: loadPrograms,
      onFatal: (error) => {
        throw error;
      },
    });
    await completeGenesis(store.chain, { authority, treasury, testAccounts: [], solPrice: SOL_PRICE });
    return store;
  };
  return { directory, authority, treasury, open };
}

describe('a store opened again without having been closed', { concurrency: true }, () => {
  test('has every transaction and balance, over several snapshots', async (t) => {
    const { directory, authority, open } = await newDirectory(t);
    const { chain } = await open();
    const firstSnapshot = fs.statSync(path.join(directory, 'state.snapshot')).mtimeMs;
    const { address: recipient } = await generateKeyPairSigner();
    /** @type {string[]} */ const signatures = [];
    for (let lamports = 1_000_000n; signatures.length < 450; lamports++) {
      const transfer = getTransferSolInstruction({ source: authority, destination: recipient, amount: lamports });
      signatures.push((await run(chain, authority, [transfer])).signature);
    }
    assert.ok(fs.statSync(path.join(directory, 'state.snapshot')).mtimeMs > firstSnapshot, 'a snapshot was written');

    const { chain: restored } = await open();
    for (const address of [recipient, authority.address, programs.pools[0].state]) {
      assert.deepEqual(restored.read(address), chain.read(address));
    }
    assert.equal(restored.history.count, chain.history.count);
    const found = restored.history.ofAccount(recipient, { limit: 2_000, throughSlot: restored.clock.slot() });
    assert.deepEqual(
      found.map((entry) => entry.signature),
      signatures.reverse(),
    );
    const [logs, restoredLogs] = [chain, restored].map((c) => c.history.get(signatures[0])?.meta.logMessages);
    assert.deepEqual(restoredLogs, logs);
    assert.equal(restored.clock.genesisHash(), chain.clock.genesisHash());
    assert.ok(restored.clock.slot() >= chain.clock.slot());
  });

  test('gives a durable nonce values that it never had', async (t) => {
    const { authority, open } = await newDirectory(t);
    const nonce = await generateKeyPairSigner();
    const values = new Set();
    let { chain } = await open();
    const read = () => toBase58((chain.read(nonce.address)?.data ?? new Uint8Array()).subarray(40, 72));
    await run(chain, authority, [
      getCreateAccountInstruction({
        payer: authority,
        newAccount: nonce,
        lamports: chain.runtime.rentExemption(80),
        space: 80n,
        programAddress: asAddress(SYSTEM_PROGRAM),
      }),
      getInitializeNonceAccountInstruction({ nonceAccount: nonce.address, nonceAuthority: authority.address }),
    ]);
    for (let round = 0; round < 4; round++) {
      assert.ok(!values.has(read()), 'a value came again');
      values.add(read());
      ({ chain } = await open());
      await nextSlot(chain);
      const { meta } = await run(chain, authority, [
        getAdvanceNonceAccountInstruction({ nonceAccount: nonce.address, nonceAuthority: authority }),
      ]);
      assert.equal(meta.err, null);
    }
  });

  test('completes a first start that was cut short at any transaction', async (t) => {
    const { directory, treasury, open } = await newDirectory(t);
    const { chain } = await open();
    const journal = path.join(directory, 'journal.ndjson');
    const lines = fs.readFileSync(journal, 'utf8').split('\n').slice(0, -1);
    for (let kept = 0; kept <= lines.length; kept++) {
      fs.writeFileSync(
        journal,
        lines
          .slice(0, kept)
          .map((line) => `${line}\n`)
          .join(''),
      );
      const { chain: completed } = await open();
      assert.equal(completed.history.count, chain.history.count);
      assert.equal(completed.runtime.balance(treasury.address), chain.runtime.balance(treasury.address));
      for (const { vaultA, vaultB } of programs.pools) {
        assert.equal(tokensIn(completed, vaultA), tokensIn(chain, vaultA));
        assert.equal(tokensIn(completed, vaultB), tokensIn(chain, vaultB));
      }
    }
  });
});

test('a journal without its snapshot is not taken for a new chain', async (t) => {
  const { directory, open } = await newDirectory(t);
  await open();
  fs.rmSync(path.join(directory, 'state.snapshot'));
  await assert.rejects(open(), /state\.snapshot is missing/);
});

/** @param {import('../chain.js').Chain} chain */
async function nextSlot(chain) {
  const slot = chain.clock.slot();
  while (chain.clock.slot() === slot) await new Promise((resolve) => setTimeout(resolve, 20));
}
