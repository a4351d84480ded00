// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse, stringify } from '../json.js';

describe('parse', () => {
  for (const [text, value] of /** @type {Array<[string, unknown]>} */ ([
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    ['{"id":9007199254740993}', { id: 9007199254740993n }],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['1234567890123456', 1234567890123456],
    ['[1.2345678901234567890, 12345678901234567890.5, 1e3]', [1.2345678901234567, 12345678901234567000, 1000]],
    [
      '{"memo":"12345678901234567890","12345678901234567890":1}',
      { memo: '12345678901234567890', '12345678901234567890': 1 },
    ],
    ['"a \\" 12345678901234567890 \\\\"', 'a " 12345678901234567890 \\'],
  ])) {
    test(text, () => assert.deepEqual(parse(text), value));
  }

  test('text that is no JSON', () => {
    for (const text of ['', '{', '12345678901234567890x', '{"a":01234567890123456789}']) {
      assert.throws(() => parse(text), SyntaxError, text);
    }
  });
});

describe('stringify', () => {
  test('bigint values are bare digits, text with digits stays text', () => {
    const value = { rentEpoch: 18446744073709551615n, small: 5n, minus: -7n, text: '5', log: 'int-0:5' };
    assert.equal(
      stringify(value),
      '{"rentEpoch":18446744073709551615,"small":5,"minus":-7,"text":"5","log":"int-0:5"}',
    );
  });
});
