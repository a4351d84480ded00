// Every page, in both themes, at a phone's and a desk's width, against the WCAG
// rules that a program can check.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launchChromium, startStack } from "../stack/index.mjs";
import { createWallet, fillPayment, goTo, personAt, swap, untilDone } from "./person.mjs";

const axe = new URL("../node_modules/axe-core/axe.min.js", import.meta.url).pathname;
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const looks = [
  { theme: "light", width: 1280 },
  { theme: "light", width: 390 },
  { theme: "dark", width: 1280 },
  { theme: "dark", width: 390 },
];

/** In the page: waits for what fades in, so that colours are measured as they stay. */
function settle() {
  const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
  return Promise.all(ending.map((one) => one.finished.catch(() => {}))).then(() => {});
}

describe("accessibility", { timeout: 300_000 }, () => {
  let stack;
  let browser;

  before(async () => {
    stack = await startStack();
    browser = await launchChromium();
  });

  after(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** Each violation of the page as it stands: rule and first place. */
  async function violations(page) {
    await page.evaluate(settle);
    await page.addScriptTag({ path: axe });
    const found = await page.evaluate((tags) => window.axe.run(document, { runOnly: tags }), tags);
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`);
  }

  for (const { theme, width } of looks) {
    test(`no page breaks a rule in the ${theme} theme at ${width} px`, async () => {
      const { page, context } = await personAt(browser, stack.appUrl, { theme, width, bypassCSP: true });
      const found = {};
      const look = async (name) => {
        const broken = await violations(page);
        if (broken.length > 0) found[name] = broken;
      };
      await page.getByRole("button", { name: "Create wallet" }).waitFor();
      await look("welcome");
      await createWallet(page);
      await page.waitForFunction(() => /\$\d{2,3},\d{3}/.test(document.querySelector("main").innerText), null, { timeout: 60_000 });
      await look("portfolio with toasts");
      for (const name of ["Swap", "Send", "Receive", "Activity", "Settings"]) {
        await goTo(page, name);
        await look(name);
      }
      await fillPayment(page, { chain: "Solana", symbol: "SOL", recipient: "0x1", amount: "99999" });
      await page.getByRole("button", { name: "Review", exact: true }).click();
      await look("refused payment");
      await goTo(page, "Swap");
      await page.getByLabel("Amount").fill("0.5");
      await page.getByText("Best").waitFor();
      await look("swap with offers");
      await page.getByRole("button", { name: "Review", exact: true }).click();
      await page.getByRole("button", { name: "Swap 0.5 ETH" }).waitFor();
      await look("review");
      await untilDone(page, await swap(page, { from: "ETH on Base", to: "USDC on Base", amount: "0.1" }));
      await page.getByText("Done").first().waitFor();
      await look("movement");
      await context.clearCookies();
      await goTo(page, "Portfolio");
      await page.getByRole("dialog").waitFor({ timeout: 60_000 });
      await look("login over the page");
      await context.close();
      assert.deepEqual(found, {});
    });
  }
});
