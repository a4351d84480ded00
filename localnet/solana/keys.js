// @ts-check
/** The local network's own keys: made once, kept in files that only their owner reads. */
import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { fromBase58, toBase58 } from './base58.js';
import { replaceFile } from './journal.js';

/**
 * @typedef {{address: string, privateKey: string}} StoredKey privateKey: base58 of seed (32 bytes) and public key (32)
 * @typedef {import('@solana/kit').KeyPairSigner} Signer
 */

/**
 * The key in a file, made when there is no file.
 * @param {string} file
 * @returns {Promise<Signer>}
 * @throws {Error} when the file is not of the form of StoredKey
 */
export async function keyInFile(file) {
  if (!fs.existsSync(file)) replaceFile(file, [`${JSON.stringify(newKey(), null, 2)}\n`]);
  return signerOf(JSON.parse(fs.readFileSync(file, 'utf8')), file);
}

/**
 * The list of keys in a file, made when there is no file.
 * @param {string} file
 * @param {number} count
 * @returns {Promise<Signer[]>}
 */
export async function keysInFile(file, count) {
  if (!fs.existsSync(file)) {
    replaceFile(file, [`${JSON.stringify(Array.from({ length: count }, newKey), null, 2)}\n`]);
  }
  /** @type {StoredKey[]} */
  const stored = JSON.parse(fs.readFileSync(file, 'utf8'));
  return Promise.all(stored.map((key) => signerOf(key, file)));
}

/** @returns {StoredKey} */
function newKey() {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicKey = Buffer.from(x, 'base64url');
  return {
    address: toBase58(publicKey),
    privateKey: toBase58(Buffer.concat([Buffer.from(d, 'base64url'), publicKey])),
  };
}

/**
 * @param {StoredKey} stored
 * @param {string} file
 * @returns {Promise<Signer>}
 */
async function signerOf(stored, file) {
  try {
    const signer = await createKeyPairSignerFromBytes(fromBase58(stored.privateKey));
    if (signer.address === stored.address) return signer;
  } catch {
    // The cause may hold parts of the key: not repeated.
  }
  throw new Error(`${file} does not hold a key pair {"address","privateKey"}`);
}
