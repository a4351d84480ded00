// Relay's own client against the local venue: what it accepts, executes and
// follows is what the venue has to speak. The Go test of the same name starts
// the chains and says where they are.
//
//   SDKTEST={"venue","solanaRpc","evmKey","solanaKey"} as JSON in the environment

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { before, test } from 'node:test'
import { APIError, createClient, getClient } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { createPublicClient, createWalletClient, http, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

// web3.js has no ES module that Node loads by its name.
const require = createRequire(import.meta.url)

const settings = JSON.parse(process.env.SDKTEST)
const account = privateKeyToAccount(settings.evmKey)
const BASE = 8453
const BSC = 56
const SOLANA = 792703809
const NATIVE = '0x0000000000000000000000000000000000000000'
const USDC = {
  [BASE]: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  [BSC]: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
  [SOLANA]: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
}

let chains

before(async () => {
  createClient({ baseApiUrl: settings.venue, source: 'sdktest', pollingInterval: 200 })
  chains = await configureDynamicChains()
})

const chainOf = (id) => chains.find((chain) => chain.id === id)

/** A viem wallet whose node is the one that the venue names for the chain. */
const walletOn = (id) =>
  createWalletClient({ account, chain: chainOf(id).viemChain, transport: http(chainOf(id).httpRpcUrl) })

const publicOn = (id) =>
  createPublicClient({ chain: chainOf(id).viemChain, transport: http(chainOf(id).httpRpcUrl) })

const balanceOf = (id, address) =>
  publicOn(id).readContract({ address: USDC[id], abi: erc20Abi, functionName: 'balanceOf', args: [address] })

const quote = (parameters, options = {}) =>
  getClient().actions.getQuote({ tradeType: 'EXACT_INPUT', user: account.address, recipient: account.address, ...parameters, options })

/** Executes a quote and gives every state that the client went through. */
async function execute(quoted, wallet) {
  const states = []
  await getClient().actions.execute({ quote: quoted, wallet, onProgress: (state) => states.push(state) })
  return states
}

test('the client reads the chains', () => {
  assert.deepEqual(
    [...new Set(chains.map((chain) => chain.vmType))].sort(),
    ['evm', 'svm'],
  )
  for (const id of [1, BASE, BSC, SOLANA]) {
    assert.ok(chainOf(id)?.httpRpcUrl.startsWith('http://'), `chain ${id}`)
  }
})

test('a swap on one chain, with its approval', async () => {
  const amount = 25_000_000n
  const quoted = await quote({
    chainId: BASE, toChainId: BASE, currency: USDC[BASE], toCurrency: NATIVE, amount: String(amount),
  })
  assert.deepEqual(quoted.steps.map((step) => step.id), ['approve', 'swap'])
  const before = await balanceOf(BASE, account.address)
  const states = await execute(quoted, walletOn(BASE))
  assert.equal(before - (await balanceOf(BASE, account.address)), amount)
  assert.ok(states.at(-1).steps.every((step) => step.items.every((item) => item.status === 'complete')))
  const { endpoint } = quoted.steps[1].items[0].check
  await eventually(async () => (await (await fetch(settings.venue + endpoint)).json()).status === 'success')
})

test('an order across chains is followed to its fill', async () => {
  const recipient = '0x1000000000000000000000000000000000000001'
  const quoted = await quote({
    chainId: BASE, toChainId: BSC, currency: NATIVE, toCurrency: USDC[BSC], amount: '10000000000000000', recipient,
  })
  assert.deepEqual(quoted.steps.map((step) => step.id), ['deposit'])
  const states = await execute(quoted, walletOn(BASE))
  const item = states.at(-1).steps[0].items[0]
  assert.equal(item.checkStatus, 'success')
  assert.equal(item.txHashes.at(-1).chainId, BSC)
  assert.equal(await balanceOf(BSC, recipient), BigInt(quoted.details.currencyOut.amount))
})

test('a refund ends the execution as the client words it', async () => {
  const quoted = await quote(
    { chainId: BASE, toChainId: BSC, currency: NATIVE, toCurrency: NATIVE, amount: '10000000000000000' },
    { referrer: 'debug-force-refund', refundTo: account.address },
  )
  await assert.rejects(execute(quoted, walletOn(BASE)), /Refunded/)
})

test('a refused quote is an APIError with message and code', async () => {
  await assert.rejects(
    quote({ chainId: BASE, toChainId: BASE, currency: NATIVE, toCurrency: USDC[BASE], amount: '1' }),
    (error) => {
      assert.equal(error.name, new APIError().name)
      assert.equal(error.message, 'Swap output amount is too small')
      assert.equal(error.rawError.errorCode, 'AMOUNT_TOO_LOW')
      return true
    },
  )
})

test('the Solana adapter compiles, signs and sends a quote', async () => {
  const { adaptSolanaWallet } = await import('@relayprotocol/relay-svm-wallet-adapter')
  const { Connection, Keypair } = require('@solana/web3.js')
  const connection = new Connection(settings.solanaRpc, 'confirmed')
  const keypair = Keypair.fromSecretKey(Uint8Array.from(Buffer.from(settings.solanaKey, 'hex')))
  const wallet = adaptSolanaWallet(keypair.publicKey.toBase58(), SOLANA, connection, async (transaction) => {
    transaction.sign([keypair])
    return { signature: await connection.sendTransaction(transaction) }
  })
  const solanaQuote = (toChainId, toCurrency, recipient) =>
    quote({
      chainId: SOLANA, toChainId, currency: '11111111111111111111111111111111', toCurrency, amount: '1000000000',
      user: keypair.publicKey.toBase58(), recipient,
    })
  const swap = await solanaQuote(SOLANA, USDC[SOLANA], keypair.publicKey.toBase58())
  const swapped = await execute(swap, wallet)
  assert.equal(swapped.at(-1).steps[0].items[0].status, 'complete')

  const recipient = '0x1000000000000000000000000000000000000002'
  const bridge = await solanaQuote(BSC, USDC[BSC], recipient)
  const bridged = await execute(bridge, wallet)
  assert.equal(bridged.at(-1).steps[0].items[0].checkStatus, 'success')
  assert.equal(await balanceOf(BSC, recipient), BigInt(bridge.details.currencyOut.amount))
})

async function eventually(done) {
  const deadline = Date.now() + 10_000
  while (!(await done())) {
    assert.ok(Date.now() < deadline, 'waited ten seconds in vain')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
