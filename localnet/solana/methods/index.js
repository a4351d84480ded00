// @ts-check
/** All JSON-RPC methods of the service. */
import { accountMethods } from './account-methods.js';
import { chainMethods } from './chain-methods.js';
import { historyMethods } from './history-methods.js';
import { tokenMethods } from './token-methods.js';
import { transactionMethods } from './transaction-methods.js';

/**
 * @param {import('../chain.js').Chain} chain
 * @param {import('./transaction-methods.js').Airdrop} airdrop
 * @returns {Map<string, (params: any[]) => unknown>}
 */
export function allMethods(chain, airdrop) {
  return new Map(
    Object.entries({
      ...chainMethods(chain),
      ...accountMethods(chain),
      ...tokenMethods(chain),
      ...transactionMethods(chain, airdrop),
      ...historyMethods(chain),
    }),
  );
}
