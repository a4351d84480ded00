// sign_raw_payload and sign_transaction with Ed25519, verified with
// @solana/web3.js and OpenSSL.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { startCustody } from "../stack/index.mjs";
import { createPerson, generations, refusal } from "./clients.mjs";
import { isSignedBy } from "./ed25519.mjs";

let custody;
before(async () => {
  custody = await startCustody();
});
after(() => custody?.stop());

const blockhash = Keypair.generate().publicKey.toBase58();
const recipient = Keypair.generate().publicKey;

const transfer = (from, lamports = 1_500_000_000) =>
  SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: recipient, lamports });

/** A legacy transaction, not signed. */
function legacy(feePayer, ...instructions) {
  const transaction = new Transaction({ feePayer: new PublicKey(feePayer), recentBlockhash: blockhash });
  return transaction.add(...instructions);
}

const wire = (transaction) =>
  Buffer.from(transaction.serialize({ requireAllSignatures: false })).toString("hex");

/** A v0 message; its recipient comes from a lookup table when one is given. */
function v0(payer, instructions, tables = []) {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: blockhash,
    instructions,
  });
  return new VersionedTransaction(message.compileToV0Message(tables));
}

/** An active lookup table that holds the given addresses. */
function lookupTable(...addresses) {
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 1,
    lastExtendedSlotStartIndex: 0,
    authority: undefined,
    addresses,
  };
  return new AddressLookupTableAccount({ key: Keypair.generate().publicKey, state });
}

const signTransaction = (person, unsignedTransaction, signWith = person.solanaAddress) =>
  person.client.signTransaction({ signWith, unsignedTransaction, type: "TRANSACTION_TYPE_SOLANA" });

for (const generation of generations) {
  describe(`sdk-server ${generation.version}`, () => {
    let person;
    before(async () => {
      person = await createPerson(generation, custody);
    });

    test("sign_raw_payload signs the payload's bytes", async () => {
      const payloads = {
        PAYLOAD_ENCODING_TEXT_UTF8: ["Tenfold é", Buffer.from("Tenfold é")],
        PAYLOAD_ENCODING_HEXADECIMAL: ["00ff10", Buffer.from("00ff10", "hex")],
      };
      for (const [encoding, [payload, bytes]] of Object.entries(payloads)) {
        const { r, s, v } = await person.client.signRawPayload({
          signWith: person.solanaAddress,
          payload,
          encoding,
          hashFunction: "HASH_FUNCTION_NOT_APPLICABLE",
        });
        assert.equal(v, "00");
        assert.ok(isSignedBy(person.solanaAddress, bytes, Buffer.from(r + s, "hex")), encoding);
      }
    });

    test("sign_raw_payload refuses to hash for Ed25519", async () => {
      for (const hashFunction of ["HASH_FUNCTION_NO_OP", "HASH_FUNCTION_SHA256", "HASH_FUNCTION_KECCAK256"]) {
        const call = person.client.signRawPayload({
          signWith: person.solanaAddress,
          payload: "00".repeat(32),
          encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
          hashFunction,
        });
        assert.equal((await refusal(call)).code, 3, hashFunction);
      }
    });

    test("sign_transaction signs a legacy transaction", async () => {
      const unsigned = legacy(person.solanaAddress, transfer(person.solanaAddress));
      const { signedTransaction } = await signTransaction(person, wire(unsigned));
      const signed = Transaction.from(Buffer.from(signedTransaction, "hex"));
      assert.ok(signed.verifySignatures());
      assert.deepEqual(signed.serializeMessage(), unsigned.serializeMessage());
    });

    test("sign_transaction signs a v0 transaction, also with a lookup table", async () => {
      for (const tables of [[], [lookupTable(Keypair.generate().publicKey, recipient)]]) {
        const unsigned = v0(person.solanaAddress, [transfer(person.solanaAddress)], tables);
        assert.equal(unsigned.message.addressTableLookups.length, tables.length);
        const { signedTransaction } = await signTransaction(
          person,
          Buffer.from(unsigned.serialize()).toString("hex"),
        );
        const signed = VersionedTransaction.deserialize(Buffer.from(signedTransaction, "hex"));
        const message = unsigned.message.serialize();
        assert.deepEqual(signed.message.serialize(), message);
        assert.ok(isSignedBy(person.solanaAddress, message, signed.signatures[0]));
      }
    });

    test("sign_transaction fills its own place and leaves the others", async () => {
      const sponsor = Keypair.generate();
      const unsigned = legacy(sponsor.publicKey, transfer(person.solanaAddress));
      unsigned.partialSign(sponsor);
      const { signedTransaction } = await signTransaction(person, wire(unsigned));
      const signed = Transaction.from(Buffer.from(signedTransaction, "hex"));
      assert.ok(signed.verifySignatures());
      assert.deepEqual(
        signed.signatures.map(({ publicKey }) => publicKey.toBase58()),
        [sponsor.publicKey.toBase58(), person.solanaAddress],
      );

      const lonely = legacy(sponsor.publicKey, transfer(person.solanaAddress));
      const half = await signTransaction(person, wire(lonely));
      const [first, second] = Transaction.from(Buffer.from(half.signedTransaction, "hex")).signatures;
      assert.equal(first.signature, null);
      assert.ok(isSignedBy(person.solanaAddress, lonely.serializeMessage(), second.signature));
    });

    describe("refuses to sign", () => {
      /** Each case gives the transaction's hexadecimal form from the person's address. */
      const unsignable = {
        nothing: () => "",
        "what is not hexadecimal": () => "zz",
        "bytes after the transaction": (address) => `${wire(legacy(address, transfer(address)))}00`,
        "a transaction cut short": (address) => wire(legacy(address, transfer(address))).slice(0, -2),
        "a message without its signature places": (address) =>
          legacy(address, transfer(address)).serializeMessage().toString("hex"),
        "a transaction that others sign": () => {
          const other = Keypair.generate().publicKey;
          return wire(legacy(other, transfer(other)));
        },
        "a program that comes from a lookup table": (address) => {
          const program = Keypair.generate().publicKey;
          const table = lookupTable(recipient);
          const instruction = new TransactionInstruction({
            programId: program,
            keys: [{ pubkey: recipient, isSigner: false, isWritable: true }],
          });
          const { message, signatures } = v0(address, [instruction], [table]);
          // The last index of the message is the account that the table gives.
          message.compiledInstructions[0].programIdIndex = message.staticAccountKeys.length;
          return Buffer.from(new VersionedTransaction(message, signatures).serialize()).toString("hex");
        },
      };
      for (const [name, unsigned] of Object.entries(unsignable)) {
        test(name, async () => {
          assert.equal((await refusal(signTransaction(person, unsigned(person.solanaAddress)))).code, 3);
        });
      }

      test("with an EVM account", async () => {
        const unsigned = wire(legacy(person.solanaAddress, transfer(person.solanaAddress)));
        assert.equal((await refusal(signTransaction(person, unsigned, person.evmAddress))).code, 3);
      });

      test("with the address in another letter case", async () => {
        const unsigned = wire(legacy(person.solanaAddress, transfer(person.solanaAddress)));
        const { code } = await refusal(signTransaction(person, unsigned, person.solanaAddress.toLowerCase()));
        assert.equal(code, 5);
      });
    });
  });
}
