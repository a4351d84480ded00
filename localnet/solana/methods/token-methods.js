// @ts-check
/** JSON-RPC methods about SPL tokens. */
import { accountJson } from '../account-json.js';
import { invalidParams } from '../rpc-error.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, readMint, readTokenAccount, tokenAmountJson } from '../token-accounts.js';
import { address, config, requireMinContextSlot, withContext } from './params.js';

const MAX_LARGEST_ACCOUNTS = 20;

/**
 * @param {import('../chain.js').Chain} chain
 * @returns {Record<string, (params: any[]) => unknown>}
 */
export function tokenMethods(chain) {
  return {
    getTokenAccountsByOwner: ([owner, filter, settings]) =>
      withContext(chain, tokenAccounts(chain, 'owner', owner, filter, settings)),
    getTokenAccountsByDelegate: ([delegate, filter, settings]) =>
      withContext(chain, tokenAccounts(chain, 'delegate', delegate, filter, settings)),
    getTokenAccountBalance: ([key]) => {
      const token = readTokenAccount(chain.read(address(key)));
      if (!token) throw invalidParams('could not find account');
      return withContext(chain, tokenAmountJson(token.amount, chain.decimalsOf(token.mint)));
    },
    getTokenSupply: ([key]) => {
      const mint = readMint(chain.read(address(key)));
      if (!mint) throw invalidParams('could not find mint');
      return withContext(chain, tokenAmountJson(mint.supply, mint.decimals));
    },
    getTokenLargestAccounts: ([key]) => {
      const mint = address(key);
      if (!readMint(chain.read(mint))) throw invalidParams('could not find mint');
      const largest = tokenAccountsOf(chain, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
        .filter(({ token }) => token.mint === mint)
        .sort((a, b) => (a.token.amount < b.token.amount ? 1 : -1))
        .slice(0, MAX_LARGEST_ACCOUNTS);
      const decimals = chain.decimalsOf(mint);
      return withContext(
        chain,
        largest.map(({ pubkey, token }) => ({ address: pubkey, ...tokenAmountJson(token.amount, decimals) })),
      );
    },
  };
}

/**
 * @param {import('../chain.js').Chain} chain
 * @param {'owner' | 'delegate'} role
 * @param {unknown} holder
 * @param {any} filter {mint} or {programId}
 * @param {unknown} settings
 */
function tokenAccounts(chain, role, holder, filter, settings) {
  const wanted = address(holder);
  const form = config(settings);
  requireMinContextSlot(chain, form);
  if ((filter?.mint === undefined) === (filter?.programId === undefined)) {
    throw invalidParams('filter by either mint or programId');
  }
  const mint = filter.mint === undefined ? null : address(filter.mint);
  if (mint !== null && !readMint(chain.read(mint))) throw invalidParams('could not find mint');
  const programs = mint === null ? [tokenProgram(filter.programId)] : [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
  return tokenAccountsOf(chain, programs)
    .filter(({ token }) => token[role] === wanted && (mint === null || token.mint === mint))
    .map(({ pubkey, account }) => ({ pubkey, account: accountJson(account, form, (m) => chain.decimalsOf(m)) }));
}

/** @param {unknown} programId */
function tokenProgram(programId) {
  const program = address(programId);
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) throw invalidParams('unrecognized Token program id');
  return program;
}

/**
 * @param {import('../chain.js').Chain} chain
 * @param {string[]} programs
 */
function tokenAccountsOf(chain, programs) {
  return programs
    .flatMap((program) => chain.runtime.accountsOwnedBy(program))
    .flatMap(([pubkey, account]) => {
      const token = readTokenAccount(account);
      return token ? [{ pubkey, account, token }] : [];
    });
}
