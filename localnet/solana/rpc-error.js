// @ts-check
/** The errors of the JSON-RPC interface, with the numbers that Solana's own nodes use. */

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const PREFLIGHT_FAILURE = -32002;
export const SIGNATURE_VERIFICATION_FAILURE = -32003;
export const NODE_UNHEALTHY = -32005;
export const UNSUPPORTED_TRANSACTION_VERSION = -32015;
export const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

/** An answer that is an error: shown to the client as it is. */
export class RpcError extends Error {
  /**
   * @param {number} code one of the constants of this file
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/**
 * @param {string} reason
 * @returns {RpcError}
 */
export function invalidParams(reason) {
  return new RpcError(INVALID_PARAMS, `Invalid params: ${reason}`);
}
