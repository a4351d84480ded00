// sign_raw_payload and sign_transaction with secp256k1, verified with viem.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  hashMessage,
  keccak256,
  parseEther,
  parseTransaction,
  recoverAddress,
  recoverTransactionAddress,
  serializeTransaction,
  sha256,
  stringToHex,
  toRlp,
} from "viem";
import { startCustody } from "../stack/index.mjs";
import { createPerson, generations, refusal } from "./clients.mjs";

let custody;
before(async () => {
  custody = await startCustody();
});
after(() => custody?.stop());

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const text = "Tenfold é \u{1F511}";

/** viem's form of the provider's r, s, v. */
const viemSignature = ({ r, s, v }) => ({ r: `0x${r}`, s: `0x${s}`, yParity: Number.parseInt(v, 16) });

/** What each way of asking signs: the provider's parameters and the digest. */
const payloads = {
  "a digest": {
    payload: hashMessage(text).slice(2),
    encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
    hashFunction: "HASH_FUNCTION_NO_OP",
    digest: hashMessage(text),
  },
  "a digest with 0x": {
    payload: hashMessage(text),
    encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
    hashFunction: "HASH_FUNCTION_NO_OP",
    digest: hashMessage(text),
  },
  "hexadecimal, Keccak-256": {
    payload: stringToHex(text),
    encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
    hashFunction: "HASH_FUNCTION_KECCAK256",
    digest: keccak256(stringToHex(text)),
  },
  "text, Keccak-256": {
    payload: text,
    encoding: "PAYLOAD_ENCODING_TEXT_UTF8",
    hashFunction: "HASH_FUNCTION_KECCAK256",
    digest: keccak256(stringToHex(text)),
  },
  "text, SHA-256": {
    payload: text,
    encoding: "PAYLOAD_ENCODING_TEXT_UTF8",
    hashFunction: "HASH_FUNCTION_SHA256",
    digest: sha256(stringToHex(text)),
  },
};

const fees = { maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const accessList = [{ address: recipient, storageKeys: [`0x${"01".repeat(32)}`] }];

/** One transaction for each form that may be signed. */
const transactions = {
  "type 0 with a chain id": {
    type: "legacy",
    chainId: 8453,
    nonce: 3,
    gas: 21_000n,
    gasPrice: 5n,
    to: recipient,
    value: 1n,
  },
  "type 0 without a chain id": {
    type: "legacy",
    nonce: 0,
    gas: 21_000n,
    gasPrice: 7n,
    to: recipient,
    value: 9n,
  },
  "type 1 with an access list": {
    type: "eip2930",
    chainId: 56,
    nonce: 129,
    gas: 90_000n,
    gasPrice: 3_000_000_000n,
    to: recipient,
    data: "0xa9059cbb",
    accessList,
  },
  "type 2": {
    type: "eip1559",
    chainId: 1,
    nonce: 0,
    gas: 21_000n,
    ...fees,
    to: recipient,
    value: parseEther("2.5"),
  },
  "type 2 with data and an access list": {
    type: "eip1559",
    chainId: 42161,
    nonce: 7,
    gas: 500_000n,
    ...fees,
    to: recipient,
    data: `0x095ea7b3${"ff".repeat(64)}`,
    accessList,
  },
  "type 2 that creates a contract": {
    type: "eip1559",
    chainId: 137,
    nonce: 1,
    gas: 3_000_000n,
    ...fees,
    data: `0x60${"00".repeat(3000)}`,
  },
};

/** The facts of a transaction, without its signature. */
function facts(serialized) {
  const { r, s, v, yParity, ...rest } = parseTransaction(serialized);
  return rest;
}

/** The list with one item replaced. */
const replaced = (items, index, item) => items.map((old, i) => (i === index ? item : old));

const signTransaction = (person, unsignedTransaction, signWith = person.evmAddress) =>
  person.client.signTransaction({ signWith, unsignedTransaction, type: "TRANSACTION_TYPE_ETHEREUM" });

for (const generation of generations) {
  describe(`sdk-server ${generation.version}`, () => {
    let person;
    before(async () => {
      person = await createPerson(generation, custody);
    });

    for (const [name, { digest, ...parameters }] of Object.entries(payloads)) {
      test(`sign_raw_payload signs ${name}`, async () => {
        const result = await person.client.signRawPayload({ signWith: person.evmAddress, ...parameters });
        assert.match(result.r, /^[0-9a-f]{64}$/);
        assert.match(result.s, /^[0-9a-f]{64}$/);
        assert.match(result.v, /^0[01]$/);
        assert.ok(BigInt(`0x${result.s}`) <= HALF_ORDER, "low s, as Ethereum requires");
        assert.equal(
          await recoverAddress({ hash: digest, signature: viemSignature(result) }),
          person.evmAddress,
        );
      });
    }

    for (const [name, transaction] of Object.entries(transactions)) {
      test(`sign_transaction signs ${name}`, async () => {
        const unsigned = serializeTransaction(transaction);
        const { signedTransaction, activity } = await signTransaction(person, unsigned.slice(2));
        assert.equal(activity.type, "ACTIVITY_TYPE_SIGN_TRANSACTION_V2");
        assert.match(signedTransaction, /^[0-9a-f]+$/, "no 0x");
        const signed = `0x${signedTransaction}`;
        assert.equal(await recoverTransactionAddress({ serializedTransaction: signed }), person.evmAddress);
        assert.deepEqual(facts(signed), facts(unsigned));
      });
    }

    test("takes 0x and any letter case of the address", async () => {
      const unsigned = serializeTransaction(transactions["type 2"]);
      for (const signWith of [person.evmAddress.toLowerCase(), person.evmAddress]) {
        const { signedTransaction } = await signTransaction(person, unsigned, signWith);
        const serializedTransaction = `0x${signedTransaction}`;
        assert.equal(await recoverTransactionAddress({ serializedTransaction }), person.evmAddress);
      }
    });

    test("refuses a digest that has not 32 bytes", async () => {
      const call = person.client.signRawPayload({
        signWith: person.evmAddress,
        payload: "00".repeat(31),
        encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
        hashFunction: "HASH_FUNCTION_NO_OP",
      });
      const { code, message } = await refusal(call);
      assert.equal(code, 3);
      assert.match(message, /expected a 32-bytes-long digest/);
    });

    test("refuses Ed25519's way of hashing", async () => {
      const call = person.client.signRawPayload({
        signWith: person.evmAddress,
        payload: "00".repeat(32),
        encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
        hashFunction: "HASH_FUNCTION_NOT_APPLICABLE",
      });
      assert.equal((await refusal(call)).code, 3);
    });

    describe("refuses to sign", () => {
      const good = serializeTransaction(transactions["type 2"]).slice(2);
      const fields = ["0x01", "0x", "0x01", "0x02", "0x5208", recipient, "0x", "0x", []];
      const unsignable = {
        nothing: "",
        "what is not hexadecimal": `zz${good}`,
        "bytes after the transaction": `${good}00`,
        "a transaction cut short": good.slice(0, -2),
        "a number with a leading zero": `02${toRlp(replaced(fields, 1, "0x0001")).slice(2)}`,
        "a field too many": `02${toRlp([...fields, "0x"]).slice(2)}`,
        "an address of 19 bytes": `02${toRlp(replaced(fields, 5, recipient.slice(0, -2))).slice(2)}`,
        "a type that is not signed here": `03${good.slice(2)}`,
        "a transaction that is already signed": serializeTransaction(transactions["type 2"], {
          r: `0x${"11".repeat(32)}`,
          s: `0x${"22".repeat(32)}`,
          yParity: 0,
        }).slice(2),
      };
      for (const [name, unsigned] of Object.entries(unsignable)) {
        test(name, async () => assert.equal((await refusal(signTransaction(person, unsigned))).code, 3));
      }

      test("with a Solana account", async () => {
        assert.equal((await refusal(signTransaction(person, good, person.solanaAddress))).code, 3);
      });

      test("with an account of another organization", async () => {
        const other = await createPerson(generation, custody);
        const elsewhere = await refusal(signTransaction(person, good, other.evmAddress));
        const nowhere = await refusal(signTransaction(person, good, recipient));
        assert.equal(elsewhere.code, 5);
        assert.deepEqual(
          { ...elsewhere, message: elsewhere.message.replace(other.evmAddress, "") },
          { ...nowhere, message: nowhere.message.replace(recipient, "") },
          "an account elsewhere answers like none at all",
        );
      });
    });
  });
}
