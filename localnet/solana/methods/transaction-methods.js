// @ts-check
/** JSON-RPC methods that run transactions: sendTransaction, simulateTransaction, requestAirdrop. */
import { accountJson } from '../account-json.js';
import { PREFLIGHT_FAILURE, RpcError, SIGNATURE_VERIFICATION_FAILURE, invalidParams } from '../rpc-error.js';
import { transactionErrorSentence } from '../runtime-errors.js';
import { decodeTransactionText } from '../transaction.js';
import { address, config, list, requireMinContextSlot, u64, withContext } from './params.js';

const MAX_SIMULATED_ACCOUNTS = 100;

/**
 * @typedef {import('../chain.js').Chain} Chain
 * @typedef {(chain: Chain, recipient: string, lamports: bigint) => Promise<string>} Airdrop returns the signature
 */

/**
 * @param {Chain} chain
 * @param {Airdrop} airdrop
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function transactionMethods(chain, airdrop) {
  return {
    sendTransaction: ([text, settings]) => sendTransaction(chain, text, config(settings)),
    simulateTransaction: ([text, settings]) => simulateTransaction(chain, text, config(settings)),
    requestAirdrop: ([recipient, lamports]) => airdrop(chain, address(recipient), u64(lamports)),
  };
}

/**
 * @param {Chain} chain
 * @param {unknown} text
 * @param {Record<string, any>} settings
 * @returns {string} the signature; without preflight it is no promise that the transaction has landed
 */
function sendTransaction(chain, text, settings) {
  const transaction = decodeTransactionText(text, settings.encoding ?? 'base58');
  requireMinContextSlot(chain, settings);
  const [signature] = transaction.signatures;
  if (!signature) throw signatureFailure();
  if (chain.history.get(signature)) return signature;
  if (!settings.skipPreflight) preflight(chain, transaction);
  chain.submit(transaction);
  return signature;
}

/**
 * @param {Chain} chain
 * @param {import('../transaction.js').WireTransaction} transaction
 * @throws {RpcError} when the transaction would fail
 */
function preflight(chain, transaction) {
  if (transaction.signatures.includes(null)) throw signatureFailure();
  const outcome = chain.simulate(transaction, { checkSignatures: true });
  if (outcome.error === null) return;
  if (outcome.error === 'SignatureFailure') throw signatureFailure();
  const reason = transactionErrorSentence(outcome.error);
  throw new RpcError(PREFLIGHT_FAILURE, `Transaction simulation failed: ${reason}`, {
    accounts: null,
    err: outcome.error,
    innerInstructions: null,
    loadedAccountsDataSize: 0,
    logs: outcome.logs,
    replacementBlockhash: null,
    returnData: outcome.returnData,
    unitsConsumed: outcome.units,
  });
}

function signatureFailure() {
  return new RpcError(SIGNATURE_VERIFICATION_FAILURE, 'Transaction signature verification failure');
}

/**
 * @param {Chain} chain
 * @param {unknown} text
 * @param {Record<string, any>} settings
 */
function simulateTransaction(chain, text, settings) {
  const transaction = decodeTransactionText(text, settings.encoding ?? 'base58');
  requireMinContextSlot(chain, settings);
  const { sigVerify = false, replaceRecentBlockhash = false, accounts } = settings;
  if (sigVerify && replaceRecentBlockhash) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  if (sigVerify && transaction.signatures.includes(null)) throw signatureFailure();
  const wanted = accounts ? list(accounts.addresses, address, MAX_SIMULATED_ACCOUNTS) : null;
  if (accounts?.encoding === 'base58' || accounts?.encoding === 'binary') {
    throw invalidParams('base58 encoding not supported');
  }

  const outcome = chain.simulate(transaction, { checkSignatures: sigVerify, anyLifetime: replaceRecentBlockhash });
  if (outcome.error === 'SignatureFailure') throw signatureFailure();
  return withContext(chain, {
    err: outcome.error,
    logs: outcome.logs,
    accounts: wanted && simulatedAccounts(chain, outcome, wanted, accounts),
    unitsConsumed: outcome.units,
    returnData: outcome.returnData,
    innerInstructions: settings.innerInstructions ? outcome.inner : null,
    ...(replaceRecentBlockhash && { replacementBlockhash: chain.blockhashAt(chain.clock.slot()) }),
  });
}

/**
 * The accounts as the simulated transaction leaves them.
 * @param {Chain} chain
 * @param {import('../runtime.js').Outcome} outcome
 * @param {string[]} wanted
 * @param {{encoding?: string}} form
 */
function simulatedAccounts(chain, outcome, wanted, { encoding = 'base64' }) {
  const after = outcome.postAccounts;
  return wanted.map((key) => {
    if (!after) return null;
    const account = after.get(key) ?? chain.read(key);
    const exists = account !== null && account.lamports > 0n;
    return exists ? accountJson(account, { encoding }, (mint) => chain.decimalsOf(mint)) : null;
  });
}
