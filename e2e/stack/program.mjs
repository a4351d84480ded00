// One long-running program under test: start it, wait until it is healthy,
// stop it. A program never outlives the test that started it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const STOP_TIMEOUT_MS = 15_000;
const HEALTH_INTERVAL_MS = 50;
const LOG_LINES_KEPT = 2000;

// Below the ports that systems give to outgoing connections, which could take
// one between the look and the start of the program.
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 30_000;

/**
 * A running program.
 * @typedef {object} Program
 * @property {number} pid
 * @property {() => string} log what it wrote so far: its last lines
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop ends it (SIGTERM unless
 *   another signal is named) and waits until it is gone; a second call does nothing
 */

/**
 * Starts a program and waits until each of its health addresses answers 200.
 * @param {{path: string, args: string[], cwd?: string, env?: Record<string, string>,
 *   healthUrls: string[], timeoutMs?: number}} options
 * @returns {Promise<Program>}
 * @throws with the program's last log lines, when it stops by itself or stays unhealthy
 */
export async function startProgram({ path, args, cwd, env, healthUrls, timeoutMs = 30_000 }) {
  // With this set the program also stops when its standard input ends, so a
  // test that is killed leaves nothing running.
  const child = spawn(path, args, {
    cwd,
    env: { ...process.env, ...env, TENFOLD_STOP_WITH_STDIN: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines = collectLines(child);
  const exited = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const program = {
    pid: child.pid,
    log: () => lines.join("\n"),
    stop: (signal = "SIGTERM") => stop(child, signal),
  };
  try {
    for (const url of healthUrls) await healthy(url, exited, timeoutMs);
  } catch (error) {
    await program.stop();
    throw new Error(`${path} ${args[0]}: ${error.message}\n${program.log()}`);
  }
  return program;
}

function collectLines(child) {
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > LOG_LINES_KEPT) lines.shift();
    });
  }
  // The program may be gone before it reads; that is no fault of the test.
  child.stdin.on("error", () => {});
  return lines;
}

async function healthy(url, exited, timeoutMs) {
  let reason = null;
  exited.then((text) => {
    reason = text;
  });
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (reason !== null) throw new Error(`stopped by itself (${reason})`);
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    if (response?.ok) return;
    await delay(HEALTH_INTERVAL_MS);
  }
  throw new Error(`not healthy at ${url} after ${timeoutMs} ms`);
}

async function stop(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, "exit");
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}

/**
 * Free TCP ports of localhost that follow each other.
 * @param {number} [count]
 * @returns {Promise<number>} the first of them
 */
export async function freePorts(count = 1) {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
    const tries = await Promise.allSettled(Array.from({ length: count }, (_, i) => listening(port + i)));
    const free = tries.every(({ status }) => status === "fulfilled");
    const servers = tries.flatMap(({ value }) => value ?? []);
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    if (free) return port;
  }
}

async function listening(port) {
  const server = createServer().listen({ port, host: "127.0.0.1" });
  await once(server, "listening");
  return server;
}
