/*
 * Depository program: takes SOL or tokens for an order and logs who paid what for which id. Its instructions,
 * accounts, event and error numbers are those of the public Relay depository program, as far as deposits go;
 * they are documented in ../README.md. Nothing leaves the vault.
 */
#include "runtime.h"

enum {
  ERROR_INVALID_MINT = 6001,
  ERROR_TOKEN_PROGRAM = 6002,
  ERROR_VAULT_TOKEN_ACCOUNT = 6010,
};

enum { DEPOSIT_DATA_BYTES = 48 }; /* name, amount u64, id [32] */

/* sha256 of "global:deposit_native", "global:deposit_token", "event:DepositEvent": first eight bytes as an integer */
#define DEPOSIT_NATIVE 0x061cd55fdf0d9e0dUL
#define DEPOSIT_TOKEN 0x13b4a327da609c0bUL
#define DEPOSIT_EVENT 0x906b8e1f533df878UL

static const u8 STATE_SEED[16] ALIGNED8 = {'r', 'e', 'l', 'a', 'y', '_', 'd', 'e', 'p', 'o', 's', 'i', 't', 'o', 'r', 'y'};
static const u8 VAULT_SEED[5] ALIGNED8 = {'v', 'a', 'u', 'l', 't'};
/* ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL */
static const Pubkey ASSOCIATED_TOKEN_PROGRAM ALIGNED8 = {{140, 151, 37,  143, 78,  36,  137, 241, 187, 61,  16,
                                                          41,  20,  142, 13,  131, 11,  90,  19,  153, 218, 255,
                                                          16,  132, 4,   142, 123, 216, 219, 233, 248, 89}};

/* Positions that both instructions share. */
enum { STATE, SENDER, DEPOSITOR, VAULT, FIRST_OWN_ACCOUNT };

INLINE int is_derived_from(Memory *m, const Account *account, const u8 *seed, u64 len) {
  set_seed(m, 0, seed, len);
  return sol_try_find_program_address(m->seeds, 1, &m->program_id, &m->address, &m->bump) == 0 &&
         same_key(&m->address, account->key);
}

INLINE int is_associated_account(Memory *m, const Account *account, const Account *owner, const Account *mint) {
  set_seed(m, 0, owner->key, 32);
  set_seed(m, 1, &TOKEN_PROGRAM, 32);
  set_seed(m, 2, mint->key, 32);
  return sol_try_find_program_address(m->seeds, 3, &ASSOCIATED_TOKEN_PROGRAM, &m->address, &m->bump) == 0 &&
         same_key(&m->address, account->key);
}

INLINE u64 check_shared_accounts(Memory *m, u64 count) {
  Account *a = m->accounts;
  if (m->data_len != DEPOSIT_DATA_BYTES) return ERROR_INSTRUCTION_DATA;
  if (m->account_count != count) return ERROR_ACCOUNT_COUNT;
  if (!a[SENDER].is_signer) return ERROR_NOT_SIGNER;
  if (!is_derived_from(m, &a[STATE], STATE_SEED, sizeof STATE_SEED)) return ERROR_SEEDS;
  if (!is_derived_from(m, &a[VAULT], VAULT_SEED, sizeof VAULT_SEED)) return ERROR_SEEDS;
  return 0;
}

/* Event: name, depositor, option of mint, amount, id; amount and id stand together in the instruction data. */
INLINE void log_deposit(Memory *m, const Account *mint) {
  u8 *event = m->event;
  u64 at = 40;
  *(u64 *)event = DEPOSIT_EVENT;
  copy(event + 8, m->accounts[DEPOSITOR].key->bytes, 32);
  event[at++] = mint != 0;
  if (mint) {
    copy(event + at, mint->key->bytes, 32);
    at += 32;
  }
  copy(event + at, m->data + 8, 40);
  set_seed(m, 0, event, at + 40);
  sol_log_data(m->seeds, 1);
}

INLINE u64 deposit_native(Memory *m) {
  enum { SYSTEM = FIRST_OWN_ACCOUNT, COUNT };
  u64 error = check_shared_accounts(m, COUNT);
  if (error) return error;
  if (!same_key(m->accounts[SYSTEM].key, &SYSTEM_PROGRAM)) return ERROR_PROGRAM_ID;

  set_meta(m, 0, SENDER, 1, 1);
  set_meta(m, 1, VAULT, 1, 0);
  u8 *data = m->instruction_data; /* Transfer: u32 2, u64 lamports */
  data[0] = 2;
  data[1] = data[2] = data[3] = 0;
  copy(data + 4, m->data + 8, 8);
  error = invoke(m, &SYSTEM_PROGRAM, 2, 12, 0);
  if (error) return error;
  log_deposit(m, 0);
  return 0;
}

/* Makes the vault's associated token account, rent paid by the sender. */
INLINE u64 create_vault_account(Memory *m, int vault_account, int mint, int system, int tokens) {
  set_meta(m, 0, SENDER, 1, 1);
  set_meta(m, 1, vault_account, 1, 0);
  set_meta(m, 2, VAULT, 0, 0);
  set_meta(m, 3, mint, 0, 0);
  set_meta(m, 4, system, 0, 0);
  set_meta(m, 5, tokens, 0, 0);
  return invoke(m, &ASSOCIATED_TOKEN_PROGRAM, 6, 0, 0);
}

INLINE u64 transfer_to_vault(Memory *m, int source, int mint, int vault_account) {
  set_meta(m, 0, source, 1, 0);
  set_meta(m, 1, mint, 0, 0);
  set_meta(m, 2, vault_account, 1, 0);
  set_meta(m, 3, SENDER, 0, 1);
  u8 *data = m->instruction_data; /* TransferChecked: u8 12, u64 amount, u8 decimals */
  data[0] = 12;
  copy(data + 1, m->data + 8, 8);
  data[9] = m->accounts[mint].data[MINT_DECIMALS];
  return invoke(m, &TOKEN_PROGRAM, 4, 10, 0);
}

INLINE u64 deposit_token(Memory *m) {
  enum { MINT = FIRST_OWN_ACCOUNT, SOURCE, VAULT_ACCOUNT, TOKENS, ASSOCIATED, SYSTEM, COUNT };
  Account *a = m->accounts;
  u64 error = check_shared_accounts(m, COUNT);
  if (error) return error;
  if (!same_key(a[TOKENS].key, &TOKEN_PROGRAM)) return ERROR_TOKEN_PROGRAM;
  if (!same_key(a[ASSOCIATED].key, &ASSOCIATED_TOKEN_PROGRAM)) return ERROR_PROGRAM_ID;
  if (!same_key(a[SYSTEM].key, &SYSTEM_PROGRAM)) return ERROR_PROGRAM_ID;
  if (!is_mint(&a[MINT])) return ERROR_INVALID_MINT;
  if (!is_associated_account(m, &a[SOURCE], &a[SENDER], &a[MINT])) return ERROR_ASSOCIATED;
  if (!is_associated_account(m, &a[VAULT_ACCOUNT], &a[VAULT], &a[MINT])) return ERROR_VAULT_TOKEN_ACCOUNT;

  if (a[VAULT_ACCOUNT].data_len == 0) {
    error = create_vault_account(m, VAULT_ACCOUNT, MINT, SYSTEM, TOKENS);
    if (error) return error;
  }
  error = transfer_to_vault(m, SOURCE, MINT, VAULT_ACCOUNT);
  if (error) return error;
  log_deposit(m, &a[MINT]);
  return 0;
}

__attribute__((section(".text"))) u64 entrypoint(u8 *input) {
  Memory *m = MEMORY;
  u64 error = parse_input(m, input);
  if (error) return error;
  if (m->data_len < 8) return ERROR_UNKNOWN_INSTRUCTION;
  u64 name = *(const u64 *)m->data;
  if (name == DEPOSIT_NATIVE) return deposit_native(m);
  if (name == DEPOSIT_TOKEN) return deposit_token(m);
  return ERROR_UNKNOWN_INSTRUCTION;
}
