// A newcomer's way through the product on the real stack: create a wallet,
// receive, send, swap, log out and in again. What is asserted about money is
// read from the chains.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Keypair } from "@solana/web3.js";
import { parseUnits } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { launchChromium, startStack } from "../stack/index.mjs";
import { catalogChains, chainReaders, SOLANA, usdcOn } from "./chains.mjs";
import { createWallet, goTo, personAt, readAddresses, send, swap, untilDone } from "./person.mjs";

const BASE = 8453;
const ARBITRUM = 42161;
const startingFunds = { ETH: 5n, BNB: 10n, BERA: 500n, S: 5000n, AVAX: 100n, POL: 5000n, HYPE: 100n, SOL: 50n };
const startingUsdc = 5000n;

describe("a newcomer's first wallet", { timeout: 600_000 }, () => {
  let stack;
  let browser;
  let person;
  let chains;
  let own;

  before(async () => {
    stack = await startStack();
    browser = await launchChromium();
    chains = chainReaders(stack.rpcUrls);
    person = await personAt(browser, stack.appUrl);
  });

  after(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const ownOn = (chainId) => (chainId === SOLANA ? own.solana : own.evm);
  const stranger = (chainId) =>
    chainId === SOLANA ? Keypair.generate().publicKey.toBase58() : privateKeyToAddress(generatePrivateKey());

  /** The fees of a movement's transactions on its origin chain, from the chain. */
  async function feesOf(movement) {
    let sum = 0n;
    for (const step of movement.steps) sum += await chains.fee(step.chainId, step.hash);
    return sum;
  }

  test("one click and one gesture lead to the portfolio", async () => {
    await createWallet(person.page);
    assert.equal((await person.authenticator.credentials()).length, 1);
    const text = await person.page.getByRole("main").innerText();
    assert.match(text, /Total value/);
  });

  test("the starting funds are on all ten chains", async () => {
    own = await readAddresses(person.page);
    assert.ok(own.evm && own.solana, "both addresses stand in full on Receive");
    await goTo(person.page, "Portfolio");
    await person.page.waitForFunction(() => !/\$0\.00/.test(document.querySelector("main").innerText), null, { timeout: 60_000 });
    const deadline = Date.now() + 60_000;
    for (const chain of catalogChains) {
      const coin = startingFunds[chain.nativeCurrency.symbol] * 10n ** BigInt(chain.nativeCurrency.decimals);
      const usdc = usdcOn(chain.id);
      let held = 0n;
      while (held < coin && Date.now() < deadline) held = await chains.native(chain.id, ownOn(chain.id));
      assert.equal(held, coin, `${chain.name}: native coin`);
      const token = startingUsdc * 10n ** BigInt(usdc.decimals);
      let dollars = 0n;
      while (dollars < token && Date.now() < deadline) dollars = await chains.token(chain.id, usdc.address, ownOn(chain.id));
      assert.equal(dollars, token, `${chain.name}: USDC`);
    }
  });

  test("the portfolio names every chain and a total in dollars", async () => {
    await goTo(person.page, "Portfolio");
    const main = person.page.getByRole("main");
    await main.getByText(/\$\d{2,3},\d{3}/).first().waitFor({ timeout: 20_000 });
    const text = await main.innerText();
    for (const chain of catalogChains) assert.ok(text.includes(chain.name), `${chain.name} is shown`);
  });

  const payments = [
    { name: "native coin", chainId: BASE, chain: "Base", symbol: "ETH", amount: "0.5", decimals: 18 },
    { name: "an ERC-20", chainId: ARBITRUM, chain: "Arbitrum", symbol: "USDC", amount: "12.34", decimals: 6, token: true },
    { name: "SOL", chainId: SOLANA, chain: "Solana", symbol: "SOL", amount: "2.5", decimals: 9 },
    { name: "an SPL token", chainId: SOLANA, chain: "Solana", symbol: "USDC", amount: "7.000001", decimals: 6, token: true },
  ];
  for (const payment of payments) {
    test(`sends ${payment.name}, right to the last unit`, async () => {
      const { chainId, token, decimals } = payment;
      const recipient = stranger(chainId);
      const amount = parseUnits(payment.amount, decimals);
      const asset = token ? usdcOn(chainId).address : null;
      const held = (owner) => (asset ? chains.token(chainId, asset, owner) : chains.native(chainId, owner));
      const [before, coinBefore] = [await held(ownOn(chainId)), await chains.native(chainId, ownOn(chainId))];

      const id = await send(person.page, { ...payment, recipient });
      const movement = await untilDone(person.page, id);
      assert.equal(movement.state, "done");
      await person.page.getByText("Done").first().waitFor({ timeout: 15_000 });

      const fee = await feesOf(movement);
      const rent = token && chainId === SOLANA ? 2_039_280n : 0n;
      assert.equal(await held(recipient), amount, "the recipient has exactly the amount");
      if (asset) {
        assert.equal(await held(ownOn(chainId)), before - amount, "exactly the amount has left");
        assert.equal(await chains.native(chainId, ownOn(chainId)), coinBefore - fee - rent, "and the network's cost");
      } else {
        assert.equal(await held(ownOn(chainId)), before - amount - fee, "amount and fee have left");
      }
      assert.equal(movement.to.amount, amount.toString(), "Activity records what arrived");
    });
  }

  test("swaps ETH to USDC on Base through a real pool", async () => {
    const usdc = usdcOn(BASE).address;
    const [coin, dollars] = [await chains.native(BASE, own.evm), await chains.token(BASE, usdc, own.evm)];
    const id = await swap(person.page, { from: "ETH on Base", to: "USDC on Base", amount: "0.5" });
    const movement = await untilDone(person.page, id);
    assert.equal(movement.state, "done");
    const gained = (await chains.token(BASE, usdc, own.evm)) - dollars;
    assert.ok(gained >= BigInt(movement.to.minimum), "at least the minimum arrived");
    assert.equal(movement.to.amount, gained.toString());
    assert.equal(await chains.native(BASE, own.evm), coin - parseUnits("0.5", 18) - (await feesOf(movement)));
  });

  test("swaps USDC to ETH on Base with an exact approval", async () => {
    const usdc = usdcOn(BASE).address;
    const dollars = await chains.token(BASE, usdc, own.evm);
    const id = await swap(person.page, { from: "USDC on Base", to: "ETH on Base", amount: "100" });
    const movement = await untilDone(person.page, id);
    assert.equal(movement.state, "done");
    assert.deepEqual(movement.steps.map((step) => step.kind), ["approve", "swap"]);
    assert.equal(await chains.token(BASE, usdc, own.evm), dollars - parseUnits("100", 6));
    const approval = await chains.evm(BASE).getTransactionReceipt({ hash: movement.steps[0].hash });
    assert.equal(BigInt(approval.logs[0].data), parseUnits("100", 6), "approved exactly what was swapped");
  });

  test("swaps SOL to USDC on Solana through a real program", async () => {
    const usdc = usdcOn(SOLANA).address;
    const dollars = await chains.token(SOLANA, usdc, own.solana);
    const id = await swap(person.page, { from: "SOL on Solana", to: "USDC on Solana", amount: "1.5" });
    const movement = await untilDone(person.page, id);
    assert.equal(movement.state, "done");
    const gained = (await chains.token(SOLANA, usdc, own.solana)) - dollars;
    assert.ok(gained >= BigInt(movement.to.minimum));
    assert.equal(movement.to.amount, gained.toString());
  });

  test("swaps ETH on Base to USDC on Solana", async () => {
    const usdc = usdcOn(SOLANA).address;
    const [coin, dollars] = [await chains.native(BASE, own.evm), await chains.token(SOLANA, usdc, own.solana)];
    const id = await swap(person.page, { from: "ETH on Base", to: "USDC on Solana", amount: "0.25" });
    const movement = await untilDone(person.page, id);
    assert.equal(movement.state, "done");
    const gained = (await chains.token(SOLANA, usdc, own.solana)) - dollars;
    assert.ok(gained >= BigInt(movement.to.minimum));
    assert.equal(movement.to.amount, gained.toString());
    assert.equal(await chains.native(BASE, own.evm), coin - parseUnits("0.25", 18) - (await feesOf(movement)));
  });

  test("Activity lists all of it as done", async () => {
    await goTo(person.page, "Activity");
    await person.page.getByText("Done").nth(7).waitFor();
  });

  test("logs out, and in again with one click and one gesture to the same portfolio", async () => {
    await goTo(person.page, "Settings");
    await person.page.getByRole("button", { name: "Log out" }).first().click();
    await person.page.getByRole("button", { name: "Log in with passkey" }).click();
    await person.page.getByText("Total value").waitFor({ timeout: 30_000 });
    assert.deepEqual(await readAddresses(person.page), own);
  });

  test("nothing broke on the page meanwhile", () => assert.deepEqual(person.faults, []));
});
