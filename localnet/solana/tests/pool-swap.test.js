// @ts-check
/** Swaps in the pool program: what it pays, and everything that it refuses. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { before, describe, test } from 'node:test';
import { AccountRole } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import * as token from '@solana-program/token';
import { fromBase58 } from '../base58.js';
import { USDC, USDT } from '../genesis.js';
import { asAddress, programs } from '../programs.js';
import { WRAPPED_SOL, associated, createAssociated, errorOf, newChain, patch, person, run, tokensIn } from './chain.js';

const [SOL_POOL, STABLE_POOL] = programs.pools;
const AMOUNT_OFFSET = 64;
const FEE_OFFSET = 10;
/** @type {Array<Record<'amountIn' | 'reserveIn' | 'reserveOut' | 'amountOut', string> & {feeBps: number}>} */
const vectors = JSON.parse(fs.readFileSync(new URL('../testdata/vectors.json', import.meta.url), 'utf8'));

/**
 * @typedef {Awaited<ReturnType<typeof newChain>>} Net
 * @typedef {{user: import('@solana/kit').KeyPairSigner, usdc: string, usdt: string}} Trader
 */

/** @type {Net} */ let net;
/** @type {Trader} */ let trader;

before(async () => {
  net = await newChain();
  trader = await newTrader(net);
});

/**
 * @param {Net} on
 * @returns {Promise<Trader>}
 */
async function newTrader(on) {
  const user = await person(on, [USDC, USDT]);
  return { user, usdc: await associated(USDC, user.address), usdt: await associated(USDT, user.address) };
}

/**
 * USDC to USDT by default; overrides replace parts.
 * @param {Trader} trader
 * @param {bigint} amount
 * @param {bigint} minimum
 * @param {{accounts?: Record<number, any>, data?: Buffer, drop?: number}} [overrides]
 */
function swap({ user, usdc, usdt }, amount, minimum, { accounts = {}, data, drop = 0 } = {}) {
  const bytes = Buffer.alloc(24);
  createHash('sha256').update('global:swap').digest().copy(bytes, 0, 0, 8);
  bytes.writeBigUInt64LE(amount, 8);
  bytes.writeBigUInt64LE(minimum, 16);
  const list = [
    { address: asAddress(STABLE_POOL.state), role: AccountRole.READONLY },
    { address: user.address, role: AccountRole.READONLY_SIGNER, signer: user },
    { address: asAddress(usdc), role: AccountRole.WRITABLE },
    { address: asAddress(usdt), role: AccountRole.WRITABLE },
    { address: asAddress(STABLE_POOL.vaultA), role: AccountRole.WRITABLE },
    { address: asAddress(STABLE_POOL.vaultB), role: AccountRole.WRITABLE },
    { address: token.TOKEN_PROGRAM_ADDRESS, role: AccountRole.READONLY },
  ];
  for (const [index, account] of Object.entries(accounts)) list[Number(index)] = { ...list[Number(index)], ...account };
  return {
    programAddress: asAddress(programs.pool),
    accounts: list.slice(0, list.length - drop),
    data: new Uint8Array(data ?? bytes),
  };
}

test('one transaction wraps SOL, swaps it, and leaves nothing wrapped', async () => {
  const { user, usdc } = trader;
  const wrapped = await associated(WRAPPED_SOL, user.address);
  const amount = 1_000_000_000n;
  const [x, y] = [tokensIn(net.chain, SOL_POOL.vaultA) ?? 0n, tokensIn(net.chain, SOL_POOL.vaultB) ?? 0n];
  const net0 = (amount * 9970n) / 10000n;
  const expected = (y * net0) / (x + net0);
  const had = tokensIn(net.chain, usdc) ?? 0n;
  const entry = await run(net.chain, user, [
    await createAssociated(user, WRAPPED_SOL),
    getTransferSolInstruction({ source: user, destination: asAddress(wrapped), amount }),
    token.getSyncNativeInstruction({ account: asAddress(wrapped) }),
    swap(trader, amount, expected, {
      accounts: {
        0: { address: SOL_POOL.state },
        2: { address: wrapped },
        3: { address: usdc },
        4: { address: SOL_POOL.vaultA },
        5: { address: SOL_POOL.vaultB },
      },
    }),
    token.getCloseAccountInstruction({ account: asAddress(wrapped), destination: user.address, owner: user }),
  ]);
  assert.equal(entry.meta.err, null);
  assert.equal((tokensIn(net.chain, usdc) ?? 0n) - had, expected);
  assert.equal(net.chain.read(wrapped), null);
  const swapped = entry.meta.innerInstructions.find(({ index }) => index === 3);
  assert.deepEqual(
    swapped?.instructions.map(({ data, stackHeight }) => [
      Buffer.from(fromBase58(data)).readBigUInt64LE(1),
      stackHeight,
    ]),
    [
      [amount, 2],
      [expected, 2],
    ],
  );
  // Near the price in prices.json: 168 USD less 0.3 %.
  assert.ok(expected > 167_400_000n && expected < 167_500_000n, String(expected));
});

describe('the amount paid out', () => {
  for (const { amountIn, reserveIn, reserveOut, feeBps, amountOut } of vectors) {
    test(`${amountIn} into ${reserveIn} / ${reserveOut} at ${feeBps} bps pays ${amountOut}`, async () => {
      const fresh = await newChain();
      const somebody = await newTrader(fresh);
      const { user, usdc, usdt } = somebody;
      patch(fresh.chain, STABLE_POOL.state, (state) => state.setUint16(FEE_OFFSET, feeBps, true));
      for (const [account, amount] of /** @type {Array<[string, string]>} */ ([
        [STABLE_POOL.vaultA, reserveIn],
        [STABLE_POOL.vaultB, reserveOut],
        [usdc, amountIn],
        [usdt, '0'],
      ])) {
        patch(fresh.chain, account, (data) => data.setBigUint64(AMOUNT_OFFSET, BigInt(amount), true));
      }
      if (amountOut === '0') {
        assert.equal(await errorOf(fresh.chain, user, [swap(somebody, BigInt(amountIn), 0n)]), 6000);
        return;
      }
      assert.equal(await errorOf(fresh.chain, user, [swap(somebody, BigInt(amountIn), BigInt(amountOut) + 1n)]), 6001);
      const { meta } = await run(fresh.chain, user, [swap(somebody, BigInt(amountIn), BigInt(amountOut))]);
      assert.equal(meta.err, null, meta.logMessages.join('\n'));
      assert.equal(tokensIn(fresh.chain, usdt), BigInt(amountOut));
      assert.equal(tokensIn(fresh.chain, usdc), 0n);
      assert.equal(tokensIn(fresh.chain, STABLE_POOL.vaultA), BigInt(reserveIn) + BigInt(amountIn));
      assert.equal(tokensIn(fresh.chain, STABLE_POOL.vaultB), BigInt(reserveOut) - BigInt(amountOut));
    });
  }
});

describe('a swap is refused', () => {
  test('below the minimum: charged, but nothing moves', async () => {
    const held = tokensIn(net.chain, trader.usdc);
    const { meta } = await run(net.chain, trader.user, [swap(trader, 1_000_000n, 1_000_000n)]);
    assert.deepEqual(meta.err, { InstructionError: [0, { Custom: 6001 }] });
    assert.ok(meta.logMessages.includes('Program log: Error: slippage tolerance exceeded'));
    assert.equal(tokensIn(net.chain, trader.usdc), held);
  });

  const unsigned = () => ({ address: net.treasury.address, role: AccountRole.READONLY, signer: undefined });
  /** @type {Array<[string, number, () => any]>} */
  const cases = [
    ['nothing paid in', 6000, () => swap(trader, 0n, 0n)],
    ['so little that nothing comes out', 6000, () => swap(trader, 1n, 0n)],
    ['more than the reserves can count', 6006, () => swap(trader, (1n << 64n) - 1n, 0n)],
    ['more than the user has', 1, () => swap(trader, 200_000_000_000n, 0n)],
    ['an account twice', 6002, () => swap(trader, 1_000_000n, 0n, { accounts: { 3: { address: trader.usdc } } })],
    ['a state that is no pool', 6003, () => swap(trader, 1_000_000n, 0n, { accounts: { 0: { address: USDC } } })],
    [
      'vaults of another pool',
      6004,
      () => swap(trader, 1_000_000n, 0n, { accounts: { 5: { address: SOL_POOL.vaultA } } }),
    ],
    [
      'a vault of the user',
      6004,
      () =>
        swap(trader, 1_000_000n, 0n, { accounts: { 2: { address: STABLE_POOL.vaultA }, 4: { address: trader.usdc } } }),
    ],
    [
      'another token program',
      3008,
      () => swap(trader, 1_000_000n, 0n, { accounts: { 6: { address: programs.depository } } }),
    ],
    ['a user who did not sign', 3010, () => swap(trader, 1_000_000n, 0n, { accounts: { 1: unsigned() } })],
    ['an account missing', 3005, () => swap(trader, 1_000_000n, 0n, { drop: 1 })],
    ['data too short', 102, () => swap(trader, 0n, 0n, { data: Buffer.from('f8c69e91e17587c8', 'hex') })],
    ['an unknown instruction', 101, () => swap(trader, 0n, 0n, { data: Buffer.alloc(24) })],
    ['no data', 101, () => swap(trader, 0n, 0n, { data: Buffer.alloc(0) })],
  ];
  for (const [what, code, instruction] of cases) {
    test(`${what}: error ${code}`, async () => {
      assert.equal(await errorOf(net.chain, trader.user, [instruction()]), code);
    });
  }

  test("somebody else's tokens: the token program's owner mismatch", async () => {
    const other = await person(net, [USDC]);
    const theirs = await associated(USDC, other.address);
    const instruction = swap(trader, 1_000_000n, 0n, { accounts: { 2: { address: theirs } } });
    assert.equal(await errorOf(net.chain, trader.user, [instruction]), 4);
  });

  test('an empty pool: error 6005', async () => {
    const fresh = await newChain();
    const somebody = await newTrader(fresh);
    patch(fresh.chain, STABLE_POOL.vaultB, (data) => data.setBigUint64(AMOUNT_OFFSET, 0n, true));
    assert.equal(await errorOf(fresh.chain, somebody.user, [swap(somebody, 1_000_000n, 0n)]), 6005);
  });
});
