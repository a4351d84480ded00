// @ts-check
/** kill -9 at any moment: nothing that a client was told is lost, and nothing runs backwards. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import * as kit from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { fromBase58 } from '../base58.js';
import { rawCall, startService, temporaryDirectory } from './service.js';

const ROUNDS = 6;
const VISIBLE = { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 };

/**
 * @param {import('./service.js').Service} service
 * @param {string} method
 * @param {unknown[]} [params]
 */
async function call(service, method, params) {
  const { result, error } = await rawCall(service, method, params);
  assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
  return result;
}

/**
 * Sends transfers one after the other until the service dies.
 * @param {import('./service.js').Service} service
 * @param {kit.KeyPairSigner} payer
 * @param {(sent: {wire: string, signature: string, recipient: string, lamports: bigint}) => void} onConfirmed
 */
async function pay(service, payer, onConfirmed) {
  for (let lamports = 1_000_000n; ; lamports++) {
    try {
      const { value: latest } = await call(service, 'getLatestBlockhash', [{ commitment: 'confirmed' }]);
      const { address: recipient } = await kit.generateKeyPairSigner();
      const transaction = await kit.signTransactionMessageWithSigners(
        kit.pipe(
          kit.createTransactionMessage({ version: 0 }),
          (m) => kit.setTransactionMessageFeePayerSigner(payer, m),
          (m) => kit.setTransactionMessageLifetimeUsingBlockhash(latest, m),
          (m) =>
            kit.appendTransactionMessageInstructions(
              [getTransferSolInstruction({ source: payer, destination: recipient, amount: lamports })],
              m,
            ),
        ),
      );
      const wire = kit.getBase64EncodedWireTransaction(transaction);
      const signature = await call(service, 'sendTransaction', [wire, { encoding: 'base64' }]);
      onConfirmed({ wire, signature, recipient, lamports });
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return; // the connection broke: killed
    }
  }
}

test(`${ROUNDS} times kill -9 under load`, async (t) => {
  const data = temporaryDirectory(t);
  /** @type {Array<{wire: string, signature: string, recipient: string, lamports: bigint}>} */ const confirmed = [];
  let slot = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService(t, data);
    const now = await call(service, 'getSlot', [{ commitment: 'processed' }]);
    assert.ok(now >= slot, `slot ${now} after ${slot}`);
    const stored = JSON.parse(fs.readFileSync(path.join(data, 'test-accounts.json'), 'utf8'));
    const payers = await Promise.all(
      stored.map((/** @type {{privateKey: string}} */ key) =>
        kit.createKeyPairSignerFromBytes(fromBase58(key.privateKey)),
      ),
    );
    const goal = confirmed.length + 20 + 7 * round;
    await new Promise((resolve, reject) => {
      const running = payers.map((payer) =>
        pay(service, payer, (sent) => {
          confirmed.push(sent);
          if (confirmed.length === goal) void service.kill(); // other requests are under way
        }),
      );
      Promise.all(running).then(resolve, reject);
    });
    slot = now;
  }

  const service = await startService(t, data);
  for (const { wire, signature, recipient, lamports } of confirmed) {
    const found = await call(service, 'getTransaction', [signature, VISIBLE]);
    assert.equal(found?.transaction[0], wire, `${signature} is lost`);
    assert.equal(found.meta.err, null);
    assert.equal((await call(service, 'getBalance', [recipient])).value, Number(lamports));
    const [{ signature: last }] = await call(service, 'getSignaturesForAddress', [
      recipient,
      { commitment: 'confirmed' },
    ]);
    assert.equal(last, signature);
    // Sent again, it is known; it does not pay twice.
    assert.equal(await call(service, 'sendTransaction', [wire, { encoding: 'base64' }]), signature);
    assert.equal((await call(service, 'getBalance', [recipient])).value, Number(lamports));
  }
});

describe('after kill -9', { concurrency: true }, () => {
  test('a blockhash given out before may still be used', async (t) => {
    const data = temporaryDirectory(t);
    const first = await startService(t, data);
    const { value } = await call(first, 'getLatestBlockhash', [{ commitment: 'confirmed' }]);
    await first.kill();
    const second = await startService(t, data);
    assert.equal((await call(second, 'isBlockhashValid', [value.blockhash])).value, true);
    assert.ok((await call(second, 'getBlockHeight', [{ commitment: 'confirmed' }])) <= value.lastValidBlockHeight);
  });

  test('a record that was cut short is dropped, whole ones stay', async (t) => {
    const data = temporaryDirectory(t);
    const first = await startService(t, data);
    const { address: recipient } = await kit.generateKeyPairSigner();
    await call(first, 'requestAirdrop', [recipient, 5_000_000]);
    await call(first, 'requestAirdrop', [recipient, 6_000_000]);
    await first.kill();
    const journal = path.join(data, 'journal.ndjson');
    fs.truncateSync(journal, fs.statSync(journal).size - 10);
    const second = await startService(t, data);
    assert.equal((await call(second, 'getBalance', [recipient])).value, 5_000_000);
    await call(second, 'requestAirdrop', [recipient, 7_000_000]);
    await second.kill();
    const third = await startService(t, data);
    assert.equal((await call(third, 'getBalance', [recipient])).value, 12_000_000);
  });

  test('damage inside the journal, or to the snapshot, is not started on', async (t) => {
    for (const [file, offset] of /** @type {Array<[string, number]>} */ ([
      ['journal.ndjson', 100],
      ['state.snapshot', 5_000],
    ])) {
      const data = temporaryDirectory(t);
      await (await startService(t, data)).kill();
      const content = fs.readFileSync(path.join(data, file));
      content[offset] ^= 1;
      fs.writeFileSync(path.join(data, file), content);
      await assert.rejects(startService(t, data), new RegExp(`${file} is damaged`));
    }
  });
});
