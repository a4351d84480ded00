// Requests made by hand, for what no official client can be made to send. The
// stamps are the official stamper's.

import { ApiKeyStamper } from "@turnkey/api-key-stamper";

/**
 * Stamps a body.
 * @param {{publicKey: string, privateKey: string}} apiKey
 * @param {string} body
 * @returns {Promise<Record<string, string>>} the header
 */
export async function stampHeader(apiKey, body) {
  const stamper = new ApiKeyStamper({ apiPublicKey: apiKey.publicKey, apiPrivateKey: apiKey.privateKey });
  const { stampHeaderName, stampHeaderValue } = await stamper.stamp(body);
  return { [stampHeaderName]: stampHeaderValue };
}

/**
 * Sends a body as it is.
 * @param {string} url
 * @param {string} path after /public/v1/
 * @param {string} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<{status: number, text: string, body: any}>} body: the parsed JSON
 */
export async function post(url, path, body, headers = {}) {
  const response = await fetch(`${url}/public/v1/${path}`, { method: "POST", headers, body });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

/** Stamps a body and sends it. */
export async function postStamped(url, path, apiKey, body) {
  return post(url, path, body, await stampHeader(apiKey, body));
}

/**
 * The body of a submit request.
 * @param {string} type without ACTIVITY_TYPE_
 * @param {string} organizationId
 * @param {object} parameters
 * @param {{timestampMs?: string}} [options]
 * @returns {string}
 */
export function submitBody(type, organizationId, parameters, { timestampMs = String(Date.now()) } = {}) {
  return JSON.stringify({ type: `ACTIVITY_TYPE_${type}`, timestampMs, organizationId, parameters });
}
