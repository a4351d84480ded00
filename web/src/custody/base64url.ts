/** Bytes as base64url without padding. */
export function encodeBase64Url(bytes: ArrayBuffer | Uint8Array): string {
  const text = Array.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), (byte) =>
    String.fromCharCode(byte),
  );
  return btoa(text.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
