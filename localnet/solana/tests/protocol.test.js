// @ts-check
/** What no client library shows: malformed requests, number precision, batches, browsers, ports, directories. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import http from 'node:http';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { programs } from '../programs.js';
import { rawCall, startService, temporaryDirectory } from './service.js';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const RECIPIENT = '2AnVFu6eGNkYT5KDK5zQ2fDGUYiEXH5WCcS9qJxS2jX6';
const FINAL_TRANSACTION = { maxSupportedTransactionVersion: 0 };
const ANY_TRANSACTION = { ...FINAL_TRANSACTION, commitment: 'confirmed' };
const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** @type {import('./service.js').Service} */ let service;

before(async (t) => {
  service = await startService(/** @type {any} */ (t));
});

/**
 * @param {string} address
 * @param {string} encoding
 */
function getAccount(address, encoding) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [address, { encoding }] });
}

/** @param {string} body */
async function post(body) {
  const response = await fetch(service.rpcUrl, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

describe('requests', { concurrency: true }, () => {
  test('an id of 64 bits comes back digit by digit', async () => {
    const { text } = await post('{"jsonrpc":"2.0","id":18446744073709551615,"method":"getHealth"}');
    assert.match(text, /"id":18446744073709551615[,}]/);
  });

  test('a u64 that a double cannot hold is written in full', async () => {
    const { text } = await post(
      `{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["${SYSTEM_PROGRAM}",{"encoding":"base64"}]}`,
    );
    assert.match(text, /"rentEpoch":18446744073709551615[,}]/);
  });

  test('a batch is answered in order, notifications are not', async () => {
    const { text } = await post(
      '[{"jsonrpc":"2.0","id":"a","method":"getHealth"},{"jsonrpc":"2.0","method":"getSlot"},' +
        '{"jsonrpc":"2.0","id":"b","method":"noSuchMethod"}]',
    );
    const [first, second, ...more] = JSON.parse(text);
    assert.deepEqual([first.id, first.result], ['a', 'ok']);
    assert.deepEqual([second.id, second.error.code], ['b', -32601]);
    assert.equal(more.length, 0);
  });

  for (const [what, body, code] of /** @type {Array<[string, string, number]>} */ ([
    ['text that is no JSON', '{"jsonrpc":', -32700],
    ['a number', '7', -32600],
    ['an empty batch', '[]', -32600],
    ['params that are no array', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}', -32600],
    ['an address that is too short', '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["abc"]}', -32602],
    [
      'an address of another chain',
      `{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["0x${'1'.repeat(40)}"]}`,
      -32602,
    ],
    ['no address', '{"jsonrpc":"2.0","id":1,"method":"getBalance"}', -32602],
    ['an unknown commitment', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"max"}]}', -32602],
    [
      'a slot that is not reached',
      '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"minContextSlot":999999999999}]}',
      -32016,
    ],
    ['an unknown encoding', getAccount(SYSTEM_PROGRAM, 'base64+zstd'), -32602],
    ['base58 of long data', getAccount(programs.pools[0].vaultB, 'base58'), -32600],
    [
      'a negative airdrop',
      `{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["${SYSTEM_PROGRAM}",-1]}`,
      -32602,
    ],
  ])) {
    test(`${what} is error ${code}`, async () => {
      const { status, text } = await post(body);
      assert.equal(status, 200);
      assert.equal(JSON.parse(text).error.code, code, text);
    });
  }

  test('a request that is too large is refused', async () => {
    assert.equal((await post(' '.repeat(600 * 1024))).status, 413);
  });

  test('a browser may call from any page', async () => {
    const preflight = await fetch(service.rpcUrl, { method: 'OPTIONS', headers: { origin: 'http://localhost:8080' } });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.equal(preflight.headers.get('access-control-allow-headers'), '*');
    const answer = await fetch(`${service.rpcUrl}/health`);
    assert.equal(await answer.text(), 'ok');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  });

  test('a name that is not this machine is refused', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = { port: service.port, host: '127.0.0.1', method: 'POST', headers: { host: 'evil.example' } };
      http
        .request(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('{}');
    });
    assert.equal(status, 403);
  });
});

describe('WebSocket', { concurrency: true }, () => {
  for (const [where, url] of /** @type {Array<[string, () => string]>} */ ([
    ['the HTTP port', () => `ws://localhost:${service.port}`],
    ['the port after it', () => service.wsUrl],
  ])) {
    test(`on ${where}: ids of 64 bits, subscribing and unsubscribing`, async () => {
      const socket = new WebSocket(url());
      /** @type {(text: string) => Promise<string>} */
      const ask = (text) =>
        new Promise((resolve) => {
          socket.once('message', (data) => resolve(data.toString()));
          socket.send(text);
        });
      await new Promise((resolve) => socket.once('open', resolve));
      const answer = await ask(
        `{"jsonrpc":"2.0","id":9223372036854775809,"method":"accountSubscribe","params":["${SYSTEM_PROGRAM}"]}`,
      );
      assert.match(answer, /"id":9223372036854775809[,}]/);
      const { result } = JSON.parse(answer);
      assert.equal(typeof result, 'number');
      const ended = `{"jsonrpc":"2.0","id":1,"method":"accountUnsubscribe","params":[${result}]}`;
      assert.equal(JSON.parse(await ask(ended)).result, true);
      assert.equal(JSON.parse(await ask(ended)).error.code, -32602);
      socket.close();
    });
  }

  test('a watcher of final state hears of a transaction only when it is final', async () => {
    const { result: signature } = await rawCall(service, 'requestAirdrop', [RECIPIENT, 1_000_000]);
    const socket = new WebSocket(service.wsUrl);
    await new Promise((resolve) => socket.once('open', resolve));
    const notified = new Promise((resolve) => {
      socket.on('message', (data) => {
        const message = JSON.parse(data.toString());
        if (message.method === 'signatureNotification') resolve(message.params.result);
      });
    });
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'signatureSubscribe', params: [signature] }));
    const landed = (await rawCall(service, 'getSignatureStatuses', [[signature]])).result.value[0];
    assert.equal(landed.confirmationStatus, 'confirmed');
    assert.equal((await rawCall(service, 'getTransaction', [signature, FINAL_TRANSACTION])).result, null);
    const { context, value } = /** @type {any} */ (await notified);
    assert.deepEqual(value, { err: null });
    assert.ok(context.slot >= landed.slot + 32, `told at slot ${context.slot} of slot ${landed.slot}`);
    const final = (await rawCall(service, 'getSignatureStatuses', [[signature]])).result.value[0];
    assert.deepEqual([final.confirmationStatus, final.confirmations], ['finalized', null]);
    assert.equal((await rawCall(service, 'getTransaction', [signature, FINAL_TRANSACTION])).result.slot, landed.slot);
    socket.close();
  });
});

describe('starting and stopping', { concurrency: true }, () => {
  /**
   * @param {string[]} args
   * @returns {Promise<{code: number | null, errors: string}>}
   */
  function runToEnd(args) {
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += chunk));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, errors })));
  }

  test('a port in use is one clear line', async (t) => {
    const { code, errors } = await runToEnd(['--port', String(service.port), '--data', temporaryDirectory(t)]);
    assert.equal(code, 1);
    assert.equal(
      errors,
      `localhost:${service.port} is already in use (local Solana network); stop the program that holds it or choose ` +
        'another with --port\n',
    );
  });

  test('a data directory in use is one clear line', async (t) => {
    await assert.rejects(startService(t, service.data), /is used by another local Solana network\n$/);
  });

  test('no directory, or no port, is one clear line', async () => {
    assert.match((await runToEnd(['--port', '1'])).errors, /^--data is required[^\n]*\n$/);
    assert.match((await runToEnd(['--data', '/nonexistent', '--port', 'x'])).errors, /^--port x is not a port\n$/);
  });

  test('the end of standard input ends it', async (t) => {
    assert.equal(await (await startService(t)).endInput(), 0);
  });

  test('SIGTERM ends it, and what it knew is there again', async (t) => {
    const data = temporaryDirectory(t);
    const first = await startService(t, data);
    const { result: signature } = await rawCall(first, 'requestAirdrop', [RECIPIENT, 1_000_000]);
    await first.stop();
    const second = await startService(t, data);
    const { result } = await rawCall(second, 'getTransaction', [signature, ANY_TRANSACTION]);
    assert.equal(result.meta.err, null);
  });
});
