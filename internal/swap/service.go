package swap

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
	"tenfold/internal/quote"
)

const messageBalance = "Insufficient balance" // specification, section 8

// Quotes finds an accepted quote again.
type Quotes interface {
	Accept(ctx context.Context, organizationID, id, digest string) (quote.Stored, error)
}

// Chains finds the adapter of a chain.
type Chains interface {
	Adapter(chainID int64) (chain.Adapter, bool)
}

// Service prepares the transactions of an accepted quote.
type Service struct {
	quotes Quotes
	chains Chains
	now    func() time.Time
}

// New makes the service.
func New(quotes Quotes, chains Chains, now func() time.Time) *Service {
	return &Service{quotes: quotes, chains: chains, now: now}
}

// Draft builds the quote's transactions, decodes the very bytes and lets them
// through only when they carry out the quote and nothing else, and when their
// simulation agrees. Faults: quote_not_found, quote_altered, quote_expired,
// insufficient_balance, unsafe_transaction, simulation_failed, chain_unavailable.
func (s *Service) Draft(ctx context.Context, organizationID string, r Request) (movement.Draft, error) {
	stored, err := s.quotes.Accept(ctx, organizationID, r.QuoteID, r.Digest)
	if err != nil {
		return movement.Draft{}, err
	}
	offer := stored.Offer
	adapter, ok := s.chains.Adapter(offer.Ask.From.ChainID)
	if !ok {
		return movement.Draft{}, fmt.Errorf("swap: no adapter of chain %d", offer.Ask.From.ChainID)
	}
	held, err := adapter.Balances(ctx, offer.Ask.User, []catalog.Asset{offer.Ask.From})
	if err != nil {
		return movement.Draft{}, err
	}
	if held[0].Cmp(offer.AmountIn) < 0 {
		return movement.Draft{}, fault.New(fault.InsufficientBalance, messageBalance)
	}
	unsigned, err := adapter.BuildRequest(ctx, offer.Request)
	if err != nil {
		return movement.Draft{}, err
	}
	if err := s.verify(ctx, adapter, offer, unsigned); err != nil {
		return movement.Draft{}, err
	}
	simulated, err := simulate(ctx, adapter, offer, unsigned)
	if err != nil {
		return movement.Draft{}, err
	}
	return draft(stored, unsigned, simulated), nil
}

// verify decodes the bytes, independently of who built them, and compares them
// with the offer.
func (s *Service) verify(ctx context.Context, adapter chain.Adapter, offer quote.Offer, unsigned []chain.Unsigned) error {
	descriptions := make([]chain.Description, len(unsigned))
	for i, u := range unsigned {
		if u.From != offer.Ask.User {
			return fault.Wrap(fault.UnsafeTransaction, "Missing required data, aborting swap", fmt.Errorf("%s would sign", u.From))
		}
		d, err := adapter.Describe(ctx, u.Bytes)
		if err != nil {
			return err
		}
		descriptions[i] = d
	}
	return quote.Verify(offer, descriptions, s.now())
}

func simulate(ctx context.Context, adapter chain.Adapter, offer quote.Offer, unsigned []chain.Unsigned) (movement.Simulation, error) {
	changes, err := adapter.Simulate(ctx, unsigned)
	if errors.Is(err, chain.ErrSimulationUnavailable) {
		return movement.SimulationUnavailable, nil
	}
	if err != nil {
		return "", err
	}
	if err := quote.VerifyChanges(offer, changes, rentOf(unsigned)); err != nil {
		return "", err
	}
	return movement.SimulationMatches, nil
}

func rentOf(unsigned []chain.Unsigned) *big.Int {
	rent := new(big.Int)
	for _, u := range unsigned {
		if u.Rent != nil {
			rent.Add(rent, u.Rent)
		}
	}
	return rent
}

func draft(stored quote.Stored, unsigned []chain.Unsigned, simulated movement.Simulation) movement.Draft {
	offer := stored.Offer
	d := movement.Draft{
		Kind: movement.KindSwap, Venue: offer.Venue, QuoteID: stored.ID, RequestID: offer.RequestID,
		From:      movement.From{Asset: offer.Ask.From, Owner: offer.Ask.User, Amount: offer.AmountIn},
		To:        movement.To{Asset: offer.Ask.To, Recipient: offer.Ask.Recipient, Minimum: offer.MinimumOut},
		Simulated: simulated, ExpiresAt: stored.ExpiresAt, ExpectedSeconds: offer.TimeSeconds,
	}
	for i, u := range unsigned {
		d.Steps = append(d.Steps, movement.DraftStep{Kind: movement.StepKind(offer.Steps[i].Kind), Unsigned: u})
	}
	return d
}
