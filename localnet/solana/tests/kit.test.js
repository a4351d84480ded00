// @ts-check
/** The service as @solana/kit sees it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import * as kit from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import * as token from '@solana-program/token';
import { fromBase58 } from '../base58.js';
import { USDC } from '../genesis.js';
import { asAddress } from '../programs.js';
import { rawCall, startService } from './service.js';

const SOL = 1_000_000_000n;

/** @type {Awaited<ReturnType<typeof connect>>} */ let net;

before(async (t) => {
  net = await connect(await startService(/** @type {any} */ (t)));
});

/** @param {import('./service.js').Service} service */
async function connect(service) {
  const rpc = kit.createSolanaRpc(/** @type {any} */ (service.rpcUrl));
  const rpcSubscriptions = kit.createSolanaRpcSubscriptions(/** @type {any} */ (service.wsUrl));
  const confirm = kit.sendAndConfirmTransactionFactory(/** @type {any} */ ({ rpc, rpcSubscriptions }));
  const airdrop = kit.airdropFactory(/** @type {any} */ ({ rpc, rpcSubscriptions }));
  return {
    service,
    rpc,
    rpcSubscriptions,
    /** @param {bigint} amount */
    async fundedSigner(amount = 10n * SOL) {
      const signer = await kit.generateKeyPairSigner();
      await airdrop({ commitment: 'confirmed', lamports: kit.lamports(amount), recipientAddress: signer.address });
      return signer;
    },
    /**
     * @param {kit.KeyPairSigner} payer
     * @param {kit.Instruction[]} instructions
     * @param {'legacy' | 0} version
     * @returns {Promise<any>}
     */
    async sign(payer, instructions, version = 0) {
      const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
      return kit.signTransactionMessageWithSigners(
        kit.pipe(
          kit.createTransactionMessage({ version: /** @type {any} */ (version) }),
          (m) => kit.setTransactionMessageFeePayerSigner(payer, m),
          (m) => kit.setTransactionMessageLifetimeUsingBlockhash(latest, m),
          (m) => kit.appendTransactionMessageInstructions(instructions, m),
        ),
      );
    },
    /**
     * @param {kit.KeyPairSigner} payer
     * @param {kit.Instruction[]} instructions
     * @param {'legacy' | 0} [version]
     */
    async run(payer, instructions, version) {
      const transaction = await this.sign(payer, instructions, version);
      await confirm(transaction, { commitment: 'confirmed' });
      return kit.getSignatureFromTransaction(transaction);
    },
    /** @param {any} transaction */
    send: (transaction) =>
      rpc.sendTransaction(kit.getBase64EncodedWireTransaction(transaction), { encoding: 'base64' }).send(),
  };
}

/**
 * @param {string} mint
 * @param {string} owner
 */
async function associated(mint, owner) {
  const seeds = { mint: asAddress(mint), owner: asAddress(owner), tokenProgram: token.TOKEN_PROGRAM_ADDRESS };
  return (await token.findAssociatedTokenPda(seeds))[0];
}

describe('transactions', { concurrency: true }, () => {
  for (const version of /** @type {const} */ (['legacy', 0])) {
    test(`a SOL transfer of version ${version} moves the amount and costs the fee`, async () => {
      const payer = await net.fundedSigner();
      const { address } = await kit.generateKeyPairSigner();
      const signature = await net.run(
        payer,
        [getTransferSolInstruction({ source: payer, destination: address, amount: SOL })],
        version,
      );
      assert.equal((await net.rpc.getBalance(address).send()).value, SOL);
      assert.equal((await net.rpc.getBalance(payer.address).send()).value, 9n * SOL - 5000n);
      const found = await net.rpc
        .getTransaction(signature, { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 })
        .send();
      assert.equal(found?.version, version);
      assert.equal(found?.meta?.fee, 5000n);
      assert.deepEqual(found?.meta?.preBalances, [10n * SOL, 0n, 1n]);
      assert.deepEqual(found?.meta?.postBalances, [9n * SOL - 5000n, SOL, 1n]);
    });
  }

  test('a new token is made, sent, and found by its owner in parsed form', async () => {
    const payer = await net.fundedSigner();
    const mint = await kit.generateKeyPairSigner();
    const { address: friend } = await kit.generateKeyPairSigner();
    const lamports = await net.rpc.getMinimumBalanceForRentExemption(82n).send();
    const create = (/** @type {string} */ owner) =>
      token.getCreateAssociatedTokenIdempotentInstructionAsync({ payer, mint: mint.address, owner: asAddress(owner) });
    const [mine, theirs] = [await associated(mint.address, payer.address), await associated(mint.address, friend)];
    await net.run(payer, [
      getCreateAccountInstruction({
        payer,
        newAccount: mint,
        lamports,
        space: 82n,
        programAddress: token.TOKEN_PROGRAM_ADDRESS,
      }),
      token.getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: payer.address }),
      await create(payer.address),
      await create(friend),
      token.getMintToInstruction({ mint: mint.address, token: mine, mintAuthority: payer, amount: 1_000_000_000n }),
    ]);
    const signature = await net.run(payer, [
      token.getTransferCheckedInstruction({
        source: mine,
        mint: mint.address,
        destination: theirs,
        authority: payer,
        amount: 2_500_000n,
        decimals: 6,
      }),
    ]);

    const held = await net.rpc
      .getTokenAccountsByOwner(friend, { programId: token.TOKEN_PROGRAM_ADDRESS }, { encoding: 'jsonParsed' })
      .send();
    assert.equal(held.value.length, 1);
    const { info } = held.value[0].account.data.parsed;
    assert.equal(held.value[0].pubkey, theirs);
    assert.equal(info.mint, mint.address);
    assert.equal(info.owner, friend);
    assert.deepEqual(info.tokenAmount, { amount: '2500000', decimals: 6, uiAmount: 2.5, uiAmountString: '2.5' });
    assert.equal((await net.rpc.getTokenSupply(mint.address).send()).value.amount, '1000000000');

    const found = await net.rpc
      .getTransaction(signature, { commitment: 'confirmed', encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })
      .send();
    assert.deepEqual(
      found?.meta?.postTokenBalances?.map((b) => [b.owner, b.uiTokenAmount.amount]).sort(),
      [
        [payer.address, '997500000'],
        [friend, '2500000'],
      ].sort(),
    );
    assert.equal(/** @type {any} */ (found?.transaction.message.instructions[0]).parsed.type, 'transferChecked');
  });

  test('the priority fee is what the transaction asks for, and what getFeeForMessage says', async () => {
    const payer = await net.fundedSigner();
    const budget = asAddress('ComputeBudget111111111111111111111111111111');
    const limit = Buffer.alloc(5);
    limit.writeUInt8(2);
    limit.writeUInt32LE(10_000, 1);
    const price = Buffer.alloc(9);
    price.writeUInt8(3);
    price.writeBigUInt64LE(1_000_001n, 1);
    const transfer = getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n });
    for (const [instructions, fee] of /** @type {Array<[Buffer[], bigint]>} */ ([
      [[limit, price], 5000n + 10_001n],
      // Without a limit each instruction of a built-in program counts 3,000 units.
      [[price], 5000n + 6_001n],
    ])) {
      const transaction = await net.sign(payer, [
        ...instructions.map((data) => ({ programAddress: budget, data: new Uint8Array(data) })),
        transfer,
      ]);
      const message = Buffer.from(transaction.messageBytes).toString('base64');
      const quoted = await net.rpc.getFeeForMessage(/** @type {any} */ (message)).send();
      const before = (await net.rpc.getBalance(payer.address).send()).value;
      await net.send(transaction);
      assert.equal(quoted.value, fee);
      assert.equal(before - (await net.rpc.getBalance(payer.address).send()).value, fee);
    }
  });

  test('sending the same transaction again gives its signature and changes nothing', async () => {
    const payer = await net.fundedSigner();
    const transaction = await net.sign(payer, [
      getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n }),
    ]);
    const first = await net.send(transaction);
    const balance = (await net.rpc.getBalance(payer.address).send()).value;
    assert.equal(await net.send(transaction), first);
    assert.equal((await net.rpc.getBalance(payer.address).send()).value, balance);
    const history = await net.rpc.getSignaturesForAddress(payer.address, { commitment: 'confirmed' }).send();
    assert.equal(history.filter((entry) => entry.signature === first).length, 1);
  });

  test('equal airdrops at one moment all arrive', async () => {
    const { address } = await kit.generateKeyPairSigner();
    // Not through kit, which makes one request of equal ones.
    const airdrops = Array.from({ length: 5 }, () => rawCall(net.service, 'requestAirdrop', [address, Number(SOL)]));
    assert.equal(new Set((await Promise.all(airdrops)).map((answer) => answer.result)).size, 5);
    assert.equal((await net.rpc.getBalance(address).send()).value, 5n * SOL);
  });
});

describe('refusals', { concurrency: true }, () => {
  /**
   * @param {Promise<unknown>} promise
   * @param {number} code
   * @returns {Promise<any>}
   */
  async function refused(promise, code) {
    const error = await promise.then(
      () => assert.fail('was accepted'),
      (e) => e,
    );
    assert.ok(kit.isSolanaError(error), String(error));
    assert.equal(error.context.__code, code, error.message);
    return error;
  }

  test('more SOL than there is: preflight failure with the logs and the reason', async () => {
    const payer = await net.fundedSigner();
    const error = await refused(
      net.send(
        await net.sign(payer, [
          getTransferSolInstruction({ source: payer, destination: payer.address, amount: 99n * SOL }),
        ]),
      ),
      kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
    );
    assert.equal(error.cause.context.__code, kit.SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM);
    assert.equal(error.cause.context.code, 1);
    assert.match(error.context.logs.join('\n'), /insufficient lamports/);
  });

  test('a wrong signature', async () => {
    const payer = await net.fundedSigner();
    const transaction = await net.sign(payer, [
      getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n }),
    ]);
    const wrong = Uint8Array.from(transaction.signatures[payer.address]);
    wrong[5] ^= 1;
    await refused(
      net.send({ ...transaction, signatures: { [payer.address]: wrong } }),
      kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
    );
  });

  test('a blockhash that never was', async () => {
    const payer = await net.fundedSigner();
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (m) => kit.setTransactionMessageFeePayerSigner(payer, m),
      (m) =>
        kit.setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: kit.blockhash('4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn'), lastValidBlockHeight: 1n },
          m,
        ),
    );
    const transaction = await kit.signTransactionMessageWithSigners(message);
    const error = await refused(
      net.send(transaction),
      kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
    );
    assert.equal(error.cause.context.__code, kit.SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND);
    const wire = kit.getBase64EncodedWireTransaction(transaction);
    const asIs = await net.rpc.simulateTransaction(wire, { encoding: 'base64' }).send();
    assert.equal(asIs.value.err, 'BlockhashNotFound');
    const replaced = await net.rpc
      .simulateTransaction(wire, { encoding: 'base64', replaceRecentBlockhash: true })
      .send();
    assert.equal(replaced.value.err, null);
    assert.ok(replaced.value.replacementBlockhash.lastValidBlockHeight > 1n);
  });

  test('a payer without SOL', async () => {
    const payer = await kit.generateKeyPairSigner();
    const transaction = await net.sign(payer, []);
    const error = await refused(
      net.send(transaction),
      kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
    );
    assert.equal(error.cause.context.__code, kit.SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND);
  });

  test('bytes that are no transaction, or too many', async () => {
    for (const bytes of [Buffer.from('nonsense'), Buffer.alloc(1233)]) {
      await refused(
        net.rpc.sendTransaction(/** @type {any} */ (bytes.toString('base64')), { encoding: 'base64' }).send(),
        kit.SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
      );
    }
  });
});

describe('simulation', () => {
  test('shows the accounts as they would be, and changes nothing', async () => {
    const payer = await net.fundedSigner();
    const { address } = await kit.generateKeyPairSigner();
    const transaction = await net.sign(payer, [
      getTransferSolInstruction({ source: payer, destination: address, amount: SOL }),
    ]);
    const { value } = await net.rpc
      .simulateTransaction(kit.getBase64EncodedWireTransaction(transaction), {
        encoding: 'base64',
        sigVerify: true,
        innerInstructions: true,
        accounts: { addresses: [address, payer.address], encoding: 'base64' },
      })
      .send();
    assert.equal(value.err, null);
    assert.deepEqual(
      value.accounts?.map((account) => account?.lamports),
      [SOL, 9n * SOL - 5000n],
    );
    assert.deepEqual(value.innerInstructions, []);
    assert.equal((await net.rpc.getBalance(address).send()).value, 0n);
  });
});

describe('subscriptions', { concurrency: true }, () => {
  test('an account that changes is told to who watches it', async () => {
    const payer = await net.fundedSigner();
    const { address } = await kit.generateKeyPairSigner();
    const abort = new AbortController();
    const changes = await net.rpcSubscriptions
      .accountNotifications(address, { commitment: 'confirmed', encoding: 'base64' })
      .subscribe({ abortSignal: abort.signal });
    const send = net.send(
      await net.sign(payer, [getTransferSolInstruction({ source: payer, destination: address, amount: 2n * SOL })]),
    );
    for await (const { value } of changes) {
      assert.equal(value.lamports, 2n * SOL);
      break;
    }
    abort.abort();
    await send;
  });

  test('slots follow one another', async () => {
    const abort = new AbortController();
    const slots = await net.rpcSubscriptions.slotNotifications().subscribe({ abortSignal: abort.signal });
    /** @type {bigint[]} */ const seen = [];
    for await (const { slot, parent } of slots) {
      assert.equal(parent, slot - 1n);
      if (seen.push(slot) === 3) break;
    }
    abort.abort();
    assert.ok(seen[0] < seen[1] && seen[1] < seen[2]);
  });
});

test('the treasury in its file can pay SOL and USDC', async () => {
  const stored = JSON.parse(fs.readFileSync(path.join(net.service.data, 'treasury.json'), 'utf8'));
  const treasury = await kit.createKeyPairSignerFromBytes(fromBase58(stored.privateKey));
  assert.equal(treasury.address, stored.address);
  assert.equal(fs.statSync(path.join(net.service.data, 'treasury.json')).mode & 0o777, 0o600);
  const { address: customer } = await kit.generateKeyPairSigner();
  const mint = asAddress(USDC);
  await net.run(treasury, [
    getTransferSolInstruction({ source: treasury, destination: customer, amount: 50n * SOL }),
    await token.getCreateAssociatedTokenIdempotentInstructionAsync({ payer: treasury, mint, owner: customer }),
    token.getTransferCheckedInstruction({
      source: await associated(USDC, treasury.address),
      mint,
      destination: await associated(USDC, customer),
      authority: treasury,
      amount: 5_000_000_000n,
      decimals: 6,
    }),
  ]);
  const balance = await net.rpc.getTokenAccountBalance(await associated(USDC, customer)).send();
  assert.equal(balance.value.uiAmountString, '5000');
});
