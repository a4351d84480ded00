/*
 * Pool program: a constant-product exchange between two mints of the token program.
 * Instructions, accounts, state layout and error numbers are documented in ../README.md.
 */
#include "runtime.h"

enum {
  ERROR_AMOUNT = 6000,
  ERROR_SLIPPAGE = 6001,
  ERROR_DUPLICATE_ACCOUNT = 6002,
  ERROR_NOT_A_POOL = 6003,
  ERROR_VAULT = 6004,
  ERROR_EMPTY_POOL = 6005,
  ERROR_OVERFLOW = 6006,
  ERROR_POOL_EXISTS = 6007,
  ERROR_FEE = 6008,
  ERROR_MINT = 6009,
};

enum {
  BASIS_POINTS = 10000,
  MAX_FEE = 1000,

  STATE_BYTES = 144,
  STATE_RENT = (128 + STATE_BYTES) * 6960, /* lamports that exempt an account of this size from rent */
  STATE_BUMP = 8,
  STATE_FEE = 10,
  STATE_MINT_A = 16,
  STATE_MINT_B = 48,
  STATE_VAULT_A = 80,
  STATE_VAULT_B = 112,
};

/* sha256 of "global:swap", "global:initialize_pool", "account:Pool": first eight bytes as an integer */
#define SWAP 0xc88775e1919ec6f8UL
#define INITIALIZE_POOL 0x28e8ae54ac0ab45fUL
#define POOL_STATE 0xbc6db111046d9af1UL

static const u8 SEED_PREFIX[4] ALIGNED8 = {'p', 'o', 'o', 'l'};

/* floor(a * b / divisor); ERROR_OVERFLOW through *error when the result has more than 64 bits. */
INLINE u64 multiply_divide(u64 a, u64 b, u64 divisor, u64 *error) {
  u64 a_low = a & 0xffffffff, a_high = a >> 32, b_low = b & 0xffffffff, b_high = b >> 32;
  u64 low_low = a_low * b_low, low_high = a_low * b_high, high_low = a_high * b_low, high_high = a_high * b_high;
  u64 middle = (low_low >> 32) + (low_high & 0xffffffff) + (high_low & 0xffffffff);
  u64 low = (middle << 32) | (low_low & 0xffffffff);
  u64 high = high_high + (low_high >> 32) + (high_low >> 32) + (middle >> 32);
  if (high >= divisor) {
    *error = ERROR_OVERFLOW;
    return 0;
  }
  u64 quotient = 0, rest = high;
#pragma nounroll
  for (int bit = 0; bit < 64; bit++) {
    u64 carry = rest >> 63;
    rest = rest << 1 | low >> 63;
    low <<= 1;
    quotient <<= 1;
    if (carry || rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

INLINE int has_duplicates(const Memory *m) {
#pragma nounroll
  for (u64 i = 1; i < m->account_count; i++) {
#pragma nounroll
    for (u64 j = 0; j < i; j++) {
      if (m->accounts[i].key == m->accounts[j].key) return 1; /* a duplicate shares its first place's memory */
    }
  }
  return 0;
}

INLINE u64 transfer_tokens(Memory *m, int from, int to, int authority, u64 amount, u64 signer_seeds) {
  set_meta(m, 0, from, 1, 0);
  set_meta(m, 1, to, 1, 0);
  set_meta(m, 2, authority, 0, 1);
  m->instruction_data[0] = 3; /* Transfer */
  write_u64(m->instruction_data + 1, amount);
  return invoke(m, &TOKEN_PROGRAM, 3, 9, signer_seeds);
}

INLINE void set_pool_seeds(Memory *m, const void *mint_a, const void *mint_b, const u8 *bump) {
  set_seed(m, 0, SEED_PREFIX, sizeof SEED_PREFIX);
  set_seed(m, 1, mint_a, 32);
  set_seed(m, 2, mint_b, 32);
  set_seed(m, 3, bump, 1);
}

/* A vault is safe when it is the pool's alone: nobody else may move or close it. */
INLINE int is_vault(const Account *vault, const Account *mint, const Account *state) {
  return is_token_account(vault) && same_key(vault->data + TOKEN_MINT, mint->key) &&
         same_key(vault->data + TOKEN_OWNER, state->key) && vault->data[TOKEN_DELEGATE_TAG] == 0 &&
         vault->data[TOKEN_CLOSE_AUTHORITY_TAG] == 0;
}

INLINE u64 swap(Memory *m) {
  enum { STATE, USER, SOURCE, DESTINATION, VAULT_IN, VAULT_OUT, TOKENS, COUNT };
  Account *a = m->accounts;
  if (m->data_len != 24) return ERROR_INSTRUCTION_DATA;
  if (m->account_count != COUNT) return ERROR_ACCOUNT_COUNT;
  if (has_duplicates(m)) return ERROR_DUPLICATE_ACCOUNT;
  if (!a[USER].is_signer) return ERROR_NOT_SIGNER;
  if (!same_key(a[TOKENS].key, &TOKEN_PROGRAM)) return ERROR_PROGRAM_ID;

  const u8 *state = a[STATE].data;
  if (!same_key(a[STATE].owner, &m->program_id) || a[STATE].data_len != STATE_BYTES) return ERROR_NOT_A_POOL;
  if (*(const u64 *)state != POOL_STATE) return ERROR_NOT_A_POOL;
  int a_to_b = same_key(a[VAULT_IN].key, state + STATE_VAULT_A) && same_key(a[VAULT_OUT].key, state + STATE_VAULT_B);
  int b_to_a = same_key(a[VAULT_IN].key, state + STATE_VAULT_B) && same_key(a[VAULT_OUT].key, state + STATE_VAULT_A);
  if (!a_to_b && !b_to_a) return ERROR_VAULT;

  u64 amount = read_u64(m->data + 8), minimum = read_u64(m->data + 16);
  u64 reserve_in = read_u64(a[VAULT_IN].data + TOKEN_AMOUNT), reserve_out = read_u64(a[VAULT_OUT].data + TOKEN_AMOUNT);
  u64 fee = *(const u16 *)(state + STATE_FEE);
  if (!reserve_in || !reserve_out) return ERROR_EMPTY_POOL;
  if (reserve_in + amount < amount) return ERROR_OVERFLOW;
  u64 error = 0;
  u64 net = multiply_divide(amount, BASIS_POINTS - fee, BASIS_POINTS, &error);
  u64 paid = multiply_divide(reserve_out, net, reserve_in + net, &error);
  if (error) return error;
  if (!paid) return ERROR_AMOUNT;
  if (paid < minimum) {
    static const char text[] = "Error: slippage tolerance exceeded";
    sol_log_(text, sizeof text - 1);
    return ERROR_SLIPPAGE;
  }

  error = transfer_tokens(m, SOURCE, VAULT_IN, USER, amount, 0);
  if (error) return error;
  set_pool_seeds(m, state + STATE_MINT_A, state + STATE_MINT_B, state + STATE_BUMP);
  return transfer_tokens(m, VAULT_OUT, DESTINATION, STATE, paid, 4);
}

/* Creates the state account at its program address, paid by the payer. */
INLINE u64 create_state(Memory *m, int payer, int state) {
  set_meta(m, 0, payer, 1, 1);
  set_meta(m, 1, state, 1, 1);
  u8 *data = m->instruction_data; /* CreateAccount: u32 0, u64 lamports, u64 space, owner */
  data[0] = data[1] = data[2] = data[3] = 0;
  write_u64(data + 4, STATE_RENT);
  write_u64(data + 12, STATE_BYTES);
  copy(data + 20, m->program_id.bytes, 32);
  return invoke(m, &SYSTEM_PROGRAM, 2, 52, 4);
}

INLINE u64 initialize_pool(Memory *m) {
  enum { PAYER, STATE, MINT_A, MINT_B, VAULT_A, VAULT_B, SYSTEM, COUNT };
  Account *a = m->accounts;
  if (m->data_len != 10) return ERROR_INSTRUCTION_DATA;
  if (m->account_count != COUNT) return ERROR_ACCOUNT_COUNT;
  if (!a[PAYER].is_signer) return ERROR_NOT_SIGNER;
  if (!same_key(a[SYSTEM].key, &SYSTEM_PROGRAM)) return ERROR_PROGRAM_ID;
  u64 fee = m->data[8] | (u64)m->data[9] << 8;
  if (fee > MAX_FEE) return ERROR_FEE;
  if (!is_mint(&a[MINT_A]) || !is_mint(&a[MINT_B]) || same_key(a[MINT_A].key, a[MINT_B].key)) return ERROR_MINT;

  set_pool_seeds(m, a[MINT_A].key, a[MINT_B].key, &m->bump);
  if (sol_try_find_program_address(m->seeds, 3, &m->program_id, &m->address, &m->bump)) return ERROR_SEEDS;
  if (!same_key(&m->address, a[STATE].key)) return ERROR_SEEDS;
  if (a[STATE].data_len != 0) return ERROR_POOL_EXISTS;
  if (!is_vault(&a[VAULT_A], &a[MINT_A], &a[STATE]) || !is_vault(&a[VAULT_B], &a[MINT_B], &a[STATE])) return ERROR_VAULT;

  u64 error = create_state(m, PAYER, STATE);
  if (error) return error;
  u8 *state = a[STATE].data;
  *(u64 *)state = POOL_STATE;
  state[STATE_BUMP] = m->bump;
  *(u16 *)(state + STATE_FEE) = fee;
  copy(state + STATE_MINT_A, a[MINT_A].key->bytes, 32);
  copy(state + STATE_MINT_B, a[MINT_B].key->bytes, 32);
  copy(state + STATE_VAULT_A, a[VAULT_A].key->bytes, 32);
  copy(state + STATE_VAULT_B, a[VAULT_B].key->bytes, 32);
  return 0;
}

__attribute__((section(".text"))) u64 entrypoint(u8 *input) {
  Memory *m = MEMORY;
  u64 error = parse_input(m, input);
  if (error) return error;
  if (m->data_len < 8) return ERROR_UNKNOWN_INSTRUCTION;
  u64 name = *(const u64 *)m->data;
  if (name == SWAP) return swap(m);
  if (name == INITIALIZE_POOL) return initialize_pool(m);
  return ERROR_UNKNOWN_INSTRUCTION;
}
