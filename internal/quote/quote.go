// Package quote owns what a venue may offer, in the product's own words: the
// ask, the offer, its fees and steps, and how far its delivery has come. It
// also owns Verify, the check of decoded transactions against the offer. It is
// a domain: it knows no venue's dialect (those live in internal/quote/venue)
// and must never trust a transaction that it has not seen decoded.
package quote

import (
	"context"
	"math/big"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
)

// Ask is what a person wants: to give exactly Amount of From and to get To.
// From and To may lie on one chain or on two.
type Ask struct {
	From, To  catalog.Asset
	Amount    *big.Int // base units of From
	User      string   // canonical address that gives, on From's chain
	Recipient string   // canonical address that gets, on To's chain
	// SlippageBps is how much less than AmountOut is still accepted, in
	// hundredths of a percent.
	SlippageBps int64
}

// CrossChain tells whether a venue must deliver on another chain.
func (a Ask) CrossChain() bool { return a.From.ChainID != a.To.ChainID }

// Offer is a venue's answer to an Ask, normalised. Everything in it is the
// venue's claim: Verify checks the transactions against it before any is signed.
type Offer struct {
	Venue     string // catalog venue id, "relay"
	RequestID string // the venue's id of the order: 32 bytes, 0x hex, lower case
	Ask       Ask

	AmountIn   *big.Int // base units of Ask.From; equals Ask.Amount
	AmountOut  *big.Int // expected, base units of Ask.To
	MinimumOut *big.Int // least that arrives, base units of Ask.To

	// USD values are plain decimal strings, empty when the venue gave none.
	AmountInUSD, AmountOutUSD string
	FeesUSD                   string
	// PriceImpactPercent is signed, negative is a loss; empty when not given.
	PriceImpactPercent string

	Fees        []Fee
	TimeSeconds int64 // the venue's estimate until the amount has arrived

	// Steps say what each transaction of Request is for, in order: one per Call
	// on an EVM chain, exactly one on Solana.
	Steps   []Step
	Request chain.Request

	QuotedAt time.Time
}

// FeeKind says who takes a fee.
type FeeKind string

// Network fees are paid to the chain on top of the amount; venue fees are
// already taken out of AmountOut.
const (
	FeeNetwork FeeKind = "network"
	FeeVenue   FeeKind = "venue"
)

// Fee is one cost of an offer.
type Fee struct {
	Kind   FeeKind
	Asset  catalog.Asset
	Amount *big.Int // base units
	USD    string   // decimal, empty when unknown
}

// StepKind is the glossary's word for what one transaction does.
type StepKind string

// The kinds of step that an offer may have. Wrapping and unwrapping the native
// coin and same-chain exchange are all swaps.
const (
	StepApprove StepKind = "approve"
	StepSwap    StepKind = "swap"
	StepDeposit StepKind = "deposit"
)

// Step is one transaction of an offer.
type Step struct {
	Kind    StepKind
	ChainID int64
}

// State is how far a venue says an order has come.
type State string

// The states of an order. Success, Failure and Refund are final; any word of a
// venue's that is not known here counts as Pending.
const (
	Waiting   State = "waiting"   // no deposit seen
	Pending   State = "pending"   // deposit seen
	Submitted State = "submitted" // delivery broadcast
	Success   State = "success"
	Failure   State = "failure"
	Refund    State = "refund"
)

// Final tells whether nothing more will happen to the order.
func (s State) Final() bool { return s == Success || s == Failure || s == Refund }

// Status is what a venue says of an order. It is a claim too: amounts that
// arrived are read from the chains.
type Status struct {
	State     State
	InHashes  []string // transactions on the origin chain
	OutHashes []string // transactions that deliver or refund
	// FailReason is the venue's code, empty when nothing failed.
	FailReason       string
	RefundFailReason string
	UpdatedAt        time.Time
}

// Venue is a swap or bridge provider. Errors are faults: no_route,
// amount_too_low, liquidity_exceeded, invalid_address, insufficient_balance,
// rate_limited, or venue_unavailable when it can't be reached or understood.
type Venue interface {
	// Name is the venue's id in the catalog.
	Name() string
	// Quote asks for an offer. It changes nothing.
	Quote(ctx context.Context, ask Ask) (Offer, error)
	// Index tells the venue of a broadcast transaction that belongs to an order,
	// so that it need not wait to find it. Repeating it is harmless.
	Index(ctx context.Context, chainID int64, hash, requestID string) error
	// Status asks how far an order has come.
	Status(ctx context.Context, requestID string) (Status, error)
	// Price is the asset's value in US dollars per whole unit, a decimal string.
	Price(ctx context.Context, asset catalog.Asset) (string, error)
}
