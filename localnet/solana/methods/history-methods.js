// @ts-check
/** JSON-RPC methods about transactions of the past. */
import { transactionJson } from '../transaction-json.js';
import { address, config, list, requireMinContextSlot, signature, u64, visibleSlot, withContext } from './params.js';
import { invalidParams } from '../rpc-error.js';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1000;
// Nodes answer getSignatureStatuses from memory for about this many slots; older ones only when the client says
// searchTransactionHistory.
const RECENT_STATUS_SLOTS = 300;

/**
 * @param {import('../chain.js').Chain} chain
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function historyMethods(chain) {
  return {
    getSignatureStatuses: ([signatures, settings]) => {
      const { searchTransactionHistory = false } = config(settings);
      const oldest = searchTransactionHistory ? 0 : chain.clock.slot() - RECENT_STATUS_SLOTS;
      const statuses = list(signatures, signature, MAX_STATUSES).map((wanted) => {
        const entry = chain.history.get(wanted);
        return entry && entry.slot >= oldest ? statusJson(chain, entry) : null;
      });
      return withContext(chain, statuses);
    },
    getSignaturesForAddress: ([account, settings]) => signaturesFor(chain, address(account), config(settings)),
    getTransaction: ([wanted, settings]) => {
      // An encoding alone is the old form of the configuration.
      const form = typeof settings === 'string' ? { encoding: settings } : config(settings);
      const entry = chain.history.get(signature(wanted));
      const visible = entry !== undefined && entry.slot <= visibleSlot(chain, form.commitment);
      return visible ? transactionJson(entry, form) : null;
    },
  };
}

/**
 * @param {import('../chain.js').Chain} chain
 * @param {string} account
 * @param {Record<string, any>} settings
 */
function signaturesFor(chain, account, settings) {
  requireMinContextSlot(chain, settings);
  const limit = Number(u64(settings.limit ?? MAX_SIGNATURES));
  if (limit < 1 || limit > MAX_SIGNATURES) throw invalidParams(`limit must be between 1 and ${MAX_SIGNATURES}`);
  const found = chain.history.ofAccount(account, {
    before: settings.before === undefined ? undefined : signature(settings.before),
    until: settings.until === undefined ? undefined : signature(settings.until),
    limit,
    throughSlot: visibleSlot(chain, settings.commitment),
  });
  return found.map((entry) => ({
    signature: entry.signature,
    slot: entry.slot,
    err: entry.meta.err,
    memo: entry.memo,
    blockTime: entry.blockTime,
    confirmationStatus: chain.confirmation(entry.slot).confirmationStatus,
  }));
}

/**
 * @param {import('../chain.js').Chain} chain
 * @param {import('../history.js').Entry} entry
 */
function statusJson(chain, entry) {
  return { slot: entry.slot, err: entry.meta.err, status: entry.meta.status, ...chain.confirmation(entry.slot) };
}
