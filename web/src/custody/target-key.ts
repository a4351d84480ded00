/**
 * Checks the frame's key, compressed or uncompressed P-256 in hex. Only the
 * shape is checked here; whether it is on the curve shows when sealing to it.
 */
export function assertTargetPublicKey(key: string): void {
  if (/^0[23][0-9a-fA-F]{64}$/.test(key) || /^04[0-9a-fA-F]{128}$/.test(key)) return;
  throw invalidTargetKey(key);
}

/** The error for a key that nothing can be sealed to. */
export function invalidTargetKey(key: string): Error {
  return new Error(`target public key is not a valid compressed public key: ${key}`);
}
