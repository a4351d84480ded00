import { getBase58Decoder } from "@solana/kit";
import { generateP256KeyPair, hpkeEncrypt, uncompressRawPublicKey } from "@turnkey/crypto";
import { assertTargetPublicKey, invalidTargetKey } from "./target-key";

/** A fresh API key whose private half exists only sealed to the frame's key. */
export interface SealedKey {
  /** Credential bundle: base58check of the HPKE encapsulated key and ciphertext. */
  authBundle: string;
  /** Compressed P-256, hex. */
  publicKey: string;
}

/** Makes an API key and seals its private half to the frame's key. Loaded when a wallet is created. */
export async function createSealedKey(targetPublicKey: string): Promise<SealedKey> {
  assertTargetPublicKey(targetPublicKey);
  const pair = generateP256KeyPair();
  const plainTextBuf = fromHex(pair.privateKey);
  try {
    const sealed = hpkeEncrypt({ plainTextBuf, targetKeyBuf: uncompressed(targetPublicKey) });
    return { authBundle: await base58Check(sealed), publicKey: pair.publicKey };
  } finally {
    plainTextBuf.fill(0);
  }
}

/** The receiver's key as the sealing needs it: the bundle cannot be opened with the compressed form. */
function uncompressed(key: string): Uint8Array {
  const bytes = fromHex(key);
  if (bytes.length === 65) return bytes;
  try {
    return uncompressRawPublicKey(bytes);
  } catch {
    throw invalidTargetKey(key);
  }
}

async function base58Check(payload: Uint8Array): Promise<string> {
  const bytes = Uint8Array.from(payload);
  const once = await crypto.subtle.digest("SHA-256", bytes);
  const checksum = new Uint8Array(await crypto.subtle.digest("SHA-256", once)).slice(0, 4);
  return getBase58Decoder().decode(Uint8Array.from([...bytes, ...checksum]));
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
