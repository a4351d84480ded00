// @ts-check
/** Opening pools: addresses, the state that is written, and everything that is refused. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { generateKeyPairSigner, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import * as token from '@solana-program/token';
import { asAddress, initializePoolInstruction, programs } from '../programs.js';
import { associated, createAssociated, errorOf, newChain, patch, run } from './chain.js';

const STABLE_POOL = programs.pools[1];
const FEE_OFFSET = 10;

/** @type {Awaited<ReturnType<typeof newChain>>} */ let net;

before(async () => {
  net = await newChain();
});

test('programs.json names the addresses that the programs derive', async () => {
  for (const pool of programs.pools) {
    const encode = getAddressEncoder().encode;
    const seeds = ['pool', encode(asAddress(pool.mintA)), encode(asAddress(pool.mintB))];
    const [state] = await getProgramDerivedAddress({ programAddress: asAddress(programs.pool), seeds });
    assert.equal(pool.state, state);
    assert.equal(pool.vaultA, await associated(pool.mintA, state));
    assert.equal(pool.vaultB, await associated(pool.mintB, state));
  }
});

describe('a new pool', () => {
  /** A pool of two new mints, whose vaults are there. */
  async function newPool() {
    const [a, b] = [await newMint(), await newMint()];
    const encode = getAddressEncoder().encode;
    const [state] = await getProgramDerivedAddress({
      programAddress: asAddress(programs.pool),
      seeds: ['pool', encode(a), encode(b)],
    });
    const vaults = [await createAssociated(net.authority, a, state), await createAssociated(net.authority, b, state)];
    await run(net.chain, net.authority, vaults);
    /** @type {import('../programs.js').Pool} */
    const pool = {
      name: 'new',
      state,
      mintA: a,
      mintB: b,
      vaultA: await associated(a, state),
      vaultB: await associated(b, state),
      feeBps: 30,
    };
    return pool;
  }

  async function newMint() {
    const mint = await generateKeyPairSigner();
    const lamports = net.chain.runtime.rentExemption(82);
    await run(net.chain, net.authority, [
      getCreateAccountInstruction({
        payer: net.authority,
        newAccount: mint,
        lamports,
        space: 82n,
        programAddress: token.TOKEN_PROGRAM_ADDRESS,
      }),
      token.getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: net.authority.address }),
    ]);
    return mint.address;
  }

  test('can be opened once', async () => {
    const pool = await newPool();
    const { meta } = await run(net.chain, net.authority, [initializePoolInstruction(pool, net.authority)]);
    assert.equal(meta.err, null, meta.logMessages.join('\n'));
    const state = net.chain.read(pool.state);
    assert.equal(state?.owner, programs.pool);
    assert.equal(state?.data.length, 144);
    assert.equal(new DataView(Uint8Array.from(state.data).buffer).getUint16(FEE_OFFSET, true), 30);
    assert.equal(await errorOf(net.chain, net.treasury, [initializePoolInstruction(pool, net.treasury)]), 6007);
  });

  /** @type {Array<[string, number, (pool: Awaited<ReturnType<typeof newPool>>) => any]>} */
  const cases = [
    ['a fee above 10 %', 6008, (pool) => ({ ...pool, feeBps: 1001 })],
    ['one mint twice', 6009, (pool) => ({ ...pool, mintB: pool.mintA })],
    ['a mint that is none', 6009, (pool) => ({ ...pool, mintB: pool.vaultA })],
    ['a state at another address', 2006, (pool) => ({ ...pool, state: STABLE_POOL.state })],
    ['a vault of the other mint', 6004, (pool) => ({ ...pool, vaultA: pool.vaultB, vaultB: pool.vaultA })],
    ['a vault of somebody else', 6004, (pool) => ({ ...pool, vaultA: STABLE_POOL.vaultA })],
  ];
  for (const [what, offset] of /** @type {Array<[string, number]>} */ ([
    ['a delegate, who could empty it', 72],
    ['a close authority of its own', 129],
  ])) {
    test(`a vault with ${what}: error 6004`, async () => {
      const pool = await newPool();
      patch(net.chain, pool.vaultB, (data) => data.setUint32(offset, 1, true));
      assert.equal(await errorOf(net.chain, net.treasury, [initializePoolInstruction(pool, net.treasury)]), 6004);
    });
  }
  for (const [what, code, change] of cases) {
    test(`${what}: error ${code}`, async () => {
      const pool = change(await newPool());
      assert.equal(await errorOf(net.chain, net.treasury, [initializePoolInstruction(pool, net.treasury)]), code);
    });
  }
});
