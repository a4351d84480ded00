// The whole product as `tenfold up` starts it: local network, custody and app
// server, on free ports, with their state in a folder of its own.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCustody } from "./custody.mjs";
import { repositoryRoot, tenfold } from "./paths.mjs";
import { freePorts, startProgram } from "./program.mjs";

// A fresh folder deploys the pools of nine chains first.
const START_TIMEOUT_MS = 180_000;

/**
 * A running stack.
 * @typedef {object} Stack
 * @property {string} appUrl absent without the local network
 * @property {string} custodyUrl
 * @property {Record<string, string>} rpcUrls JSON-RPC address by chain id, decimal
 * @property {string} venueUrl absent without the local network
 * @property {string} dataDir
 * @property {Ports} ports absent without the local network; pass them with dataDir to
 *   startStack to start the same stack again
 * @property {number} pid of the program that supervises the others
 * @property {() => string} log
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop ends the stack; its data is
 *   removed unless the caller named the folder
 */

/** @typedef {{app: number, custody: number, evm: number, solana: number, venue: number}} Ports */

/**
 * Starts the stack and waits until it is healthy.
 * @param {{localnet?: boolean, dataDir?: string, ports?: Ports}} [options]
 *   localnet: false starts custody alone, for tests that need no chain;
 *   dataDir: a folder to keep, so that a second start finds the first one's state
 * @returns {Promise<Stack>}
 */
export async function startStack({ localnet = true, dataDir, ports } = {}) {
  if (!localnet) {
    const custody = await startCustody();
    return { ...custody, custodyUrl: custody.url, rpcUrls: {} };
  }
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "tenfold-stack-")));
  const remove = () => (dataDir ? undefined : rm(folder, { recursive: true, force: true }));
  const chosen = ports ?? (await choosePorts());
  const appUrl = `http://localhost:${chosen.app}`;
  const custodyUrl = `http://localhost:${chosen.custody}`;
  const venueUrl = `http://localhost:${chosen.venue}`;
  try {
    const program = await startProgram({
      path: tenfold,
      args: ["up", "--data-dir", folder, ...portFlags(chosen)],
      cwd: repositoryRoot,
      healthUrls: [`${custodyUrl}/health`, `${venueUrl}/health`, `${appUrl}/api/v1/health`],
      timeoutMs: START_TIMEOUT_MS,
    });
    return {
      appUrl,
      custodyUrl,
      venueUrl,
      rpcUrls: await rpcUrls(chosen),
      dataDir: folder,
      ports: chosen,
      pid: program.pid,
      log: program.log,
      stop: async (signal) => {
        await program.stop(signal);
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Ports that are all taken at the same moment, so that no two are the same. */
async function choosePorts() {
  // Solana's WebSocket takes the port after its HTTP port.
  const first = await freePorts(6);
  return { app: first, custody: first + 1, evm: first + 2, venue: first + 3, solana: first + 4 };
}

function portFlags(ports) {
  return Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
}

async function rpcUrls(ports) {
  const { chains } = JSON.parse(await readFile(join(repositoryRoot, "catalog", "chains.json"), "utf8"));
  return Object.fromEntries(
    chains.map(({ id, isEVM }) => [
      id,
      isEVM ? `http://localhost:${ports.evm}/${id}` : `http://localhost:${ports.solana}`,
    ]),
  );
}
