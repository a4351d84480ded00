// Organizations, users, wallets and activities, through the official server
// clients.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { PublicKey } from "@solana/web3.js";
import { getAddress } from "viem";
import { newApiKey, ORGANIZATION_NAME, startCustody } from "../stack/index.mjs";
import {
  connect,
  connectParent,
  createPerson,
  generations,
  startingAccounts,
  subOrganizationOf,
} from "./clients.mjs";
import { isSignedByApiKey } from "./p256.mjs";

let custody;
before(async () => {
  custody = await startCustody();
});
after(() => custody?.stop());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The provider's form of an instant, close to now. */
function assertTimestamp({ seconds, nanos }) {
  assert.equal(typeof seconds, "string");
  assert.equal(typeof nanos, "string");
  assert.ok(Math.abs(Number(seconds) - Date.now() / 1000) < 300, "close to now");
}

for (const generation of generations) {
  describe(`sdk-server ${generation.version}`, () => {
    test("whoami names the parent organization and its root user", async () => {
      const me = await connectParent(generation, custody).getWhoami();
      assert.equal(me.organizationId, custody.organizationId);
      assert.equal(me.organizationName, ORGANIZATION_NAME);
      assert.equal(me.userId, custody.userId);
      assert.equal(typeof me.username, "string");
    });

    test("a base address with a trailing slash works", async () => {
      const withSlash = { ...custody, url: `${custody.url}/` };
      const me = await connectParent(generation, withSlash).getWhoami();
      assert.equal(me.userId, custody.userId);
    });

    test("get_user gives the whole user", async () => {
      const { user } = await connectParent(generation, custody).getUser({ userId: custody.userId });
      assert.equal(user.userId, custody.userId);
      assert.equal(user.apiKeys.length, 1);
      assert.deepEqual(user.apiKeys[0].credential, {
        publicKey: custody.apiKey.publicKey,
        type: "CREDENTIAL_TYPE_API_KEY_P256",
      });
      assert.ok(!("expirationSeconds" in user.apiKeys[0]), "a long-lived key has no duration");
      assert.deepEqual([user.authenticators, user.userTags, user.oauthProviders], [[], [], []]);
      assertTimestamp(user.createdAt);
      assertTimestamp(user.updatedAt);
    });

    test("create_sub_organization makes an organization of its own with a wallet", async () => {
      const apiKey = newApiKey();
      const parent = connectParent(generation, custody);
      const created = await parent.createSubOrganization(subOrganizationOf(apiKey.publicKey));
      assert.match(created.subOrganizationId, uuid);
      assert.match(created.wallet.walletId, uuid);
      assert.equal(created.rootUserIds.length, 1);
      assert.equal(created.activity.status, "ACTIVITY_STATUS_COMPLETED");
      assert.equal(created.activity.type, generation.createSubOrganization);
      assert.equal(created.activity.organizationId, custody.organizationId, "it ran in the parent");

      const person = connect(generation, custody, apiKey, created.subOrganizationId);
      const me = await person.getWhoami();
      assert.deepEqual(
        [me.organizationId, me.organizationName, me.userId, me.username],
        [created.subOrganizationId, "A person", created.rootUserIds[0], "Ada"],
      );
    });

    test("a person's key is found under the parent's id too", async () => {
      const { apiKey, organizationId, userId } = await createPerson(generation, custody);
      const client = connect(generation, custody, apiKey, custody.organizationId);
      const me = await client.getWhoami();
      assert.deepEqual([me.organizationId, me.userId], [organizationId, userId]);
    });

    test("the parent reads its sub-organizations", async () => {
      const { organizationId, userId, walletId } = await createPerson(generation, custody);
      const parent = connectParent(generation, custody);
      const { user } = await parent.getUser({ organizationId, userId });
      assert.equal(user.userName, "Ada");
      const { wallets } = await parent.getWallets({ organizationId });
      assert.deepEqual(
        wallets.map((wallet) => wallet.walletId),
        [walletId],
      );
    });

    test("wallets and accounts are listed as they were made", async () => {
      const { client, organizationId, walletId, evmAddress, solanaAddress } = await createPerson(
        generation,
        custody,
      );
      assert.equal(getAddress(evmAddress), evmAddress, "EIP-55 letter case");
      assert.ok(PublicKey.isOnCurve(new PublicKey(solanaAddress).toBytes()));

      const { wallet } = await client.getWallet({ walletId });
      assert.deepEqual([wallet.walletName, wallet.exported, wallet.imported], ["Wallet 1", false, false]);
      assertTimestamp(wallet.createdAt);

      const { accounts } = await client.getWalletAccounts({ walletId });
      const facts = accounts.map(({ curve, pathFormat, path, addressFormat, address }) => ({
        curve,
        pathFormat,
        path,
        addressFormat,
        address,
      }));
      const [evm, solana] = startingAccounts;
      assert.equal(facts.length, 2);
      assert.deepEqual(
        facts.find(({ address }) => address === evmAddress),
        { ...evm, address: evmAddress },
      );
      assert.deepEqual(
        facts.find(({ address }) => address === solanaAddress),
        { ...solana, address: solanaAddress },
      );
      for (const account of accounts) {
        assert.equal(account.organizationId, organizationId);
        assert.equal(account.walletId, walletId);
        assert.match(account.walletAccountId, uuid);
      }
    });

    test("create_wallet and create_wallet_accounts answer in the order asked", async () => {
      const { client } = await createPerson(generation, custody);
      const { walletId, addresses } = await client.createWallet({
        walletName: "Savings",
        accounts: [...startingAccounts].reverse(),
        mnemonicLength: 24,
      });
      assert.equal(addresses.length, 2);
      assert.ok(addresses[1].startsWith("0x") && !addresses[0].startsWith("0x"));

      const more = [1, 2, 3].map((i) => ({ ...startingAccounts[0], path: `m/44'/60'/${i}'/0/0` }));
      const added = await client.createWalletAccounts({ walletId, accounts: more });
      assert.equal(new Set([...added.addresses, ...addresses]).size, 5);
      const { accounts } = await client.getWalletAccounts({ walletId });
      for (const [i, { path }] of more.entries()) {
        assert.equal(accounts.find((account) => account.path === path).address, added.addresses[i]);
      }
    });

    test("get_activity gives the stored activity with its first vote", async () => {
      const { client, organizationId, userId, apiKey } = await createPerson(generation, custody);
      const { activity: made } = await client.createWallet({ walletName: "Second", accounts: [] });
      const { activity } = await client.getActivity({ activityId: made.id });
      assert.equal(activity.id, made.id);
      assert.equal(activity.organizationId, organizationId);
      assert.equal(activity.type, "ACTIVITY_TYPE_CREATE_WALLET");
      assert.equal(activity.intent.createWalletIntent.walletName, "Second");
      assert.deepEqual(Object.keys(activity.result), ["createWalletResult"]);
      assert.equal(activity.failure, null);
      assertTimestamp(activity.createdAt);

      const [vote] = activity.votes;
      assert.equal(activity.votes.length, 1);
      assert.deepEqual(
        [vote.userId, vote.activityId, vote.selection, vote.publicKey, vote.scheme],
        [userId, activity.id, "VOTE_SELECTION_APPROVED", apiKey.publicKey, "SIGNATURE_SCHEME_TK_API_P256"],
      );
      assert.equal(vote.user.userId, userId);
      const digest = createHash("sha256").update(vote.message).digest("hex");
      assert.equal(activity.fingerprint, `sha256:${digest}`);
      assert.ok(isSignedByApiKey(vote.publicKey, vote.message, vote.signature), "anybody can check the vote");
    });

    test("get_activity also takes the parent's key and the parent's organization", async () => {
      const { client } = await createPerson(generation, custody);
      const { activity } = await client.createWallet({ walletName: "Third", accounts: [] });
      const found = await connectParent(generation, custody).getActivity({ activityId: activity.id });
      assert.equal(found.activity.id, activity.id);
    });
  });
}
