package movement

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
)

// Movement is a transfer or swap of one person.
type Movement struct {
	ID             string // UUIDv7
	OrganizationID string
	UserID         string
	Kind           Kind
	State          State
	// Version grows by one with every change; a change that was computed from an
	// older version is refused.
	Version int64

	Venue     string // empty for a transfer
	QuoteID   string // empty for a transfer
	RequestID string // the venue's id of the order; empty for a transfer

	From From
	To   To

	MaximumFee MaximumFee
	// Simulated tells whether the chain's simulation agreed before signing, or
	// could not be had.
	Simulated Simulation

	Steps    []Step
	Timeline []Moment
	Problem  *Problem
	Refund   *Refund // what came back on the origin chain, read from it

	// DeliveryHash is the transaction that delivered or refunded on another chain.
	DeliveryHash string
	// Indexed tells that the venue was told of the broadcast deposit.
	Indexed bool

	CreatedAt time.Time
	UpdatedAt time.Time
	// ExpiresAt ends the wait for a signature.
	ExpiresAt time.Time
	// ExpectedSeconds is the venue's estimate until delivery; 0 for a transfer.
	ExpectedSeconds int64
}

// From is what leaves, in base units.
type From struct {
	Asset  catalog.Asset
	Owner  string
	Amount *big.Int
}

// To is what arrives. Amount is nil until it has been read from the chain;
// Minimum is nil for a transfer.
type To struct {
	Asset     catalog.Asset
	Recipient string
	Amount    *big.Int
	Minimum   *big.Int
}

// Refund is what a venue gave back, in base units. The asset may be another one
// than what left.
type Refund struct {
	Asset  catalog.Asset
	Amount *big.Int
}

// MaximumFee bounds what the network can charge on the origin chain, in base
// units of its native coin. Rent is what new accounts lock up.
type MaximumFee struct {
	Amount *big.Int
	Rent   *big.Int
}

// Simulation is the outcome of the simulation before signing.
type Simulation string

// The outcomes. A simulation that disagrees makes no movement at all.
const (
	SimulationMatches     Simulation = "matches"
	SimulationUnavailable Simulation = "unavailable"
)

// Step is one transaction of a movement.
type Step struct {
	Index    int
	Kind     StepKind
	State    StepState
	Unsigned chain.Unsigned
	Signed   *chain.Signed // nil before the signature
	// BlockNumber is 0 before inclusion; FeePaid is nil until read from the chain.
	BlockNumber uint64
	FeePaid     *big.Int
}

// Moment is one entry of a movement's timeline.
type Moment struct {
	State State
	At    time.Time
}

// Problem says why a movement is not done and where the money is. Message is
// safe to show.
type Problem struct {
	Code       string
	Message    string
	FundsWhere string
}

// CrossChain tells whether a venue delivers on another chain.
func (m Movement) CrossChain() bool { return m.From.Asset.ChainID != m.To.Asset.ChainID }

// clone copies what a change may touch, so that the original stays what was read.
func (m Movement) clone() Movement {
	m.Steps = slices.Clone(m.Steps)
	m.Timeline = slices.Clone(m.Timeline)
	return m
}

// become moves the movement to the next state of the table. Staying in a state
// is not a move; a move that the table does not have is a programming error.
func (m *Movement) become(next State, at time.Time) error {
	if m.State == next {
		return nil
	}
	if !m.State.MayBecome(next) {
		return fmt.Errorf("movement %s may not go from %s to %s", m.ID, m.State, next)
	}
	m.State = next
	m.Timeline = append(m.Timeline, Moment{State: next, At: at})
	return nil
}

// lastStep is the step that moves the money; the ones before it prepare it.
func (m Movement) lastStep() *Step { return &m.Steps[len(m.Steps)-1] }
