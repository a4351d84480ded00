// Package chain is the seam between the product's domains and a blockchain:
// what a domain may ask of any chain, in words that fit EVM and Solana alike.
// It is a mechanism: internal/evm and internal/solana implement Adapter, the
// domains use it and never see a node's dialect. It must never sign.
package chain

import (
	"context"
	"errors"
	"math/big"

	"tenfold/catalog"
)

// Unsigned is a transaction ready for a signer, with all that is needed to
// check the signed form and to tell when it can no longer land.
type Unsigned struct {
	ChainID int64
	From    string // canonical address of the one signer
	// Bytes is the form that the custody call sign_transaction takes: the EIP-2718
	// envelope without signature, or the Solana wire transaction with zeroed
	// signatures.
	Bytes []byte
	Nonce *uint64 // EVM only
	// LastValidBlockHeight ends a Solana transaction's life.
	LastValidBlockHeight uint64
	// MaximumFee is the most that the network can charge, in native base units.
	MaximumFee *big.Int
	// Rent is what new accounts lock up, in native base units; nil where none.
	Rent *big.Int
}

// Signed is a transaction as it is stored and broadcast.
type Signed struct {
	Bytes []byte
	Hash  string // EVM transaction hash or Solana signature, computed locally
}

// Transfer asks for one payment.
type Transfer struct {
	From, Recipient string
	Asset           catalog.Asset
	Amount          *big.Int // base units
}

// Call is one EVM contract call that a venue asks for.
type Call struct {
	To       string
	Data     []byte
	Value    *big.Int
	GasLimit uint64 // a venue's hint; 0 when it gave none
}

// Instruction is one Solana instruction that a venue asks for.
type Instruction struct {
	ProgramID string
	Accounts  []InstructionAccount
	Data      []byte
}

// InstructionAccount is one account of an Instruction.
type InstructionAccount struct {
	Address          string
	Signer, Writable bool
}

// Request is what a venue wants signed on one chain: Calls on an EVM chain (one
// transaction each, in order), or Instructions and lookup tables on Solana (one
// transaction).
type Request struct {
	From         string
	Calls        []Call
	Instructions []Instruction
	LookupTables []string
}

// Change is what a transaction does to an owner's balance of an asset.
type Change struct {
	Owner string
	Asset string   // asset address on that chain
	Delta *big.Int // negative leaves; the network fee is not counted, rent of new accounts is
}

// Phase is how far a broadcast transaction has come.
type Phase string

// The phases of a transaction. Unknown means that the node has not heard of it,
// which proves nothing.
const (
	PhaseUnknown    Phase = "unknown"
	PhasePending    Phase = "pending"
	PhaseIncluded   Phase = "included"   // in a block, not settled yet
	PhaseSettled    Phase = "settled"    // the chain's finality rule is met
	PhaseFailed     Phase = "failed"     // settled, and it reverted: only the fee was paid
	PhaseImpossible Phase = "impossible" // can provably never land: nonce used by another, or blockhash expired at a finalized height
)

// Lookup is what the chain says of a transaction.
type Lookup struct {
	Phase         Phase
	BlockNumber   uint64
	Confirmations uint64
	Fee           *big.Int // native base units actually paid; nil before inclusion
	Reason        string   // raw failure text, for the message table
}

// Adapter is one chain. Every method honours its context; a node that can't be
// reached gives a fault with code chain_unavailable.
type Adapter interface {
	Chain() catalog.Chain

	// ParseAddress gives the canonical form of an address a person or a venue
	// wrote (EIP-55, or base58), or fault invalid_address. A mixed-case EVM
	// address with a wrong checksum is refused.
	ParseAddress(text string) (string, error)

	// Balances reads the owner's balance of every asset in one call to the node.
	// The result is positional with assets.
	Balances(ctx context.Context, owner string, assets []catalog.Asset) ([]*big.Int, error)

	// BuildTransfer makes the unsigned transaction of a payment, fees filled in.
	BuildTransfer(ctx context.Context, t Transfer) (Unsigned, error)

	// MaximumTransfer is the largest amount of the asset that can be sent to the
	// recipient (who may be empty) once the worst fee and rent are kept back.
	MaximumTransfer(ctx context.Context, from, recipient string, asset catalog.Asset) (amount, fee, rent *big.Int, err error)

	// BuildRequest makes the unsigned transactions of a venue's request, nonces in
	// sequence.
	BuildRequest(ctx context.Context, r Request) ([]Unsigned, error)

	// Describe decodes unsigned bytes, independently of who built them, into the
	// facts that checks and screens need. Shapes it does not know are a fault
	// unsafe_transaction.
	Describe(ctx context.Context, unsigned []byte) (Description, error)

	// Simulate runs the transactions in order on the current state and reports the
	// sender's balance changes. ErrSimulationUnavailable when the node can't.
	Simulate(ctx context.Context, txs []Unsigned) ([]Change, error)

	// CheckSigned proves that signed is u, signed by u.From and nothing else, and
	// computes its hash. Otherwise fault signature_mismatch.
	CheckSigned(u Unsigned, signed []byte) (Signed, error)

	// Broadcast hands the bytes to the chain. Sending the same bytes again is
	// harmless; "already known" is success. An ambiguous answer is an error that
	// callers settle by Lookup, never by signing again.
	Broadcast(ctx context.Context, s Signed) error

	// Lookup says what became of the transaction.
	Lookup(ctx context.Context, u Unsigned, hash string) (Lookup, error)

	// Received is how much of the asset the transaction brought to the owner (or
	// took, negative), read from the chain's own record: exact, or an error. The
	// network fee is not counted, rent of new accounts is.
	Received(ctx context.Context, hash, owner string, asset catalog.Asset) (*big.Int, error)
}

// EffectKind names what a decoded transaction does.
type EffectKind string

// The kinds of effect. CreateAccount opens a Solana token account for Recipient,
// at the sender's expense.
const (
	EffectTransfer      EffectKind = "transfer"
	EffectApprove       EffectKind = "approve"
	EffectSwap          EffectKind = "swap"
	EffectDeposit       EffectKind = "deposit"
	EffectWrap          EffectKind = "wrap"
	EffectUnwrap        EffectKind = "unwrap"
	EffectCreateAccount EffectKind = "create_account"
)

// Effect is one thing that a decoded transaction does.
type Effect struct {
	Kind      EffectKind
	Asset     string   // asset address that moves or is approved
	Amount    *big.Int // what leaves, or the allowance
	Recipient string   // who receives; for deposits the depository
	Spender   string   // for approve
	Depositor string   // for deposits: whom a refund goes to
	// For swaps:
	AssetOut   string
	Via        string // the asset in between when two pools are used, else empty
	MinimumOut *big.Int
	Deadline   int64  // epoch seconds; 0 when the shape has none
	Contract   string // contract or program called
	RequestID  string // deposits: the venue's 32-byte id, 0x hex
}

// Description is what unsigned bytes say, decoded.
type Description struct {
	ChainID int64
	// From is the signer; empty on EVM chains, whose unsigned bytes name none.
	From       string
	MaximumFee *big.Int
	Effects    []Effect
}

// ErrSimulationUnavailable says that the node can't simulate, not that the
// transaction is bad.
var ErrSimulationUnavailable = errors.New("the node can't simulate transactions")
