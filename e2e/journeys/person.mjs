// A person at the page: what they read and press, by role and name.
import { addVirtualAuthenticator } from "../stack/index.mjs";

/** Opens the page with an authenticator in the device; `faults` collects what breaks on it. */
export async function personAt(browser, url, { width = 1280, height = 900, theme = "light", bypassCSP = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, bypassCSP });
  const page = await context.newPage();
  const authenticator = await addVirtualAuthenticator(page);
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(url);
  return { page, context, authenticator, faults };
}

/** Presses Create wallet and waits for the portfolio. */
export async function createWallet(page) {
  await page.getByRole("button", { name: "Create wallet" }).click();
  await page.getByText("Total value").waitFor({ timeout: 30_000 });
}

/** Goes to a page by its navigation link. */
export async function goTo(page, name) {
  await page.getByRole("banner").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
}

/** The two addresses in full, as Receive shows them. */
export async function readAddresses(page) {
  await goTo(page, "Receive");
  const text = () => page.getByRole("main").innerText();
  await page.waitForFunction(() => /0x[0-9a-fA-F]{40}/.test(document.querySelector("main")?.innerText.replace(/\s/g, "") ?? ""));
  const compact = (await text()).replace(/\n/g, " ");
  const evm = /0x[0-9a-fA-F]{40}/.exec(compact.replace(/\s/g, ""))?.[0];
  const solana = compact.split(/\s+/).find((word) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(word) && !word.startsWith("0x"));
  return { evm, solana };
}

/** Fills the payment form. */
export async function fillPayment(page, { chain, symbol, recipient, amount }) {
  await goTo(page, "Send");
  await page.getByLabel("Chain", { exact: true }).selectOption({ label: chain });
  await page.getByLabel("Asset", { exact: true }).selectOption({ label: symbol });
  await page.getByLabel("Recipient").fill(recipient);
  await page.getByLabel("Amount").fill(amount);
}

/** Fills the payment form, reviews it and confirms it. Gives the movement's id. */
export async function send(page, payment) {
  const { symbol, amount } = payment;
  await fillPayment(page, payment);
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByRole("button", { name: `Send ${amount} ${symbol}`, exact: true }).click();
  return movementPage(page);
}

/** Fills the swap form, reviews the best offer and confirms it. */
export async function swap(page, { from, to, amount }) {
  await goTo(page, "Swap");
  await page.getByLabel("From", { exact: true }).selectOption({ label: from });
  await page.getByLabel("To", { exact: true }).selectOption({ label: to });
  await page.getByLabel("Amount").fill(amount);
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByRole("button", { name: `Swap ${amount} ${from.split(" on ")[0]}`, exact: true }).click();
  return movementPage(page);
}

async function movementPage(page) {
  await page.waitForURL(/\/activity\/./, { timeout: 30_000 });
  return page.url().split("/").at(-1);
}

/** The movement as the server tells this person, once it is at an end. */
export async function untilDone(page, id, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const movement = await page.evaluate(async (id) => (await fetch(`/api/v1/movements/${id}`)).json(), id);
    if (["done", "refunded", "failed", "expired", "cancelled"].includes(movement.state)) return movement;
    if (Date.now() > deadline) throw new Error(`movement ${id} is still ${movement.state}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
