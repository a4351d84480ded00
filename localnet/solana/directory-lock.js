// @ts-check
/**
 * Keeps a second instance off a data directory. The lock is a listening socket, which the system takes back when
 * its process dies in whatever way; a process id in a file would outlive it.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

// Socket paths are limited to about 100 bytes, data directories are not.
const MAX_SOCKET_PATH = 100;

/**
 * @param {string} directory
 * @returns {Promise<() => void>} releases the lock
 * @throws {Error} when another process holds it
 */
export async function lockDirectory(directory) {
  const file = socketPath(fs.realpathSync(directory));
  if (await answers(file)) throw new Error(`${directory} is used by another local Solana network`);
  fs.rmSync(file, { force: true });
  const server = net.createServer((socket) => socket.destroy());
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, () => resolve(undefined));
  });
  server.unref();
  return () => void server.close();
}

/** @param {string} directory */
function socketPath(directory) {
  const inside = path.join(directory, 'lock.sock');
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) return inside;
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `tenfold-solana-${name}.sock`);
}

/**
 * @param {string} file
 * @returns {Promise<boolean>} whether a process listens there
 */
function answers(file) {
  return new Promise((resolve) => {
    const socket = net.connect(file);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
