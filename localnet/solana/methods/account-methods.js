// @ts-check
/** JSON-RPC methods that read accounts. */
import { accountJson } from '../account-json.js';
import { fromBase58 } from '../base58.js';
import { invalidParams } from '../rpc-error.js';
import { readTokenAccount } from '../token-accounts.js';
import { address, config, list, requireMinContextSlot, u64, withContext } from './params.js';

const MAX_ACCOUNTS = 100;
const MAX_FILTERS = 4;

/** @typedef {import('../transaction.js').Account} Account */

/**
 * @param {import('../chain.js').Chain} chain
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function accountMethods(chain) {
  /** @param {string} mint */
  const decimalsOf = (mint) => chain.decimalsOf(mint);
  /** @param {any} settings */
  const checked = (settings) => {
    const given = config(settings);
    requireMinContextSlot(chain, given);
    chain.enterSlot(); // so that sysvar accounts show this slot
    return given;
  };
  return {
    getBalance: ([key, settings]) => {
      checked(settings);
      return withContext(chain, chain.runtime.balance(address(key)));
    },
    getAccountInfo: ([key, settings]) => {
      const form = checked(settings);
      return withContext(chain, accountJson(chain.read(address(key)), form, decimalsOf));
    },
    getMultipleAccounts: ([keys, settings]) => {
      const form = checked(settings);
      const accounts = list(keys, address, MAX_ACCOUNTS).map(chain.read);
      return withContext(
        chain,
        accounts.map((account) => accountJson(account, form, decimalsOf)),
      );
    },
    getProgramAccounts: ([program, settings]) => {
      const form = checked(settings);
      const matches = list(form.filters ?? [], filterOf, MAX_FILTERS);
      const found = chain.runtime
        .accountsOwnedBy(address(program))
        .filter(([, account]) => matches.every((match) => match(account)))
        .map(([pubkey, account]) => ({ pubkey, account: accountJson(account, form, decimalsOf) }));
      return form.withContext ? withContext(chain, found) : found;
    },
    getMinimumBalanceForRentExemption: ([bytes]) => chain.runtime.rentExemption(Number(u64(bytes))),
  };
}

/**
 * @param {any} filter
 * @returns {(account: Account) => boolean}
 */
function filterOf(filter) {
  if (filter === 'tokenAccountState' || filter?.tokenAccountState !== undefined) {
    return (account) => readTokenAccount(account) !== null;
  }
  if (filter?.dataSize !== undefined) {
    const size = Number(u64(filter.dataSize));
    return ({ data }) => data.length === size;
  }
  if (filter?.memcmp) return memcmp(filter.memcmp);
  throw invalidParams('a filter is {dataSize} or {memcmp: {offset, bytes}}');
}

/** @param {{offset: unknown, bytes: unknown, encoding?: unknown}} filter */
function memcmp({ offset, bytes, encoding = 'base58' }) {
  const start = Number(u64(offset));
  if (typeof bytes !== 'string') throw invalidParams('memcmp.bytes must be text');
  let wanted;
  try {
    wanted = Buffer.from(encoding === 'base64' ? Buffer.from(bytes, 'base64') : fromBase58(bytes));
  } catch {
    throw invalidParams('memcmp.bytes is not base58');
  }
  return (/** @type {Account} */ { data }) => wanted.equals(data.subarray(start, start + wanted.length));
}
