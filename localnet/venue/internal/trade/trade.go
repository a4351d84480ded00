// Package trade is the vocabulary that the venue's chains and its solver share:
// what a user trades, what was deposited, and what the solver pays. It is data;
// it talks to no node and keeps nothing.
//
// Layer: part of the local network's venue.
package trade

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/pricing"
)

// The operations of a quote, as the API names them.
const (
	Swap   = "swap"
	Wrap   = "wrap"
	Unwrap = "unwrap"
	Send   = "send"
	Bridge = "bridge"
)

// RequestID ties a quote, its deposit and its fill together.
type RequestID [32]byte

// String is the id as the API writes it: 0x and 64 hex digits.
func (id RequestID) String() string { return "0x" + hex.EncodeToString(id[:]) }

// ParseRequestID reads an id as String writes it.
func ParseRequestID(text string) (RequestID, error) {
	var id RequestID
	digits, ok := strings.CutPrefix(text, "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) != len(id) {
		return id, fmt.Errorf("%q is not a request id", text)
	}
	copy(id[:], raw)
	return id, nil
}

// Trade is what a quote promises, ready to be made into transactions. Addresses
// are canonical: EIP-55 on EVM chains, base58 on Solana.
type Trade struct {
	ID         RequestID
	Operation  string
	User       string // signs, on the chain of In
	Recipient  string // receives, on the chain of Out
	In, Out    catalog.Asset
	AmountIn   *big.Int
	AmountOut  *big.Int
	MinimumOut *big.Int
	Route      pricing.Route // same-chain swaps only
	Deadline   int64         // epoch seconds, where the chain knows deadlines
}

// Deposit is a payment into a depository, as its chain reports it.
type Deposit struct {
	ChainID   int64
	Hash      string // transaction
	Position  int    // of the event in its block or transaction
	ID        RequestID
	Depositor string
	Asset     string // canonical address; the chain's placeholder for native coin
	Amount    *big.Int
}

// The ways in which the solver pays.
const (
	// FromInventory sends what the solver holds.
	FromInventory = "inventory"
	// ThroughPools buys Asset with the solver's USDC, for the recipient.
	ThroughPools = "pools"
	// FromDepository takes a deposit out again, for a refund.
	FromDepository = "depository"
)

// Payment is one payout of the solver.
type Payment struct {
	ID     RequestID
	Method string
	To     string
	Asset  catalog.Asset
	Amount *big.Int // what arrives; with ThroughPools what is expected to
	// With ThroughPools: how much USDC is spent, and the least that may arrive.
	Spend   *big.Int
	Minimum *big.Int
}

// Signed is a payment as it is stored before it is broadcast.
type Signed struct {
	Bytes []byte
	Hash  string
	// Nonce is the EVM account nonce; zero on Solana.
	Nonce uint64
	// LastValidBlockHeight ends a Solana transaction's life; zero on EVM chains.
	LastValidBlockHeight uint64
}

// Outcome is what a chain says of a broadcast transaction.
type Outcome string

// The outcomes. Impossible means that the transaction can provably never land.
const (
	Pending    Outcome = "pending"
	Succeeded  Outcome = "succeeded"
	Reverted   Outcome = "reverted"
	Impossible Outcome = "impossible"
)

// ErrCannotPay says that a payment would fail on its chain: the recipient
// refuses it, or the pools pay less than the minimum.
var ErrCannotPay = errors.New("the payment would fail")

var (
	// ErrTransactionTooLarge says that a transaction would not fit its network.
	ErrTransactionTooLarge = errors.New("the transaction is too large for its network")
	// ErrBelowRent says that an amount would not keep a new account alive.
	ErrBelowRent = errors.New("the amount is below what keeps the recipient's account alive")
	// ErrAmountTooLarge says that an amount does not fit the chain's numbers.
	ErrAmountTooLarge = errors.New("the amount does not fit the chain's numbers")
)
