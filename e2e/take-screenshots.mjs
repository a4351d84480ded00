#!/usr/bin/env node
// Takes a picture of every page on the real stack, in both themes, at a phone's
// and a desk's width, into e2e/screenshots (not committed).
// `node e2e/take-screenshots.mjs [folder]`
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launchChromium, startStack } from "./stack/index.mjs";
import { createWallet, goTo, personAt, send, swap, untilDone } from "./journeys/person.mjs";

const folder = process.argv[2] ?? new URL("screenshots", import.meta.url).pathname;
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A picture without the toasts, which come and go over any page. */
async function still(page, path) {
  await page.waitForFunction(() => document.querySelectorAll(".Toastify__toast").length === 0, null, { timeout: 30_000 });
  await page.mouse.move(0, 0);
  await page.screenshot({ path });
}

/** The pages in the order in which a newcomer sees them. */
async function visit(page, shoot) {
  await page.getByRole("button", { name: "Create wallet" }).waitFor();
  await shoot("welcome");
  await createWallet(page);
  await page.waitForFunction(() => /\$\d{2,3},\d{3}/.test(document.querySelector("main").innerText), null, { timeout: 60_000 });
  await untilDone(page, await send(page, { chain: "Base", symbol: "ETH", recipient, amount: "0.5" }));
  await untilDone(page, await swap(page, { from: "ETH on Base", to: "USDC on Solana", amount: "0.25" }));
  await page.getByText("Done").first().waitFor();
  await shoot("movement");
  await goTo(page, "Portfolio");
  await shoot("portfolio");
  await goTo(page, "Activity");
  await shoot("activity");
  await goTo(page, "Receive");
  await page.waitForTimeout(300);
  await shoot("receive");
  await goTo(page, "Settings");
  await shoot("settings");
  await goTo(page, "Send");
  await shoot("send-empty");
  await page.getByLabel("Recipient").fill(recipient.replace("C", "c"));
  await page.getByLabel("Amount").fill("99");
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await shoot("send-refused");
  await page.getByLabel("Recipient").fill(recipient);
  await page.getByLabel("Amount").fill("0.25");
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByRole("button", { name: /^Send 0.25/ }).waitFor();
  await shoot("send-review");
  await goTo(page, "Swap");
  await page.getByLabel("To", { exact: true }).selectOption({ label: "USDC on Solana" });
  await page.getByLabel("Amount").fill("0.5");
  await page.getByText("Best").waitFor();
  await shoot("swap");
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByRole("button", { name: /^Swap 0.5/ }).waitFor();
  await shoot("swap-review");
}

await mkdir(folder, { recursive: true });
const stack = await startStack();
const browser = await launchChromium();
try {
  for (const theme of ["light", "dark"]) {
    for (const [width, height] of [[1280, 860], [390, 844]]) {
      const { page, context } = await personAt(browser, stack.appUrl, { width, height, theme });
      await visit(page, (name) => still(page, join(folder, `${name}-${theme}-${width}.png`)));
      await context.close();
    }
  }
} finally {
  await browser.close();
  await stack.stop();
}
