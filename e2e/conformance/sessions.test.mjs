// Read-only and read-write sessions, opened and used with the official
// libraries.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from "@turnkey/crypto";
import { startCustody } from "../stack/index.mjs";
import { connect, createPerson, firstRefusal, generations, refusal } from "./clients.mjs";

let custody;
before(async () => {
  custody = await startCustody();
});
after(() => custody?.stop());

/** Opens a credential bundle with the provider's library. */
function openBundle(bundle, receiver) {
  const privateKey = decryptCredentialBundle(bundle, receiver.privateKey);
  const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, "hex"), true)).toString("hex");
  return { privateKey, publicKey };
}

/** Asks with a read-only session's token in place of a stamp. */
async function askWithToken(path, session, body) {
  const response = await fetch(`${custody.url}/public/v1/${path}`, {
    method: "POST",
    headers: { "X-Session": session, "X-Client-Version": "conformance" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

for (const generation of generations) {
  describe(`sdk-server ${generation.version}`, () => {
    test("a read-only session's token reads for an hour and writes nothing", async () => {
      const { client, organizationId, userId, walletId } = await createPerson(generation, custody);
      const session = await client.createReadOnlySession({});
      assert.deepEqual(
        [session.organizationId, session.organizationName, session.userId, session.username],
        [organizationId, "A person", userId, "Ada"],
      );
      assert.equal(typeof session.sessionExpiry, "string", "64-bit integers are strings");
      assert.ok(
        Math.abs(Number(session.sessionExpiry) - (Date.now() / 1000 + 3600)) < 60,
        "seconds, in an hour",
      );

      const me = await askWithToken("query/whoami", session.session, { organizationId });
      assert.deepEqual([me.status, me.body.userId], [200, userId]);
      const { body } = await askWithToken("query/list_wallets", session.session, { organizationId });
      assert.deepEqual(
        body.wallets.map((wallet) => wallet.walletId),
        [walletId],
      );

      const written = await askWithToken("submit/create_wallet", session.session, {
        type: "ACTIVITY_TYPE_CREATE_WALLET",
        timestampMs: String(Date.now()),
        organizationId,
        parameters: { walletName: "By a reader", accounts: [] },
      });
      assert.equal(written.status, 401);
      assert.equal(written.body.code, 16);
      assert.equal((await client.getWallets()).wallets.length, 1);
    });

    test("a read-only token is good for its own organization only", async () => {
      const one = await createPerson(generation, custody);
      const other = await createPerson(generation, custody);
      const { session } = await one.client.createReadOnlySession({});
      for (const organizationId of [other.organizationId, custody.organizationId]) {
        const answer = await askWithToken("query/list_wallets", session, { organizationId });
        assert.notEqual(answer.status, 200);
      }
      const forged = await askWithToken("query/whoami", `${session}x`, {
        organizationId: one.organizationId,
      });
      assert.deepEqual([forged.status, forged.body.code], [401, 16]);
    });

    test("a read-write session's sealed key stamps requests", async () => {
      const { client, organizationId, userId } = await createPerson(generation, custody);
      const receiver = generateP256KeyPair();
      const session = await client.createReadWriteSession({
        targetPublicKey: receiver.publicKeyUncompressed,
        expirationSeconds: "900",
      });
      assert.deepEqual(
        [session.organizationId, session.userId, session.username],
        [organizationId, userId, "Ada"],
      );

      const key = openBundle(session.credentialBundle, receiver);
      const inSession = connect(generation, custody, key, organizationId);
      assert.equal((await inSession.getWhoami()).userId, userId);
      const { walletId } = await inSession.createWallet({ walletName: "In session", accounts: [] });
      assert.ok(walletId);

      const { user } = await client.getUser({ userId });
      const registered = user.apiKeys.find(({ apiKeyId }) => apiKeyId === session.apiKeyId);
      assert.deepEqual(registered.credential, {
        publicKey: key.publicKey,
        type: "CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256",
      });
      assert.equal(registered.expirationSeconds, "900");
      assert.match(registered.apiKeyName, /^Read Write Session - /);
    });

    test("a session made under the parent's id is the person's own", async () => {
      const { apiKey, organizationId, userId } = await createPerson(generation, custody);
      const client = connect(generation, custody, apiKey, custody.organizationId);
      const receiver = generateP256KeyPair();
      const session = await client.createReadWriteSession({
        targetPublicKey: receiver.publicKeyUncompressed,
      });
      assert.deepEqual([session.organizationId, session.userId], [organizationId, userId]);
      const key = openBundle(session.credentialBundle, receiver);
      assert.equal((await connect(generation, custody, key, organizationId).getWhoami()).userId, userId);
    });

    test("a bundle opens for its receiver alone", async () => {
      const { client } = await createPerson(generation, custody);
      const receiver = generateP256KeyPair();
      const { credentialBundle } = await client.createReadWriteSession({
        targetPublicKey: receiver.publicKeyUncompressed,
      });
      assert.throws(() => openBundle(credentialBundle, generateP256KeyPair()));
    });

    test("invalidateExisting ends earlier sessions at once, and nothing else", async () => {
      const { client, organizationId, userId } = await createPerson(generation, custody);
      const open = async (options) => {
        const receiver = generateP256KeyPair();
        const targetPublicKey = receiver.publicKeyUncompressed;
        const { credentialBundle } = await client.createReadWriteSession({ targetPublicKey, ...options });
        return connect(generation, custody, openBundle(credentialBundle, receiver), organizationId);
      };
      const first = await open();
      const second = await open();
      assert.equal((await first.getWhoami()).userId, userId);
      const third = await open({ invalidateExisting: true });
      for (const ended of [first, second]) {
        assert.equal((await refusal(ended.getWhoami())).code, 16);
      }
      assert.equal((await third.getWhoami()).userId, userId);
      assert.equal((await client.getWhoami()).userId, userId, "the long-lived key still works");
    });

    test("a session's key stops by itself when it expires", async () => {
      const { client, organizationId } = await createPerson(generation, custody);
      const receiver = generateP256KeyPair();
      const { credentialBundle } = await client.createReadWriteSession({
        targetPublicKey: receiver.publicKeyUncompressed,
        expirationSeconds: "1",
      });
      const inSession = connect(generation, custody, openBundle(credentialBundle, receiver), organizationId);
      const { code, message } = await firstRefusal(() => inSession.getWhoami());
      assert.equal(code, 16);
      assert.match(message, /^Turnkey error 16: .*expired api key/);
    });

    test("refuses a target key that is none", async () => {
      const { client } = await createPerson(generation, custody);
      for (const targetPublicKey of ["", "04", `04${"00".repeat(64)}`, "zz".repeat(65)]) {
        assert.equal(
          (await refusal(client.createReadWriteSession({ targetPublicKey }))).code,
          3,
          targetPublicKey,
        );
      }
    });

    test("nobody opens a session for another organization's user", async () => {
      const one = await createPerson(generation, custody);
      const other = await createPerson(generation, custody);
      const call = one.client.createReadWriteSession({
        targetPublicKey: generateP256KeyPair().publicKeyUncompressed,
        userId: other.userId,
      });
      assert.ok([3, 5, 7].includes((await refusal(call)).code));
    });
  });
}
