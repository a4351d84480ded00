// `tenfold custody` as an operator runs it: initialise once, serve, stop, and
// find everything again.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { initialiseCustody, newApiKey, startCustody, tenfold } from "../stack/index.mjs";
import { createPerson, generations } from "./clients.mjs";

const run = promisify(execFile);
const timeout = 30_000;
const [, current] = generations;

/** What a refused command printed. */
const failure = (command) =>
  command.then(
    () => assert.fail("the command was not refused"),
    (error) => error,
  );

async function emptyFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), "tenfold-commands-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("init prints the organization's ids and refuses to run twice", { timeout }, async (t) => {
  const folder = await emptyFolder(t);
  const printed = await initialiseCustody(folder, newApiKey().publicKey);
  assert.deepEqual(Object.keys(printed), ["organizationId", "userId"]);
  const refused = await failure(initialiseCustody(folder, newApiKey().publicKey));
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /already/);
  assert.equal(refused.stdout, "");
});

test("init refuses a key that is none and leaves nothing behind", { timeout }, async (t) => {
  const folder = await emptyFolder(t);
  const { publicKey } = newApiKey();
  for (const bad of ["", "zz", `05${publicKey.slice(2)}`, publicKey.slice(2), `02${"ff".repeat(32)}`]) {
    assert.equal((await failure(initialiseCustody(folder, bad))).code, 1, bad);
  }
  assert.ok((await initialiseCustody(folder, publicKey)).organizationId);
});

test("serve refuses a folder that was not initialised", { timeout }, async (t) => {
  const folder = await emptyFolder(t);
  const args = ["custody", "--data", folder, "--listen", "localhost:0", "--rp-id", "localhost"];
  const refused = await failure(run(tenfold, [...args, "--origin", "http://localhost:8080"]));
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /init/);
});

test("a port in use is one clear line", { timeout }, async (t) => {
  const custody = await startCustody();
  t.after(() => custody.stop());
  const { host, port } = new URL(custody.url);
  const folder = await emptyFolder(t);
  await initialiseCustody(folder, newApiKey().publicKey);
  const args = ["custody", "--data", folder, "--listen", host, "--rp-id", "localhost"];
  const refused = await failure(run(tenfold, [...args, "--origin", "http://localhost:8080"]));
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`localhost:${port} is already in use`));
});

for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"]) {
  test(`what was answered is there after ${signal}`, { timeout }, async (t) => {
    const custody = await startCustody();
    t.after(() => custody.stop());
    const person = await createPerson(current, custody);
    await custody.restart(signal);
    const { accounts } = await person.client.getWalletAccounts({ walletId: person.walletId });
    assert.deepEqual(
      accounts.map(({ address }) => address).sort(),
      [person.evmAddress, person.solanaAddress].sort(),
    );
    const { addresses } = await person.client.createWalletAccounts({
      walletId: person.walletId,
      accounts: [{ ...accounts[0], path: accounts[0].path.replace("0'", "7'") }],
    });
    assert.equal(addresses.length, 1, "its seed still opens");
  });
}
