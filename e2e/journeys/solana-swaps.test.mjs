// Every kind of Solana swap in the page, with wrapped SOL in the wallet and
// without: one pool, two pools, wrapping, and unwrapping of a part and of all.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launchChromium, startStack } from "../stack/index.mjs";
import { chainReaders, SOLANA } from "./chains.mjs";
import { createWallet, goTo, personAt, readAddresses, swap, untilDone } from "./person.mjs";

const mints = {
  SOL: null,
  wSOL: "So11111111111111111111111111111111111111112",
  USDC: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  USDT: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
};

describe("swaps on Solana", { timeout: 300_000 }, () => {
  let stack;
  let browser;
  let page;
  let chains;
  let owner;

  before(async () => {
    stack = await startStack();
    browser = await launchChromium();
    chains = chainReaders(stack.rpcUrls);
    ({ page } = await personAt(browser, stack.appUrl));
    await createWallet(page);
    owner = (await readAddresses(page)).solana;
    await goTo(page, "Portfolio");
    await page.waitForFunction(() => /\$\d{2,3},\d{3}/.test(document.querySelector("main").innerText), null, { timeout: 60_000 });
  });

  after(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const held = (symbol) =>
    mints[symbol] === null ? chains.native(SOLANA, owner) : chains.token(SOLANA, mints[symbol], owner);

  // In this order: what is held decides how the venue builds the transaction.
  const pairs = [
    ["SOL", "USDT", "1"],
    ["USDC", "SOL", "50"],
    ["SOL", "wSOL", "2"],
    ["USDC", "SOL", "60"],
    ["USDT", "SOL", "40"],
    ["wSOL", "USDT", "0.5"],
    ["wSOL", "SOL", "0.25"],
    ["wSOL", "SOL", "1.25"],
  ];
  for (const [from, to, amount] of pairs) {
    test(`${amount} ${from} to ${to}`, async () => {
      const [paidBefore, gotBefore] = [await held(from), await held(to)];
      const id = await swap(page, { from: `${from} on Solana`, to: `${to} on Solana`, amount });
      const movement = await untilDone(page, id);
      assert.equal(movement.state, "done", movement.problem?.message);
      const got = (await held(to)) - gotBefore;
      if (to !== "SOL") assert.equal(got.toString(), movement.to.amount, "what arrived is what the chain shows");
      assert.ok(BigInt(movement.to.amount) >= BigInt(movement.to.minimum), "at least the minimum arrived");
      if (from !== "SOL") {
        assert.equal(paidBefore - (await held(from)), BigInt(movement.from.amount), "exactly the amount left");
      }
    });
  }

  test("no wrapped SOL is left over", async () => assert.equal(await held("wSOL"), 0n));
});
