// What the page refuses, and what survives: wrong input, a session that ends
// between review and confirmation, a double press, a reload in the middle.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Keypair } from "@solana/web3.js";
import { parseUnits } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { launchChromium, startStack } from "../stack/index.mjs";
import { chainReaders, SOLANA } from "./chains.mjs";
import { createWallet, fillPayment, goTo, personAt, readAddresses, untilDone } from "./person.mjs";

const BASE = 8453;

describe("refusals and interruptions", { timeout: 300_000 }, () => {
  let stack;
  let browser;
  let page;
  let context;
  let chains;
  let own;

  before(async () => {
    stack = await startStack();
    browser = await launchChromium();
    chains = chainReaders(stack.rpcUrls);
    ({ page, context } = await personAt(browser, stack.appUrl));
    await createWallet(page);
    own = await readAddresses(page);
    await goTo(page, "Portfolio");
    await page.waitForFunction(() => /\$\d{2,3},\d{3}/.test(document.querySelector("main").innerText), null, { timeout: 60_000 });
  });

  after(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  const friend = privateKeyToAddress(generatePrivateKey());
  const solanaFriend = Keypair.generate().publicKey.toBase58();
  const movements = () => page.evaluate(async () => (await (await fetch("/api/v1/movements")).json()).movements.length);

  const refusedPayments = [
    ["an address with a wrong checksum", { recipient: friend.replace(/[a-f]/, (c) => c.toUpperCase()) }, "Please enter a valid recipient address"],
    ["a Solana address on an EVM chain", { recipient: solanaFriend }, "This is a Solana address"],
    ["an EVM address on Solana", { chain: "Solana", symbol: "SOL", recipient: friend }, "The provided address is not a valid Solana address"],
    ["letters that base58 does not have", { chain: "Solana", symbol: "SOL", recipient: `0${solanaFriend.slice(1)}` }, "The provided address is not a valid Solana address"],
    ["an amount of zero", { amount: "0" }, "Please enter a valid amount"],
    ["a negative amount", { amount: "-1" }, "Please enter a valid amount"],
    ["too many decimals", { symbol: "USDC", amount: "1.0000001" }, "USDC has at most 6 decimal places."],
    ["more than there is", { amount: "1000000" }, "Insufficient balance"],
  ];
  for (const [name, change, message] of refusedPayments) {
    test(`refuses ${name}`, async () => {
      await fillPayment(page, { chain: "Base", symbol: "ETH", recipient: friend, amount: "0.1", ...change });
      await press("Review");
      await page.getByText(message).first().waitFor({ timeout: 5000 });
      assert.equal(await movements(), 0, "nothing was signed");
    });
  }

  test("refuses a payment to oneself on the same chain", async () => {
    await fillPayment(page, { chain: "Base", symbol: "ETH", recipient: own.evm.toLowerCase(), amount: "0.1" });
    await press("Review");
    await page.getByText("Self-transfers within the same chain are not allowed.").waitFor({ timeout: 5000 });
  });

  test("refuses the same asset in and out", async () => {
    await goTo(page, "Swap");
    await page.getByLabel("From", { exact: true }).selectOption({ label: "ETH on Base" });
    await page.getByLabel("To", { exact: true }).selectOption({ label: "ETH on Base" });
    await page.getByLabel("Amount").fill("0.1");
    await page.getByText("Please select different tokens").waitFor({ timeout: 5000 });
  });

  test("a session that ends between review and confirmation keeps the form, and nothing is paid twice", async () => {
    const recipient = privateKeyToAddress(generatePrivateKey());
    await fillPayment(page, { chain: "Base", symbol: "ETH", recipient, amount: "0.125" });
    await press("Review");
    await page.getByRole("button", { name: "Send 0.125 ETH", exact: true }).waitFor();
    await context.clearCookies();
    await press("Send 0.125 ETH");
    await page.getByRole("dialog").getByRole("button", { name: "Log in with passkey" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await chains.native(BASE, recipient), 0n, "nothing was sent without a session");
    await press("Send 0.125 ETH");
    await page.waitForURL(/\/activity\/./);
    const movement = await untilDone(page, page.url().split("/").at(-1));
    assert.equal(movement.state, "done");
    assert.equal(await chains.native(BASE, recipient), parseUnits("0.125", 18));
  });

  test("two quick presses pay once", async () => {
    const recipient = Keypair.generate().publicKey.toBase58();
    await fillPayment(page, { chain: "Solana", symbol: "SOL", recipient, amount: "0.5" });
    await press("Review");
    const confirm = page.getByRole("button", { name: "Send 0.5 SOL", exact: true });
    await confirm.waitFor();
    await confirm.evaluate((button) => {
      button.click();
      button.click();
    });
    await page.waitForURL(/\/activity\/./);
    await untilDone(page, page.url().split("/").at(-1));
    assert.equal(await chains.native(SOLANA, recipient), 500_000_000n);
  });

  test("Max leaves what the network needs, and can be sent", async () => {
    const recipient = privateKeyToAddress(generatePrivateKey());
    await fillPayment(page, { chain: "Polygon", symbol: "POL", recipient, amount: "1" });
    await press("Max");
    await page.getByText("is kept back for the network").waitFor();
    const amount = await page.getByLabel("Amount").inputValue();
    await press("Review");
    await press(`Send ${amount} POL`);
    await page.waitForURL(/\/activity\/./);
    const movement = await untilDone(page, page.url().split("/").at(-1));
    assert.equal(movement.state, "done");
    assert.equal(await chains.native(137, recipient), parseUnits(amount, 18));
  });

  test("a reload asks for one gesture and keeps the page and its form", async () => {
    await fillPayment(page, { chain: "Base", symbol: "ETH", recipient: friend, amount: "0.75" });
    await page.reload();
    await page.getByRole("button", { name: "Log in with passkey" }).click();
    await page.getByLabel("Amount").waitFor();
    assert.equal(await page.getByLabel("Amount").inputValue(), "0.75");
    assert.equal(await page.getByLabel("Recipient").inputValue(), friend);
  });

  test("nothing of the session is left in the page's storage or cookies after logging out", async () => {
    await goTo(page, "Settings");
    await page.getByRole("button", { name: "Log out" }).first().click();
    await page.getByRole("button", { name: "Create wallet" }).waitFor();
    const left = await page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage }, cookies: document.cookie }));
    assert.deepEqual(left.local, {});
    // The router keeps how far pages were scrolled; that tells nobody anything.
    assert.deepEqual(Object.keys(left.session).filter((key) => !key.startsWith("tsr-scroll-restoration")), []);
    assert.equal(left.cookies, "");
    assert.deepEqual(await context.cookies(stack.appUrl), []);
  });
});
