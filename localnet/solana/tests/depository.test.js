// @ts-check
/** The depository program: what it moves and logs, and everything that it refuses. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { AccountRole, generateKeyPairSigner, getProgramDerivedAddress } from '@solana/kit';
import * as token from '@solana-program/token';
import { fromBase58 } from '../base58.js';
import { USDC, USDT } from '../genesis.js';
import { asAddress, programs } from '../programs.js';
import { associated, errorOf, newChain, person, run, tokensIn } from './chain.js';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const ID = Buffer.from('c0ffee'.padEnd(64, '7'), 'hex');

/** @type {Awaited<ReturnType<typeof newChain>>} */ let net;
/** @type {import('@solana/kit').KeyPairSigner} */ let sender;
/** @type {string} */ let usdc;
/** @type {string} */ let vaultUsdc;

before(async () => {
  net = await newChain();
  sender = await person(net, [USDC]);
  usdc = await associated(USDC, sender.address);
  vaultUsdc = await associated(USDC, programs.depositoryVault);
});

/**
 * @param {string} name
 * @param {bigint} amount
 */
function depositData(name, amount) {
  const data = Buffer.alloc(48);
  createHash('sha256').update(`global:${name}`).digest().copy(data, 0, 0, 8);
  data.writeBigUInt64LE(amount, 8);
  ID.copy(data, 16);
  return data;
}

/**
 * @param {Buffer} data
 * @param {any[]} list
 * @param {Record<number, any>} overrides
 */
function instruction(data, list, overrides) {
  const accounts = list.map((account, index) => ({ ...account, ...overrides[index] }));
  return { programAddress: asAddress(programs.depository), accounts, data: new Uint8Array(data) };
}

/** @param {string} address */
const readonly = (address) => ({ address: asAddress(address), role: AccountRole.READONLY });
/** @param {string} address */
const writable = (address) => ({ address: asAddress(address), role: AccountRole.WRITABLE });
const shared = (/** @type {string} */ depositor) => [
  readonly(programs.depositoryState),
  { address: sender.address, role: AccountRole.WRITABLE_SIGNER, signer: sender },
  readonly(depositor),
];

/**
 * @param {bigint} amount
 * @param {{depositor?: string, overrides?: Record<number, any>, data?: Buffer}} [options]
 */
function depositNative(amount, { depositor = sender.address, overrides = {}, data } = {}) {
  const list = [...shared(depositor), writable(programs.depositoryVault), readonly(SYSTEM_PROGRAM)];
  return instruction(data ?? depositData('deposit_native', amount), list, overrides);
}

/**
 * @param {bigint} amount
 * @param {{depositor?: string, overrides?: Record<number, any>}} [options]
 */
function depositToken(amount, { depositor = sender.address, overrides = {} } = {}) {
  const list = [
    ...shared(depositor),
    readonly(programs.depositoryVault),
    readonly(USDC),
    writable(usdc),
    writable(vaultUsdc),
    readonly(token.TOKEN_PROGRAM_ADDRESS),
    readonly(token.ASSOCIATED_TOKEN_PROGRAM_ADDRESS),
    readonly(SYSTEM_PROGRAM),
  ];
  return instruction(depositData('deposit_token', amount), list, overrides);
}

/**
 * The events of our program in a transaction's logs.
 * @param {string[]} logs
 */
function events(logs) {
  return logs.filter((line) => line.startsWith('Program data: ')).map((line) => Buffer.from(line.slice(14), 'base64'));
}

test('programs.json names the addresses that the program derives', async () => {
  const programAddress = asAddress(programs.depository);
  const derive = async (/** @type {string} */ seed) =>
    (await getProgramDerivedAddress({ programAddress, seeds: [seed] }))[0];
  assert.equal(programs.depositoryState, await derive('relay_depository'));
  assert.equal(programs.depositoryVault, await derive('vault'));
});

describe('a deposit', () => {
  test('of SOL moves it to the vault and logs depositor, amount and id', async () => {
    const before = net.chain.runtime.balance(programs.depositoryVault);
    const { meta } = await run(net.chain, sender, [depositNative(1_234_567_890n)]);
    assert.equal(meta.err, null, meta.logMessages.join('\n'));
    assert.equal(net.chain.runtime.balance(programs.depositoryVault) - before, 1_234_567_890n);
    const amount = Buffer.alloc(8);
    amount.writeBigUInt64LE(1_234_567_890n);
    assert.deepEqual(events(meta.logMessages), [
      Buffer.concat([eventName(), fromBase58(sender.address), Buffer.from([0]), amount, ID]),
    ]);
  });

  test('of a token, the first of its mint, opens the vault account; the depositor may be another', async () => {
    const { address: depositor } = await generateKeyPairSigner();
    assert.equal(net.chain.read(vaultUsdc), null);
    let total = 0n;
    for (const deposit of [2_500_000n, 2_500_001n]) {
      const { meta } = await run(net.chain, sender, [depositToken(deposit, { depositor })]);
      total += deposit;
      assert.equal(meta.err, null, meta.logMessages.join('\n'));
      assert.equal(tokensIn(net.chain, vaultUsdc), total);
      const amount = Buffer.alloc(8);
      amount.writeBigUInt64LE(deposit);
      assert.deepEqual(events(meta.logMessages), [
        Buffer.concat([eventName(), fromBase58(depositor), Buffer.from([1]), fromBase58(USDC), amount, ID]),
      ]);
    }
    assert.equal(tokensIn(net.chain, usdc), 100_000_000_000n - total);
  });
});

function eventName() {
  return createHash('sha256').update('event:DepositEvent').digest().subarray(0, 8);
}

describe('a deposit is refused', () => {
  const unsigned = () => ({ address: net.treasury.address, role: AccountRole.WRITABLE, signer: undefined });
  const elsewhere = () => ({ address: net.treasury.address });
  /** @type {Array<[string, unknown, () => any]>} */
  const cases = [
    ['SOL that the sender does not have', 1, () => depositNative(2_000_000_000_000n)],
    ['SOL to another vault', 2006, () => depositNative(1n, { overrides: { 3: elsewhere() } })],
    ['SOL with another state', 2006, () => depositNative(1n, { overrides: { 0: elsewhere() } })],
    ['SOL by another system program', 3008, () => depositNative(1n, { overrides: { 4: elsewhere() } })],
    ['SOL of who did not sign', 3010, () => depositNative(1n, { overrides: { 1: unsigned() } })],
    ['data too short', 102, () => depositNative(1n, { data: depositData('deposit_native', 1n).subarray(0, 47) })],
    ['an unknown instruction', 101, () => depositNative(1n, { data: depositData('withdraw', 1n) })],
    ['an account too few', 3005, () => ({ ...depositToken(1n), accounts: depositToken(1n).accounts.slice(0, 9) })],
    ['tokens that the sender does not have', 1, () => depositToken(200_000_000_000n)],
    ['tokens of who did not sign', 3010, () => depositToken(1n, { overrides: { 1: unsigned() } })],
    ['tokens to another account', 6010, () => depositToken(1n, { overrides: { 6: elsewhere() } })],
    ['tokens from another account', 2009, () => depositToken(1n, { overrides: { 5: { address: vaultUsdc } } })],
    ['tokens of another mint', 2009, () => depositToken(1n, { overrides: { 4: { address: USDT } } })],
    ['a mint that is none', 6001, () => depositToken(1n, { overrides: { 4: { address: usdc } } })],
    ['another token program', 6002, () => depositToken(1n, { overrides: { 7: elsewhere() } })],
    ['another associated token program', 3008, () => depositToken(1n, { overrides: { 8: elsewhere() } })],
  ];
  for (const [what, code, build] of cases) {
    test(`${what}: error ${code}`, async () => {
      assert.equal(await errorOf(net.chain, sender, [build()]), code);
    });
  }
});
