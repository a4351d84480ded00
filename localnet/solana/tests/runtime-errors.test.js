// @ts-check
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS, transactionErrorSentence } from '../runtime-errors.js';

describe('the names stand in the order of the runtime', () => {
  const main = createRequire(import.meta.url).resolve('litesvm');
  const declarations = fs.readFileSync(path.join(path.dirname(main), 'internal.d.ts'), 'utf8');
  for (const [name, ours] of /** @type {Array<[string, string[]]>} */ ([
    ['TransactionErrorFieldless', TRANSACTION_ERRORS],
    ['InstructionErrorFieldless', INSTRUCTION_ERRORS],
  ])) {
    test(name, () => {
      const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(declarations)?.[1] ?? '';
      assert.deepEqual(
        [...body.matchAll(/(\w+) = (\d+)/g)].map(([, word, n]) => [word, Number(n)]),
        [...ours.entries()].map(([n, word]) => [word, n]),
      );
    });
  }
});

describe('sentences', () => {
  for (const [error, sentence] of /** @type {Array<[any, string]>} */ ([
    ['BlockhashNotFound', 'Blockhash not found'],
    [{ InstructionError: [2, { Custom: 6001 }] }, 'Error processing Instruction 2: custom program error: 0x1771'],
    [
      { InstructionError: [0, 'InvalidAccountData'] },
      'Error processing Instruction 0: invalid account data for instruction',
    ],
    [
      { InsufficientFundsForRent: { account_index: 1 } },
      'Transaction results in an account (1) with insufficient funds for rent',
    ],
  ])) {
    test(sentence, () => assert.equal(transactionErrorSentence(error), sentence));
  }
});
