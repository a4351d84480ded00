// The provider's adapters for chain libraries, end to end: what a wallet in an
// app does with viem and @solana/web3.js.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { TurnkeySigner } from "@turnkey/solana";
import { createAccount } from "@turnkey/viem";
import { parseEther, recoverTransactionAddress, verifyMessage, verifyTypedData } from "viem";
import { startCustody } from "../stack/index.mjs";
import { createPerson, generations } from "./clients.mjs";
import { isSignedBy } from "./ed25519.mjs";

const [earlier] = generations;

let custody;
let person;
before(async () => {
  custody = await startCustody();
  person = await createPerson(earlier, custody);
});
after(() => custody?.stop());

describe("@turnkey/viem", () => {
  let account;
  before(async () => {
    const { client, organizationId, evmAddress: signWith } = person;
    account = await createAccount({ client, organizationId, signWith });
  });

  test("finds the account's address", () => assert.equal(account.address, person.evmAddress));

  test("signs a message", async () => {
    const message = "Tenfold é \u{1F511}";
    const signature = await account.signMessage({ message });
    assert.ok(await verifyMessage({ address: person.evmAddress, message, signature }));
  });

  test("signs typed data", async () => {
    const typed = {
      domain: {
        name: "Permit2",
        chainId: 1,
        verifyingContract: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
      },
      types: {
        Transfer: [
          { name: "to", type: "address" },
          { name: "amount", type: "uint256" },
        ],
      },
      primaryType: "Transfer",
      message: { to: person.evmAddress, amount: 10n ** 18n },
    };
    const signature = await account.signTypedData(typed);
    assert.ok(await verifyTypedData({ address: person.evmAddress, ...typed, signature }));
  });

  test("signs transactions of every type", async () => {
    const common = { chainId: 8453, nonce: 1, gas: 21_000n, to: person.evmAddress, value: parseEther("0.5") };
    const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n };
    for (const transaction of [
      { ...common, type: "legacy", gasPrice: 1_000_000_000n },
      { ...common, type: "eip2930", gasPrice: 1_000_000_000n, accessList: [] },
      { ...common, type: "eip1559", ...fees },
    ]) {
      const serializedTransaction = await account.signTransaction(transaction);
      const signer = await recoverTransactionAddress({ serializedTransaction });
      assert.equal(signer, person.evmAddress, transaction.type);
    }
  });
});

describe("@turnkey/solana", () => {
  const recentBlockhash = Keypair.generate().publicKey.toBase58();
  let signer;
  let owner;
  let transfer;
  before(() => {
    signer = new TurnkeySigner({ organizationId: person.organizationId, client: person.client });
    owner = new PublicKey(person.solanaAddress);
    const toPubkey = Keypair.generate().publicKey;
    transfer = SystemProgram.transfer({ fromPubkey: owner, toPubkey, lamports: 2_500_000_000 });
  });

  test("adds its signature to a legacy transaction", async () => {
    const transaction = new Transaction({ feePayer: owner, recentBlockhash }).add(transfer);
    await signer.addSignature(transaction, person.solanaAddress);
    assert.ok(transaction.verifySignatures());
  });

  test("adds its signature to a v0 transaction", async () => {
    const message = new TransactionMessage({ payerKey: owner, recentBlockhash, instructions: [transfer] });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    await signer.addSignature(transaction, person.solanaAddress);
    const bytes = transaction.message.serialize();
    assert.ok(isSignedBy(person.solanaAddress, bytes, transaction.signatures[0]));
  });

  test("has a whole transaction signed", async () => {
    const transaction = new Transaction({ feePayer: owner, recentBlockhash }).add(transfer);
    const signed = await signer.signTransaction(transaction, person.solanaAddress);
    assert.ok(signed.verifySignatures());
  });

  test("signs a message", async () => {
    const message = Buffer.from("Tenfold é");
    const signature = await signer.signMessage(message, person.solanaAddress);
    assert.ok(isSignedBy(person.solanaAddress, message, signature));
  });
});
