// A person's first minutes: a passkey made in a real browser, the
// sub-organization it owns, the session it opens in the auth frame, and
// requests that the frame stamps.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TurnkeyClient } from "@turnkey/http";
import { recoverTransactionAddress, serializeTransaction } from "viem";
import { addVirtualAuthenticator, launchChromium, startCustody } from "../stack/index.mjs";
import { clients, serveAppPage } from "./app-page.mjs";
import { connectParent, generations, refusal, startingAccounts } from "./clients.mjs";

const timeout = 30_000;

let app;
let stranger;
let custody;
let browser;

before(async () => {
  app = await serveAppPage();
  stranger = await serveAppPage();
  custody = await startCustody({ origins: [app.origin] });
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  await custody?.stop();
  await stranger?.stop();
  await app?.stop();
});

/** Opens a page with an authenticator of its own. */
async function openPage(t, origin = app.origin) {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto(origin);
  return { page, authenticator };
}

/** Makes a passkey with the official client. Gives what create_sub_organization takes. */
function createPasskey(page) {
  return page.evaluate(async (module) => {
    const { getWebAuthnAttestation } = await import(module);
    const challenge = crypto.getRandomValues(new Uint8Array(32));
    const attestation = await getWebAuthnAttestation({
      publicKey: {
        rp: { id: "localhost", name: "Tenfold" },
        challenge,
        pubKeyCredParams: [-7, -257].map((alg) => ({ type: "public-key", alg })),
        user: {
          id: crypto.getRandomValues(new Uint8Array(32)),
          name: "Default User",
          displayName: "Default User",
        },
        authenticatorSelection: {
          requireResidentKey: true,
          residentKey: "required",
          userVerification: "preferred",
        },
      },
    });
    const base64 = btoa(String.fromCharCode(...challenge));
    const encoded = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    return { authenticatorName: "Passkey", challenge: encoded, attestation };
  }, clients.webauthnAttestation);
}

const ownedBy = (authenticator) => ({
  subOrganizationName: "A person with a passkey",
  rootUsers: [{ userName: "Ada", apiKeys: [], authenticators: [authenticator], oauthProviders: [] }],
  rootQuorumThreshold: 1,
  wallet: { walletName: "Wallet 1", accounts: startingAccounts },
});

/** The provider's raw client, stamped by an official stamper in the page. */
function clientOf(page, stamp) {
  const stamper = { stamp: (payload) => page.evaluate(stamp, { payload, module: clients.webauthnStamper }) };
  return new TurnkeyClient({ baseUrl: custody.url }, stamper);
}

/** A client that asks for a passkey gesture on each request. */
const passkeyClient = (page) =>
  clientOf(page, async ({ payload, module }) => {
    const { WebauthnStamper } = await import(module);
    return new WebauthnStamper({ rpId: "localhost" }).stamp(payload);
  });

/** A client that the auth frame stamps for. */
const frameClient = (page) => clientOf(page, ({ payload }) => window.stamper.stamp(payload));

function startFrame(page) {
  const settings = { module: clients.iframeStamper["2.11.1"], iframeUrl: custody.authFrameUrl };
  return page.evaluate(async ({ module, iframeUrl }) => {
    const { IframeStamper } = await import(module);
    window.stamper = new IframeStamper({
      iframeUrl,
      iframeElementId: "auth-frame",
      iframeContainer: document.body,
    });
    return window.stamper.init();
  }, settings);
}

/** The body of a submit request, as the raw client takes it. */
const submit = (type, organizationId, parameters) => ({
  type: `ACTIVITY_TYPE_${type}`,
  timestampMs: String(Date.now()),
  organizationId,
  parameters,
});

for (const generation of generations) {
  test(`a passkey owns a wallet and opens a session (sdk-server ${generation.version})`, {
    timeout,
  }, async (t) => {
    const { page } = await openPage(t);
    const created = await connectParent(generation, custody).createSubOrganization(
      ownedBy(await createPasskey(page)),
    );
    const organizationId = created.subOrganizationId;
    const [userId] = created.rootUserIds;

    // The person is known by the passkey alone, so the parent's id is asked.
    const withPasskey = passkeyClient(page);
    const me = await withPasskey.getWhoami({ organizationId: custody.organizationId });
    assert.deepEqual([me.organizationId, me.userId], [organizationId, userId]);

    const targetPublicKey = await startFrame(page);
    const { activity } = await withPasskey.createReadWriteSession(
      submit("CREATE_READ_WRITE_SESSION_V2", custody.organizationId, {
        targetPublicKey,
        expirationSeconds: "900",
      }),
    );
    const session = activity.result.createReadWriteSessionResultV2;
    assert.deepEqual([session.organizationId, session.userId], [organizationId, userId]);
    await page.evaluate((bundle) => window.stamper.injectCredentialBundle(bundle), session.credentialBundle);

    const inFrame = frameClient(page);
    assert.equal((await inFrame.getWhoami({ organizationId })).userId, userId);
    const [signWith] = created.wallet.addresses;
    const unsigned = serializeTransaction({
      type: "eip1559",
      chainId: 8453,
      nonce: 0,
      gas: 21_000n,
      to: signWith,
    });
    const signed = await inFrame.signTransaction(
      submit("SIGN_TRANSACTION_V2", organizationId, {
        signWith,
        unsignedTransaction: unsigned.slice(2),
        type: "TRANSACTION_TYPE_ETHEREUM",
      }),
    );
    const serializedTransaction = `0x${signed.activity.result.signTransactionResult.signedTransaction}`;
    assert.equal(await recoverTransactionAddress({ serializedTransaction }), signWith);
  });
}

test("get_user describes the passkey", { timeout }, async (t) => {
  const { page, authenticator } = await openPage(t);
  const passkey = await createPasskey(page);
  const created = await connectParent(generations[1], custody).createSubOrganization(ownedBy(passkey));
  const { user } = await passkeyClient(page).getUser({
    organizationId: created.subOrganizationId,
    userId: created.rootUserIds[0],
  });
  const [stored] = user.authenticators;
  assert.equal(stored.credentialId, passkey.attestation.credentialId);
  assert.equal(stored.authenticatorName, "Passkey");
  assert.equal(stored.attestationType, "none");
  assert.deepEqual(stored.transports, ["AUTHENTICATOR_TRANSPORT_INTERNAL"]);
  assert.equal(stored.credential.type, "CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR");
  assert.match(stored.credential.publicKey, /^[A-Za-z0-9_-]+$/);
  const [made] = await authenticator.credentials();
  assert.equal(Buffer.from(made.credentialId, "base64").toString("base64url"), stored.credentialId);
});

test("the page itself may call custody from the app's origin", { timeout }, async (t) => {
  const { page } = await openPage(t);
  const created = await connectParent(generations[1], custody).createSubOrganization(
    ownedBy(await createPasskey(page)),
  );
  const answer = await page.evaluate(
    async ({ module, url, organizationId }) => {
      const { WebauthnStamper } = await import(module);
      const body = JSON.stringify({ organizationId });
      const { stampHeaderName, stampHeaderValue } = await new WebauthnStamper({ rpId: "localhost" }).stamp(
        body,
      );
      const headers = {
        [stampHeaderName]: stampHeaderValue,
        "X-Client-Version": "@turnkey/http@6.6.0",
        "Content-Type": "application/json",
      };
      const response = await fetch(`${url}/public/v1/query/whoami`, { method: "POST", headers, body });
      return response.json();
    },
    { module: clients.webauthnStamper, url: custody.url, organizationId: created.subOrganizationId },
  );
  assert.equal(answer.userId, created.rootUserIds[0]);
});

test("a passkey's stamp is good for one body and one origin", { timeout }, async (t) => {
  const { page } = await openPage(t);
  const created = await connectParent(generations[1], custody).createSubOrganization(
    ownedBy(await createPasskey(page)),
  );
  const organizationId = created.subOrganizationId;
  const stamped = await passkeyClient(page).stampGetWhoami({ organizationId });
  const ask = async ({ body, stamp }) => {
    const headers = { [stamp.stampHeaderName]: stamp.stampHeaderValue };
    const response = await fetch(`${custody.url}/public/v1/query/whoami`, { method: "POST", headers, body });
    return response.json();
  };
  assert.equal((await ask(stamped)).userId, created.rootUserIds[0]);
  assert.equal((await ask({ ...stamped, body: `${stamped.body} ` })).code, 16);

  await page.goto(stranger.origin);
  const elsewhere = await passkeyClient(page).stampGetWhoami({ organizationId });
  assert.equal((await ask(elsewhere)).code, 16);
});

test("an attestation that does not hold makes no organization", { timeout }, async (t) => {
  const { page } = await openPage(t);
  const passkey = await createPasskey(page);
  const flipped = Buffer.from(passkey.attestation.attestationObject, "base64url");
  flipped[flipped.length - 1] ^= 0xff;
  const { page: elsewhere } = await openPage(t, stranger.origin);
  const other = await createPasskey(page);
  const attestation = passkey.attestation;
  const cases = {
    "another challenge": { ...passkey, challenge: other.challenge },
    "another credential's id": {
      ...passkey,
      attestation: { ...attestation, credentialId: other.attestation.credentialId },
    },
    "a broken object": { ...passkey, attestation: { ...attestation, attestationObject: "AAAA" } },
    "a public key off the curve": {
      ...passkey,
      attestation: { ...attestation, attestationObject: flipped.toString("base64url") },
    },
    "another origin": await createPasskey(elsewhere),
    "no transport that is known": {
      ...passkey,
      attestation: { ...attestation, transports: ["AUTHENTICATOR_TRANSPORT_X"] },
    },
  };
  for (const [name, authenticator] of Object.entries(cases)) {
    const call = connectParent(generations[1], custody).createSubOrganization(ownedBy(authenticator));
    assert.equal((await refusal(call)).code, 3, name);
  }
});
