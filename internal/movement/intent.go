package movement

import (
	"context"
	"math/big"
	"time"

	"tenfold/internal/chain"
)

// Idempotency names one attempt of a person to do one thing. The same key with
// the same body gives the same movement; with another body it is refused.
type Idempotency struct {
	Key      string
	BodyHash string // hex sha256 over operation and body
}

// Intent asks for a movement.
type Intent struct {
	OrganizationID string
	UserID         string
	Idempotency    Idempotency
}

// Build prepares the draft of a movement. It runs only when the intent is new.
type Build func(ctx context.Context) (Draft, error)

// Draft is a checked movement before it has an identity: transactions built,
// decoded, simulated and found to be what was asked.
type Draft struct {
	Kind            Kind
	Venue           string
	QuoteID         string
	RequestID       string
	From            From
	To              To
	Simulated       Simulation
	Steps           []DraftStep
	ExpiresAt       time.Time
	ExpectedSeconds int64
}

// DraftStep is one transaction to sign.
type DraftStep struct {
	Kind     StepKind
	Unsigned chain.Unsigned
}

// Signature is the signed form of one step, as raw bytes.
type Signature struct {
	Step              int
	SignedTransaction []byte
}

// Confirmation brings the signatures of all steps of a movement.
type Confirmation struct {
	OrganizationID string
	MovementID     string
	Idempotency    Idempotency
	Signatures     []Signature
}

// Cancellation gives up a movement that is not signed.
type Cancellation struct {
	OrganizationID string
	MovementID     string
}

// Page asks for movements, newest first: at most Limit, older than the movement
// Before (an id; empty for the newest).
type Page struct {
	Limit  int
	Before string
}

// maximumFee adds up the most that the steps can cost.
func (d Draft) maximumFee() MaximumFee {
	sum := MaximumFee{Amount: new(big.Int), Rent: new(big.Int)}
	for _, s := range d.Steps {
		if s.Unsigned.MaximumFee != nil {
			sum.Amount.Add(sum.Amount, s.Unsigned.MaximumFee)
		}
		if s.Unsigned.Rent != nil {
			sum.Rent.Add(sum.Rent, s.Unsigned.Rent)
		}
	}
	return sum
}
