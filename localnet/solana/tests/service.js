// @ts-check
/** Runs the service for tests as a process of its own, on free ports and in a directory of its own. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const ATTEMPTS = 20;

/**
 * @typedef {object} Service
 * @property {string} rpcUrl
 * @property {string} wsUrl
 * @property {number} port
 * @property {string} data
 * @property {() => Promise<void>} stop by SIGTERM; fails when the service does not end well
 * @property {() => Promise<void>} kill by SIGKILL
 * @property {() => Promise<number | null>} endInput ends standard input; the exit code
 */

/** @param {import('node:test').TestContext | {after: (f: () => void) => void}} t */
export function temporaryDirectory(t) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tenfold-solana-'));
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * @param {{after: (f: () => any) => void}} t
 * @param {string} [data] a directory to start in
 * @returns {Promise<Service>}
 */
export async function startService(t, data = temporaryDirectory(t)) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = 20_000 + 2 * Math.floor(Math.random() * 10_000);
    const service = await tryPort(t, data, port);
    if (service) return service;
  }
  throw new Error('no free ports found');
}

/**
 * @param {{after: (f: () => any) => void}} t
 * @param {string} data
 * @param {number} port
 * @returns {Promise<Service | null>} null when the port is in use
 */
async function tryPort(t, data, port) {
  // Standard input stays open for as long as this process lives, so that nothing is left behind by a killed test.
  const child = spawn(process.execPath, [MAIN, '--port', String(port), '--data', data], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TENFOLD_STOP_WITH_STDIN: '1' },
  });
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const line = await Promise.race([firstLine(child.stdout), ended.then(() => null)]);
  if (line === null) {
    if (/already in use/.test(errors)) return null;
    throw new Error(`the service ended: ${errors}`);
  }
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const { rpcUrl, wsUrl } = JSON.parse(line);
  return {
    rpcUrl,
    wsUrl,
    port,
    data,
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`the service ended with code ${code}: ${errors}`);
    },
    endInput() {
      child.stdin.end();
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * @param {import('node:stream').Readable} stream
 * @returns {Promise<string>}
 */
async function firstLine(stream) {
  for await (const line of readline.createInterface({ input: stream })) return line;
  return new Promise(() => {}); // ended without a line: the exit tells
}

/**
 * One JSON-RPC request as any program would send it.
 * @param {Service} service
 * @param {string} method
 * @param {unknown[]} [params]
 * @returns {Promise<any>} the whole answer
 */
export async function rawCall(service, method, params = []) {
  const response = await fetch(service.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}
