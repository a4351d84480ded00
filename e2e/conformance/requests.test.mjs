// What custody makes of the request itself: who stamped it, which bytes, when,
// and whether it was seen before.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from "@turnkey/crypto";
import { newApiKey, startCustody } from "../stack/index.mjs";
import {
  connect,
  connectParent,
  createPerson,
  firstRefusal,
  generations,
  refusal,
  subOrganizationOf,
} from "./clients.mjs";
import { post, postStamped, stampHeader, submitBody } from "./wire.mjs";

const [, current] = generations;
const unknownId = "01940000-0000-7000-8000-000000000000";

let custody;
let person;
before(async () => {
  custody = await startCustody();
  person = await createPerson(current, custody);
});
after(() => custody?.stop());

/** Asserts the provider's error form. */
function assertRefused(answer, status, code, message) {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
  assert.match(answer.body.message, message);
  assert.ok(Array.isArray(answer.body.details), "details is a list");
}

const createWallet = (walletName, options) =>
  submitBody("CREATE_WALLET", person.organizationId, { walletName, accounts: [] }, options);

const walletNames = async () =>
  (await person.client.getWallets()).wallets.map(({ walletName }) => walletName);

for (const generation of generations) {
  describe(`sdk-server ${generation.version} shows`, () => {
    test("an unknown key as error 16", async () => {
      const stranger = newApiKey();
      const { code, message } = await refusal(
        connect(generation, custody, stranger, custody.organizationId).getWhoami(),
      );
      assert.equal(code, 16);
      assert.match(
        message,
        /^Turnkey error 16: could not find public key in organization or its parent organization/,
      );
      assert.ok(message.includes(`organizationId=${custody.organizationId}`));
      assert.ok(message.includes(`publicKey=${stranger.publicKey}`));
    });

    test("an expired key as error 16", async () => {
      const apiKey = newApiKey();
      const { subOrganizationId } = await connectParent(generation, custody).createSubOrganization(
        subOrganizationOf(apiKey.publicKey, { expirationSeconds: "1" }),
      );
      const client = connect(generation, custody, apiKey, subOrganizationId);
      const { code, message } = await firstRefusal(() => client.getWhoami());
      assert.equal(code, 16);
      assert.match(message, /^Turnkey error 16: .*expired api key/);
    });

    test("what does not exist as error 5", async () => {
      const { client } = await createPerson(generation, custody);
      for (const call of [
        () => client.getUser({ userId: unknownId }),
        () => client.getWallet({ walletId: unknownId }),
        () => client.getActivity({ activityId: unknownId }),
      ]) {
        const { code, message } = await refusal(call());
        assert.equal(code, 5);
        assert.match(message, /^Turnkey error 5: /);
      }
    });

    test("what is malformed as error 3", async () => {
      const { client, walletId } = await createPerson(generation, custody);
      const account = {
        curve: "CURVE_SECP256K1",
        pathFormat: "PATH_FORMAT_BIP32",
        path: "m/44'/60'/1'/0/0",
        addressFormat: "ADDRESS_FORMAT_ETHEREUM",
      };
      for (const bad of [
        { ...account, path: "m/44'/60'/x" },
        { ...account, path: "44'/60'/0'" },
        { ...account, path: "m/2147483648" },
        { ...account, curve: "CURVE_NONE" },
        { ...account, addressFormat: "ADDRESS_FORMAT_SOLANA" },
        { ...account, curve: "CURVE_ED25519", addressFormat: "ADDRESS_FORMAT_SOLANA" },
      ]) {
        assert.equal((await refusal(client.createWalletAccounts({ walletId, accounts: [bad] }))).code, 3);
      }
    });

    test("a derivation path used twice as error 6", async () => {
      const { client, walletId } = await createPerson(generation, custody);
      const { accounts } = await client.getWalletAccounts({ walletId });
      const { curve, pathFormat, path, addressFormat } = accounts[0];
      const call = client.createWalletAccounts({
        walletId,
        accounts: [{ curve, pathFormat, path, addressFormat }],
      });
      const { code, message } = await refusal(call);
      assert.equal(code, 6);
      assert.match(message, /path already exists/);
    });
  });
}

test("the parent cannot write in a sub-organization", async () => {
  const body = createWallet("By the parent");
  const answer = await postStamped(custody.url, "submit/create_wallet", custody.apiKey, body);
  assertRefused(answer, 400, 3, /^organization mismatch: request is targeting organization/);
  assert.ok(!(await walletNames()).includes("By the parent"));
});

test("an organization elsewhere answers like none at all", async () => {
  const other = await createPerson(current, custody);
  const ask = async (organizationId) => {
    const body = JSON.stringify({ organizationId });
    const { status, text } = await postStamped(custody.url, "query/list_wallets", person.apiKey, body);
    return { status, text: text.replaceAll(organizationId, "") };
  };
  const elsewhere = await ask(other.organizationId);
  assert.notEqual(elsewhere.status, 200);
  assert.deepEqual(elsewhere, await ask(unknownId));
});

test("ids of another organization answer like none at all", async () => {
  const other = await createPerson(current, custody);
  const ask = async (path, field, id) => {
    const body = JSON.stringify({ organizationId: person.organizationId, [field]: id });
    const { status, text } = await postStamped(custody.url, `query/${path}`, person.apiKey, body);
    return { status, text: text.replaceAll(id, "") };
  };
  const { activity } = await other.client.createWallet({ walletName: "Hidden", accounts: [] });
  for (const [path, field, id] of [
    ["get_user", "userId", other.userId],
    ["get_wallet", "walletId", other.walletId],
    ["list_wallet_accounts", "walletId", other.walletId],
    ["get_activity", "activityId", activity.id],
  ]) {
    const elsewhere = await ask(path, field, id);
    assert.notEqual(elsewhere.status, 200, path);
    assert.deepEqual(elsewhere, await ask(path, field, unknownId), path);
  }
});

describe("a request is refused", () => {
  const whoami = () => JSON.stringify({ organizationId: person.organizationId });
  const submit = (body) => postStamped(custody.url, "submit/create_wallet", person.apiKey, body);

  test("without a stamp", async () => {
    assertRefused(await post(custody.url, "query/whoami", whoami()), 401, 16, /stamp|signature/);
  });

  test("with a stamp that is none", async () => {
    for (const stamp of ["", "e30", "not base64!", Buffer.from("[]").toString("base64url")]) {
      assertRefused(await post(custody.url, "query/whoami", whoami(), { "X-Stamp": stamp }), 401, 16, /./);
    }
  });

  test("when any byte differs from what was stamped", async () => {
    const headers = await stampHeader(person.apiKey, whoami());
    const answer = await post(custody.url, "query/whoami", `${whoami()} `, headers);
    assertRefused(answer, 401, 16, /could not verify api key signature/);
  });

  test("with two kinds of authentication at once", async () => {
    const { session } = await person.client.createReadOnlySession({});
    const headers = { ...(await stampHeader(person.apiKey, whoami())), "X-Session": session };
    assert.equal((await post(custody.url, "query/whoami", whoami(), headers)).body.code, 16);
  });

  test("when its type belongs to another path", async () => {
    const body = submitBody("CREATE_WALLET_ACCOUNTS", person.organizationId, {
      walletName: "Misplaced",
      accounts: [],
    });
    assertRefused(await submit(body), 400, 3, /./);
  });

  test("when its time is long past or far ahead", async () => {
    for (const offset of [-2 * 60 * 60 * 1000, 10 * 60 * 1000]) {
      assertRefused(
        await submit(createWallet("Untimely", { timestampMs: String(Date.now() + offset) })),
        400,
        3,
        /./,
      );
    }
    assertRefused(await submit(createWallet("Untimely", { timestampMs: "soon" })), 400, 3, /./);
    assert.ok(!(await walletNames()).includes("Untimely"));
  });

  test("when its JSON is not one plain document", async () => {
    const good = createWallet("Ambiguous");
    const organization = `"organizationId":"${person.organizationId}"`;
    const bodies = {
      "not JSON": "{",
      "a list": "[]",
      "two documents": good + good,
      "a key twice": good.replace(organization, `${organization},${organization}`),
      "a number for a text": good.replace(/"walletName":"[^"]+"/, '"walletName":7'),
      "no organization": good.replace(`${organization},`, ""),
    };
    for (const [name, body] of Object.entries(bodies)) {
      const answer = await submit(body);
      assert.ok([400, 401].includes(answer.status), `${name}: ${answer.text}`);
    }
    assert.ok(!(await walletNames()).includes("Ambiguous"));
  });

  test("when it is too large", async () => {
    const body = createWallet("x".repeat(4 << 20));
    const answer = await submit(body).catch((error) => error);
    assert.notEqual(answer.status, 200);
    assert.equal((await person.client.getWhoami()).userId, person.userId, "custody still serves");
  });
});

test("nulls and unknown fields are accepted", async () => {
  const body = JSON.stringify({
    ...JSON.parse(createWallet("With nulls")),
    generateAppProofs: true,
    parameters: { walletName: "With nulls", accounts: [], mnemonicLength: null, somethingNew: { a: 1 } },
  });
  const answer = await postStamped(custody.url, "submit/create_wallet", person.apiKey, body);
  assert.equal(answer.body.activity?.status, "ACTIVITY_STATUS_COMPLETED", answer.text);
});

describe("the same bytes sent again", () => {
  test("give the same activity and execute nothing", async () => {
    const body = createWallet("Once");
    const first = await postStamped(custody.url, "submit/create_wallet", person.apiKey, body);
    const again = await postStamped(custody.url, "submit/create_wallet", person.apiKey, body);
    assert.equal(first.status, 200, first.text);
    assert.equal(again.body.activity.id, first.body.activity.id);
    assert.deepEqual(again.body.activity.result, first.body.activity.result);
    assert.equal(
      first.body.activity.fingerprint,
      `sha256:${createHash("sha256").update(body).digest("hex")}`,
    );
    assert.equal((await walletNames()).filter((name) => name === "Once").length, 1);
  });

  test("at the same moment, too", async () => {
    const body = createWallet("Once in a race");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => postStamped(custody.url, "submit/create_wallet", person.apiKey, body)),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => body.activity.id)).size, 1);
    assert.equal((await walletNames()).filter((name) => name === "Once in a race").length, 1);
  });

  test("register no second session key", async () => {
    const receiver = generateP256KeyPair();
    const parameters = { targetPublicKey: receiver.publicKeyUncompressed, expirationSeconds: "900" };
    const body = submitBody("CREATE_READ_WRITE_SESSION_V2", person.organizationId, parameters);
    const keys = async () => (await person.client.getUser({ userId: person.userId })).user.apiKeys.length;
    const first = await postStamped(custody.url, "submit/create_read_write_session", person.apiKey, body);
    const registered = await keys();
    const again = await postStamped(custody.url, "submit/create_read_write_session", person.apiKey, body);
    assert.equal(again.body.activity.id, first.body.activity.id);
    assert.equal(await keys(), registered);

    const { credentialBundle } = first.body.activity.result.createReadWriteSessionResultV2;
    assert.ok(!again.text.includes(credentialBundle), "the bundle is handed out once");
    const privateKey = decryptCredentialBundle(credentialBundle, receiver.privateKey);
    const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, "hex"), true)).toString("hex");
    const me = await connect(current, custody, { publicKey, privateKey }, person.organizationId).getWhoami();
    assert.equal(me.userId, person.userId);
  });

  test("hand out no token again", async () => {
    const body = submitBody("CREATE_READ_ONLY_SESSION", person.organizationId, {});
    const first = await postStamped(custody.url, "submit/create_read_only_session", person.apiKey, body);
    const { session } = first.body.activity.result.createReadOnlySessionResult;
    assert.ok(session.length >= 32);
    const again = await postStamped(custody.url, "submit/create_read_only_session", person.apiKey, body);
    assert.equal(again.body.activity.id, first.body.activity.id);
    assert.ok(!again.text.includes(session));
    const stored = await person.client.getActivity({ activityId: first.body.activity.id });
    assert.ok(!JSON.stringify(stored).includes(session));
  });

  test("with another time are another request", async () => {
    const now = Date.now();
    const answers = [];
    for (const time of [now, now + 1]) {
      const body = submitBody(
        "CREATE_READ_ONLY_SESSION",
        person.organizationId,
        {},
        { timestampMs: String(time) },
      );
      answers.push(await postStamped(custody.url, "submit/create_read_only_session", person.apiKey, body));
    }
    const [first, second] = answers.map(({ body }) => body.activity);
    assert.notEqual(first.id, second.id);
    assert.notEqual(
      first.result.createReadOnlySessionResult.session,
      second.result.createReadOnlySessionResult.session,
    );
  });
});

test("nothing secret is in the log", async () => {
  const log = custody.log();
  for (const secret of [custody.apiKey.privateKey, person.apiKey.privateKey])
    assert.ok(!log.includes(secret));
  const headers = await stampHeader(person.apiKey, "{}");
  await post(custody.url, "query/whoami", "{}", headers);
  assert.ok(!custody.log().includes(headers["X-Stamp"]), "no stamp");
});
