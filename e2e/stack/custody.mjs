// A fresh custody provider with its parent organization, as `tenfold custody`
// serves it.

import { execFile } from "node:child_process";
import { createECDH } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot, tenfold } from "./paths.mjs";
import { freePorts, startProgram } from "./program.mjs";

const run = promisify(execFile);

/** The name of the parent organization that startCustody makes. */
export const ORGANIZATION_NAME = "Conformance";

/**
 * An API key of P-256, hexadecimal as the custody API writes it.
 * @typedef {{publicKey: string, privateKey: string}} ApiKey
 */

/**
 * A running custody provider.
 * @typedef {object} Custody
 * @property {string} url
 * @property {string} authFrameUrl
 * @property {string} organizationId the parent organization
 * @property {string} userId its root user
 * @property {ApiKey} apiKey that user's key
 * @property {string} dataDir
 * @property {() => string} log since the last start
 * @property {(signal: NodeJS.Signals) => Promise<void>} restart ends it with a signal and
 *   starts it again on the same data and port
 * @property {() => Promise<void>} stop ends it and removes its data
 */

/** Makes an API key. @returns {ApiKey} */
export function newApiKey() {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  return {
    publicKey: pair.getPublicKey("hex", "compressed"),
    privateKey: pair.getPrivateKey("hex").padStart(64, "0"),
  };
}

/**
 * Initialises and starts a custody provider on a free port.
 * @param {{origins?: string[]}} [options] origins: the app origins that it lets in
 * @returns {Promise<Custody>}
 */
export async function startCustody({ origins = ["http://localhost:8080"] } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "tenfold-custody-"));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const apiKey = newApiKey();
    const organization = await initialiseCustody(dataDir, apiKey.publicKey);
    const port = await freePorts();
    let program = await serve(dataDir, port, origins);
    const url = `http://localhost:${port}`;
    return {
      ...organization,
      url,
      authFrameUrl: `${url}/auth/`,
      apiKey,
      dataDir,
      log: () => program.log(),
      restart: async (signal) => {
        await program.stop(signal);
        program = await serve(dataDir, port, origins);
      },
      stop: async () => {
        await program.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Runs `tenfold custody init`.
 * @param {string} dataDir
 * @param {string} apiPublicKey
 * @returns {Promise<{organizationId: string, userId: string}>} what it printed
 * @throws with the fields code and stderr, when it refuses
 */
export async function initialiseCustody(dataDir, apiPublicKey) {
  const args = ["custody", "init", "--data", dataDir, "--organization-name", ORGANIZATION_NAME];
  const { stdout } = await run(tenfold, [...args, "--api-public-key", apiPublicKey]);
  return JSON.parse(stdout);
}

function serve(dataDir, port, origins) {
  const args = ["custody", "--data", dataDir, "--listen", `localhost:${port}`, "--rp-id", "localhost"];
  for (const origin of origins) args.push("--origin", origin);
  const healthUrls = [`http://localhost:${port}/health`];
  return startProgram({ path: tenfold, args, cwd: repositoryRoot, healthUrls });
}
