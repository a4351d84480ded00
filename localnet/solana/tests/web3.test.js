// @ts-check
/** The service as @solana/web3.js sees it, with its defaults. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
  sendAndConfirmTransaction,
} from '@solana/web3.js';
import { startService } from './service.js';

/** @type {Connection} */ let connection;

// web3.js has no public way to end its socket, and reconnects for ever.
after(() => /** @type {any} */ (connection)._rpcWebSocket.close());

before(async (t) => {
  const service = await startService(/** @type {any} */ (t));
  connection = new Connection(service.rpcUrl, 'confirmed'); // WebSocket on port + 1 by itself
});

async function fundedKeypair() {
  const keypair = Keypair.generate();
  const signature = await connection.requestAirdrop(keypair.publicKey, 10 * LAMPORTS_PER_SOL);
  const { value } = await connection.confirmTransaction(
    { signature, ...(await connection.getLatestBlockhash()) },
    'confirmed',
  );
  assert.equal(value.err, null);
  return keypair;
}

/** @param {number} slot waits until the chain is past it */
async function slotAfter(slot) {
  await new Promise((resolve) => {
    const id = connection.onSlotChange((info) => {
      if (info.slot <= slot) return;
      void connection.removeSlotChangeListener(id);
      resolve(undefined);
    });
  });
}

describe('web3.js', { concurrency: true }, () => {
  test('a legacy transfer is sent, confirmed by WebSocket, and read back', async () => {
    const payer = await fundedKeypair();
    const recipient = Keypair.generate().publicKey;
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports: 1_000_000 });
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [payer]);
    assert.equal(await connection.getBalance(recipient), 1_000_000);
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const [instruction] = /** @type {any} */ (parsed).transaction.message.instructions;
    assert.deepEqual(instruction.parsed, {
      type: 'transfer',
      info: { source: payer.publicKey.toBase58(), destination: recipient.toBase58(), lamports: 1_000_000 },
    });
    const [latest] = await connection.getSignaturesForAddress(recipient, undefined, 'confirmed');
    assert.equal(latest.signature, signature);
    const status = await connection.getSignatureStatus(signature);
    assert.equal(status.value?.err, null);
    assert.ok(['confirmed', 'finalized'].includes(String(status.value?.confirmationStatus)));
  });

  test('a version 0 transaction takes accounts from a lookup table', async () => {
    const payer = await fundedKeypair();
    const recipients = Array.from({ length: 3 }, () => Keypair.generate().publicKey);
    const slot = await connection.getSlot('confirmed');
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot: slot - 1,
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      lookupTable: table,
      addresses: recipients,
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer]);
    await slotAfter(await connection.getSlot('confirmed'));

    const { value: lookupTable } = await connection.getAddressLookupTable(table);
    assert.deepEqual(lookupTable?.state.addresses.map(String), recipients.map(String));
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
      instructions: recipients.map((toPubkey) =>
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 }),
      ),
    }).compileToV0Message([/** @type {any} */ (lookupTable)]);
    const transaction = new VersionedTransaction(message);
    transaction.sign([payer]);
    const signature = await connection.sendTransaction(transaction);
    for (const recipient of recipients) assert.equal(await connection.getBalance(recipient), 1_000_000);
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.deepEqual(found?.meta?.loadedAddresses?.writable.map(String).sort(), recipients.map(String).sort());
    assert.equal(found?.meta?.postBalances.length, message.staticAccountKeys.length + 3);
    await assert.rejects(connection.getTransaction(signature), /Transaction version \(0\) is not supported/);
  });

  test('a durable nonce keeps a transaction alive, once', async () => {
    const payer = await fundedKeypair();
    const nonce = Keypair.generate();
    const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
    const create = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports,
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(create), [payer, nonce]);
    await slotAfter(await connection.getSlot('confirmed'));

    const stored = await readNonce(nonce.publicKey);
    const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey });
    const spend = (/** @type {number} */ amount) => {
      const transaction = new Transaction({ nonceInfo: { nonce: stored, nonceInstruction: advance } }).add(
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: amount }),
      );
      transaction.feePayer = payer.publicKey;
      transaction.sign(payer);
      return connection.sendRawTransaction(transaction.serialize());
    };
    await spend(1);
    assert.notEqual(await readNonce(nonce.publicKey), stored);
    await assert.rejects(spend(2), /Blockhash not found/);
  });

  test('logs of a transaction reach who watches one of its accounts', async () => {
    const payer = await fundedKeypair();
    let watcher = 0;
    const logs = new Promise((resolve) => {
      watcher = connection.onLogs(payer.publicKey, resolve, 'confirmed');
    });
    // The subscription is on its way; slot notifications come over the same socket, in order.
    await slotAfter(0);
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 });
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [payer]);
    const seen = /** @type {any} */ (await logs);
    await connection.removeOnLogsListener(watcher);
    assert.equal(seen.signature, signature);
    assert.ok(seen.logs.includes('Program 11111111111111111111111111111111 success'));
  });
});

/** @param {PublicKey} key */
async function readNonce(key) {
  const account = await connection.getAccountInfo(key);
  assert.ok(account);
  return NonceAccount.fromAccountData(account.data).nonce;
}
