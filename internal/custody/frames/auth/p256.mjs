// The two things about P-256 that WebCrypto leaves out: reading a compressed
// point, and the public key of a bare private scalar. Everything else (ECDH,
// ECDSA, key generation) is WebCrypto's.

import { concat, fromNumber, toNumber } from "./encoding.mjs";

const COORDINATE_LENGTH = 32;

// Domain parameters: SP 800-186 §3.2.1.3. a is -3.
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const G = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  z: 1n,
};

/**
 * A public key of P-256 in the two SEC 1 forms that the custody API uses.
 * @typedef {{x: Uint8Array, y: Uint8Array, compressed: Uint8Array, uncompressed: Uint8Array}} PublicKey
 */

/**
 * The public key of a private scalar.
 * @param {Uint8Array} scalar 32 bytes, big-endian, in [1, n-1]
 * @returns {PublicKey}
 * @throws when the scalar is out of range
 */
export function publicKeyOf(scalar) {
  const k = toNumber(scalar);
  if (scalar.length !== COORDINATE_LENGTH || k === 0n || k >= N) throw new Error("not a P-256 private key");
  const point = multiplyBase(k);
  const inverse = power(point.z, P - 2n);
  return publicKey(modulo(point.x * inverse), modulo(point.y * inverse));
}

/**
 * Reads a SEC 1 point, compressed (33 bytes) or not (65 bytes).
 * @param {Uint8Array} bytes
 * @returns {PublicKey}
 * @throws when the bytes are no point of the curve
 */
export function parsePublicKey(bytes) {
  const x = toNumber(bytes.subarray(1, 1 + COORDINATE_LENGTH));
  if (x >= P) throw new Error("not a P-256 public key");
  const square = modulo(x * x * x - 3n * x + B);
  if (bytes.length === 1 + COORDINATE_LENGTH && (bytes[0] === 2 || bytes[0] === 3)) {
    const root = power(square, (P + 1n) / 4n); // P is 3 modulo 4
    const y = (root & 1n) === BigInt(bytes[0] & 1) ? root : P - root;
    if (modulo(y * y) === square) return publicKey(x, y);
  }
  if (bytes.length === 1 + 2 * COORDINATE_LENGTH && bytes[0] === 4) {
    const y = toNumber(bytes.subarray(1 + COORDINATE_LENGTH));
    if (y < P && modulo(y * y) === square) return publicKey(x, y);
  }
  throw new Error("not a P-256 public key");
}

/** @param {bigint} x @param {bigint} y @returns {PublicKey} */
function publicKey(x, y) {
  const xBytes = fromNumber(x, COORDINATE_LENGTH);
  const yBytes = fromNumber(y, COORDINATE_LENGTH);
  return {
    x: xBytes,
    y: yBytes,
    compressed: concat(Uint8Array.of((y & 1n) === 0n ? 2 : 3), xBytes),
    uncompressed: concat(Uint8Array.of(4), xBytes, yBytes),
  };
}

/**
 * k·G by a ladder that adds and doubles once for every bit. BigInt arithmetic
 * takes a time that depends on its operands, so k is first blinded with a
 * random multiple of the group's order: the bits walked differ at each call.
 */
function multiplyBase(k) {
  const blind = toNumber(crypto.getRandomValues(new Uint8Array(8)));
  let low = { x: 0n, y: 1n, z: 0n };
  let high = G;
  for (const bit of (k + blind * N).toString(2)) {
    const sum = add(low, high);
    [low, high] = bit === "1" ? [sum, add(high, high)] : [add(low, low), sum];
  }
  return low;
}

/**
 * Adds projective points. The formula is complete: it also doubles and takes
 * the point at infinity (Renes, Costello, Batina 2016, algorithm 4, a = -3).
 */
function add(p, q) {
  const xx = p.x * q.x;
  const yy = p.y * q.y;
  const zz = p.z * q.z;
  const xy = p.x * q.y + q.x * p.y;
  const yz = p.y * q.z + q.y * p.z;
  const xz = p.x * q.z + q.x * p.z;

  const t = modulo(3n * (xz - B * zz));
  const sum = yy + t;
  const difference = yy - t;
  const u = modulo(3n * (B * xz - 3n * zz - xx));
  const v = 3n * (xx - zz);
  return {
    x: modulo(xy * sum - yz * u),
    y: modulo(sum * difference + v * u),
    z: modulo(yz * difference + xy * v),
  };
}

function power(base, exponent) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = modulo(result * result);
    if (bit === "1") result = modulo(result * base);
  }
  return result;
}

/** Reduces a number, also a negative one, to [0, P). */
function modulo(number) {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}
