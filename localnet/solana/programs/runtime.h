/*
 * What a program needs of the Solana runtime: types of its binary interface, system calls, account parsing.
 *
 * Rules of the compiler and of the packer (see rebuild.sh): every function is inlined, since calls between own
 * functions are not linked; the stack is 512 bytes, so arrays live on the heap; no writable globals; no 128-bit
 * division; no call that the compiler would turn into memcpy or memset.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define INLINE static inline __attribute__((always_inline))

typedef struct {
  u8 bytes[32];
} Pubkey;

/* The five structs below are read by the runtime: order and size of the fields are its interface. */
typedef struct {
  const Pubkey *pubkey;
  u8 is_writable;
  u8 is_signer;
} AccountMeta;

typedef struct {
  const Pubkey *program_id;
  AccountMeta *accounts;
  u64 accounts_len;
  u8 *data;
  u64 data_len;
} Instruction;

typedef struct {
  const Pubkey *key;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  const Pubkey *owner;
  u64 rent_epoch;
  u8 is_signer;
  u8 is_writable;
  u8 executable;
} Account;

typedef struct {
  const u8 *address;
  u64 len;
} Bytes;

typedef struct {
  const Bytes *seeds;
  u64 len;
} SignerSeeds;

extern u64 sol_invoke_signed_c(const Instruction *, const Account *, int accounts, const SignerSeeds *, int signers);
extern u64 sol_try_find_program_address(const Bytes *seeds, u64 len, const Pubkey *program, Pubkey *address, u8 *bump);
extern void sol_log_(const char *text, u64 len);
extern void sol_log_data(const Bytes *fields, u64 len);

/* Errors shared by our programs; the numbers are those of the Anchor framework. */
enum {
  ERROR_UNKNOWN_INSTRUCTION = 101,
  ERROR_INSTRUCTION_DATA = 102,
  ERROR_SEEDS = 2006,
  ERROR_ASSOCIATED = 2009,
  ERROR_ACCOUNT_COUNT = 3005,
  ERROR_PROGRAM_ID = 3008,
  ERROR_NOT_SIGNER = 3010,
};

enum {
  MAX_ACCOUNTS = 10,
  MAX_METAS = 6,
  ACCOUNT_GROWTH = 10240, /* spare bytes that the runtime keeps behind the data of an account */
  NOT_A_DUPLICATE = 0xff,

  TOKEN_ACCOUNT_BYTES = 165,
  TOKEN_MINT = 0,
  TOKEN_OWNER = 32,
  TOKEN_AMOUNT = 64,
  TOKEN_DELEGATE_TAG = 72,
  TOKEN_STATE = 108,
  TOKEN_CLOSE_AUTHORITY_TAG = 129,
  MINT_BYTES = 82,
  MINT_DECIMALS = 44,
  MINT_IS_INITIALIZED = 45,
};

#define ALIGNED8 __attribute__((aligned(8)))
static const Pubkey SYSTEM_PROGRAM ALIGNED8 = {{0}};
/* TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA */
static const Pubkey TOKEN_PROGRAM ALIGNED8 = {{6,   221, 246, 225, 215, 101, 161, 147, 217, 203, 225,
                                               70,  206, 235, 121, 172, 28,  180, 133, 237, 95,  91,
                                               55,  145, 58,  140, 245, 133, 126, 255, 0,   169}};

/* Working memory, at the start of the heap: the runtime gives it zeroed. */
typedef struct {
  Account accounts[MAX_ACCOUNTS];
  u64 account_count;
  const u8 *data; /* instruction data */
  u64 data_len;
  Pubkey program_id;

  AccountMeta metas[MAX_METAS]; /* of the instruction being built */
  Instruction instruction;
  u8 instruction_data[64];
  Bytes seeds[4];
  SignerSeeds signer;
  Pubkey address; /* result of a derivation */
  u8 bump;
  u8 event[128];
} Memory;

#define MEMORY ((Memory *)0x300000000UL)

/* Both sides must be aligned to eight bytes; all keys in accounts and on the heap are. */
INLINE int same_key(const void *a, const void *b) {
  const u64 *x = a, *y = b;
  return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
}

INLINE void copy(u8 *to, const u8 *from, u64 len) {
#pragma nounroll
  for (u64 i = 0; i < len; i++) {
    ((volatile u8 *)to)[i] = from[i]; /* volatile keeps the compiler from calling memcpy */
  }
}

INLINE u64 read_u64(const u8 *at) {
  u64 value = 0;
  for (int i = 7; i >= 0; i--) value = value << 8 | at[i];
  return value;
}

INLINE void write_u64(u8 *at, u64 value) {
  for (int i = 0; i < 8; i++) at[i] = value >> (8 * i);
}

/*
 * Parses the runtime's input: u64 number of accounts, the accounts, u64 length and instruction data, program id.
 * An account given twice is a one-byte index of its first place. Returns an error number or zero.
 */
INLINE u64 parse_input(Memory *m, u8 *input) {
  u8 *at = input + 8;
  m->account_count = *(u64 *)input;
  if (m->account_count > MAX_ACCOUNTS) return ERROR_ACCOUNT_COUNT;
#pragma nounroll
  for (u64 i = 0; i < m->account_count; i++) {
    Account *account = &m->accounts[i];
    if (at[0] != NOT_A_DUPLICATE) {
      const Account *first = &m->accounts[at[0]];
      account->key = first->key;
      account->lamports = first->lamports;
      account->data_len = first->data_len;
      account->data = first->data;
      account->owner = first->owner;
      account->rent_epoch = first->rent_epoch;
      account->is_signer = first->is_signer;
      account->is_writable = first->is_writable;
      account->executable = first->executable;
      at += 8;
      continue;
    }
    account->is_signer = at[1];
    account->is_writable = at[2];
    account->executable = at[3];
    account->key = (const Pubkey *)(at + 8);
    account->owner = (const Pubkey *)(at + 40);
    account->lamports = (u64 *)(at + 72);
    account->data_len = *(u64 *)(at + 80);
    account->data = at + 88;
    at += 88 + account->data_len + ACCOUNT_GROWTH;
    at = (u8 *)(((u64)at + 7) & ~7UL);
    account->rent_epoch = *(u64 *)at;
    at += 8;
  }
  m->data_len = *(u64 *)at;
  m->data = at + 8;
  copy(m->program_id.bytes, m->data + m->data_len, 32);
  return 0;
}

INLINE int is_token_account(const Account *account) {
  return same_key(account->owner, &TOKEN_PROGRAM) && account->data_len == TOKEN_ACCOUNT_BYTES &&
         account->data[TOKEN_STATE] == 1;
}

INLINE int is_mint(const Account *account) {
  return same_key(account->owner, &TOKEN_PROGRAM) && account->data_len == MINT_BYTES &&
         account->data[MINT_IS_INITIALIZED] == 1;
}

INLINE void set_meta(Memory *m, int index, int account, u8 is_writable, u8 is_signer) {
  m->metas[index].pubkey = m->accounts[account].key;
  m->metas[index].is_writable = is_writable;
  m->metas[index].is_signer = is_signer;
}

INLINE void set_seed(Memory *m, int index, const void *bytes, u64 len) {
  m->seeds[index].address = bytes;
  m->seeds[index].len = len;
}

/* Calls a program with the metas and the instruction data in memory; with signer seeds when there are any. */
INLINE u64 invoke(Memory *m, const Pubkey *program, u64 metas, u64 data_len, u64 signer_seeds) {
  m->instruction.program_id = program;
  m->instruction.accounts = m->metas;
  m->instruction.accounts_len = metas;
  m->instruction.data = m->instruction_data;
  m->instruction.data_len = data_len;
  m->signer.seeds = m->seeds;
  m->signer.len = signer_seeds;
  return sol_invoke_signed_c(&m->instruction, m->accounts, m->account_count, &m->signer, signer_seeds ? 1 : 0);
}

#endif
