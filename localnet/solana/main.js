// @ts-check
/** Entry point of the local Solana network; see README.md. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lockDirectory } from './directory-lock.js';
import { completeGenesis, writeFirstAccounts } from './genesis.js';
import { keyInFile, keysInFile } from './keys.js';
import { allMethods } from './methods/index.js';
import { loadPrograms } from './programs.js';
import { airdropFrom } from './purse.js';
import { Server } from './server.js';
import { openStore } from './store.js';
import { Subscriptions } from './subscriptions.js';

const TEST_ACCOUNTS = 2;
const MAX_PORT = 65_535;

/**
 * @typedef {{port: number, data: string, treasuryFile: string, pricesFile: string}} Settings
 */

/**
 * Writes a log line in the form of Go's slog text handler. Never pass a key.
 * @param {'INFO' | 'ERROR'} level
 * @param {string} message
 * @param {Record<string, unknown>} [attributes]
 */
function log(level, message, attributes = {}) {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  process.stderr.write(
    `time=${new Date().toISOString()} level=${level} msg=${JSON.stringify(message)}${pairs.join('')}\n`,
  );
}

/** @returns {Settings} */
function readSettings() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8899' },
      data: { type: 'string' },
      'treasury-file': { type: 'string' },
      prices: { type: 'string', default: fileURLToPath(new URL('../prices.json', import.meta.url)) },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port >= MAX_PORT) throw new Error(`--port ${values.port} is not a port`);
  if (!values.data) throw new Error('--data is required: the directory in which the chain is kept');
  return {
    port,
    data: values.data,
    treasuryFile: values['treasury-file'] ?? path.join(values.data, 'treasury.json'),
    pricesFile: values.prices,
  };
}

/**
 * @param {string} file US dollars per whole coin by symbol, decimal strings
 * @returns {bigint} millionths of a US dollar per SOL
 */
function solPriceIn(file) {
  const text = JSON.parse(fs.readFileSync(file, 'utf8')).SOL;
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  const price = match ? BigInt(match[1] + (match[2] ?? '').padEnd(6, '0')) : 0n;
  if (price === 0n) throw new Error(`${file}: SOL must be a price like "168.00"`);
  return price;
}

/**
 * @param {Server} server
 * @param {number} port
 */
async function takePorts(server, port) {
  try {
    await server.listen(port, port + 1);
  } catch (error) {
    const { code, port: taken } = /** @type {any} */ (error);
    if (code !== 'EADDRINUSE') throw error;
    throw new Error(
      `localhost:${taken} is already in use (local Solana network); stop the program that holds it or choose another ` +
        'with --port',
    );
  }
}

/** @param {Settings} settings */
async function start({ port, data, treasuryFile, pricesFile }) {
  const solPrice = solPriceIn(pricesFile);
  const server = new Server((message, attributes) => log('ERROR', message, attributes));
  await takePorts(server, port);
  fs.mkdirSync(data, { recursive: true, mode: 0o700 });
  const unlock = await lockDirectory(data);

  const authority = await keyInFile(path.join(data, 'authority.json'));
  const treasury = await keyInFile(treasuryFile);
  const testAccounts = await keysInFile(path.join(data, 'test-accounts.json'), TEST_ACCOUNTS);
  const store = openStore(data, {
    genesis: (runtime) => writeFirstAccounts(runtime, authority.address),
    prepare: loadPrograms,
    onFatal: (error) => {
      log('ERROR', 'a transaction could not be stored; stopping', { error: String(error) });
      process.exit(1);
    },
  });
  await completeGenesis(store.chain, { authority, treasury, testAccounts, solPrice });

  const subscriptions = new Subscriptions(store.chain);
  server.serve({ methods: allMethods(store.chain, airdropFrom(authority)), subscriptions });
  const urls = { rpcUrl: `http://localhost:${port}`, wsUrl: `ws://localhost:${port + 1}` };
  process.stdout.write(`${JSON.stringify({ ready: true, ...urls, treasury: treasury.address })}\n`);
  log('INFO', 'local Solana network is ready', { ...urls, slot: store.chain.clock.slot() });

  return async () => {
    subscriptions.close();
    await server.close();
    store.close();
    unlock();
  };
}

/** @param {() => Promise<void>} stop */
function stopOnSignal(stop) {
  let stopping = false;
  const once = async () => {
    if (stopping) return;
    stopping = true;
    await stop();
    process.exit(0);
  };
  process.on('SIGINT', once);
  process.on('SIGTERM', once);
  if (process.env.TENFOLD_STOP_WITH_STDIN === '1') {
    process.stdin.on('end', once).on('error', once);
    process.stdin.resume();
  }
}

try {
  stopOnSignal(await start(readSettings()));
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exit(1);
}
