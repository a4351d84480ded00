package quote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"tenfold/catalog"
	"tenfold/internal/amount"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// Messages for a person, of the specification's sections 5 and 8.
const (
	messageAsset     = "Please select an asset"
	messageAmount    = "Please enter a valid amount"
	messageSame      = "Please select different tokens"
	messageBalance   = "Insufficient balance"
	messageNoQuote   = "No valid swap route found. Please try again with different tokens."
	messageBadAnswer = "The venue's answer can't be used. Nothing was sent. Please try again."
)

// Addresses finds a person's address on a chain.
type Addresses interface {
	AddressOn(ctx context.Context, organizationID string, c catalog.Chain) (string, error)
}

// Chains finds the adapter of a chain.
type Chains interface {
	Adapter(chainID int64) (chain.Adapter, bool)
}

// Service asks the venues for offers and stores them.
type Service struct {
	venues    []Venue
	addresses Addresses
	chains    Chains
	store     Store
	limits    limits
	now       func() time.Time
	log       *slog.Logger
}

type limits struct {
	deadline    time.Duration
	valid       time.Duration
	slippageBps int64
}

// NewService makes the service.
func NewService(venues []Venue, addresses Addresses, chains Chains, store Store, now func() time.Time, log *slog.Logger) *Service {
	q := catalog.CurrentLimits().Quote
	return &Service{
		venues: venues, addresses: addresses, chains: chains, store: store, now: now, log: log,
		limits: limits{
			deadline: time.Duration(q.DeadlineMs) * time.Millisecond, valid: time.Duration(q.ValidMs) * time.Millisecond,
			slippageBps: q.SlippageBps,
		},
	}
}

// Venue finds an enabled venue by its catalog id.
func (s *Service) Venue(name string) (Venue, bool) {
	for _, v := range s.venues {
		if v.Name() == name {
			return v, true
		}
	}
	return nil, false
}

// Ask checks the request, asks every venue at once and stores the offers, best
// first: the one with the most that arrives at least. The recipient is always
// the person's own address. Faults: unsupported_chain, unsupported_asset,
// invalid_amount, amount_zero, same_asset, insufficient_balance,
// chain_unavailable, and the venues' own when none offers.
func (s *Service) Ask(ctx context.Context, organizationID string, r Request) ([]Stored, error) {
	ask, err := s.check(ctx, organizationID, r)
	if err != nil {
		return nil, err
	}
	offers, err := s.askAll(ctx, ask)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(offers, func(a, b Offer) int { return b.MinimumOut.Cmp(a.MinimumOut) })
	return s.keep(ctx, organizationID, offers)
}

func (s *Service) check(ctx context.Context, organizationID string, r Request) (Ask, error) {
	from, err := assetOf(r.FromChainID, r.FromAsset)
	if err != nil {
		return Ask{}, err
	}
	to, err := assetOf(r.ToChainID, r.ToAsset)
	if err != nil {
		return Ask{}, err
	}
	if from.ChainID == to.ChainID && from.Address == to.Address {
		return Ask{}, fault.New(fault.SameAsset, messageSame)
	}
	give, err := amount.FromBaseUnits(r.Amount)
	if err != nil {
		return Ask{}, fault.Wrap(fault.InvalidAmount, messageAmount, err)
	}
	if give.Sign() == 0 {
		return Ask{}, fault.New(fault.AmountZero, messageAmount)
	}
	ask := Ask{From: from, To: to, Amount: give, SlippageBps: s.limits.slippageBps}
	if ask.User, err = s.ownAddress(ctx, organizationID, from.ChainID); err != nil {
		return Ask{}, err
	}
	if ask.Recipient, err = s.ownAddress(ctx, organizationID, to.ChainID); err != nil {
		return Ask{}, err
	}
	return ask, s.checkBalance(ctx, ask)
}

func assetOf(chainID int64, address string) (catalog.Asset, error) {
	c, ok := catalog.ChainByID(chainID)
	if !ok {
		return catalog.Asset{}, fault.New(fault.UnsupportedChain, messageAsset)
	}
	asset, ok := c.AssetAt(address)
	if !ok {
		return catalog.Asset{}, fault.New(fault.UnsupportedAsset, messageAsset)
	}
	return asset, nil
}

func (s *Service) ownAddress(ctx context.Context, organizationID string, chainID int64) (string, error) {
	c, _ := catalog.ChainByID(chainID)
	return s.addresses.AddressOn(ctx, organizationID, c)
}

func (s *Service) checkBalance(ctx context.Context, ask Ask) error {
	adapter, ok := s.chains.Adapter(ask.From.ChainID)
	if !ok {
		return fmt.Errorf("quote: no adapter of chain %d", ask.From.ChainID)
	}
	held, err := adapter.Balances(ctx, ask.User, []catalog.Asset{ask.From})
	if err != nil {
		return err
	}
	if held[0].Cmp(ask.Amount) < 0 {
		return fault.New(fault.InsufficientBalance, messageBalance)
	}
	return nil
}

// askAll gives the usable offers, or the failure that says most when there is none.
func (s *Service) askAll(ctx context.Context, ask Ask) ([]Offer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.deadline)
	defer cancel()
	offers := make([]Offer, len(s.venues))
	failures := make([]error, len(s.venues))
	var wait sync.WaitGroup
	for i, v := range s.venues {
		wait.Go(func() {
			offers[i], failures[i] = v.Quote(ctx, ask)
			if failures[i] == nil {
				failures[i] = usable(offers[i], ask)
			}
		})
	}
	wait.Wait()
	var good []Offer
	for i, v := range s.venues {
		if failures[i] != nil {
			s.log.InfoContext(ctx, "venue has no offer", slog.String("venue", v.Name()), slog.Any("error", failures[i]))
			continue
		}
		good = append(good, offers[i])
	}
	if len(good) > 0 {
		return good, nil
	}
	return nil, mostTelling(failures)
}

// usable refuses an offer that is not an answer to the question.
func usable(o Offer, ask Ask) error {
	positive := func(v *big.Int) bool { return v != nil && v.Sign() > 0 }
	same := o.Ask.From == ask.From && o.Ask.To == ask.To && o.Ask.User == ask.User && o.Ask.Recipient == ask.Recipient
	switch {
	case !same, !positive(o.AmountIn), o.AmountIn.Cmp(ask.Amount) != 0:
		return fault.Wrap(fault.VenueUnavailable, messageBadAnswer, errors.New("the offer is for something else"))
	case !positive(o.AmountOut), !positive(o.MinimumOut), o.MinimumOut.Cmp(o.AmountOut) > 0:
		return fault.Wrap(fault.VenueUnavailable, messageBadAnswer, errors.New("the offer's amounts make no sense"))
	case len(o.Steps) == 0:
		return fault.Wrap(fault.VenueUnavailable, messageBadAnswer, errors.New("the offer has no steps"))
	}
	return nil
}

// mostTelling prefers what a person can act on to what he can only wait for.
func mostTelling(failures []error) error {
	for _, err := range failures {
		switch fault.CodeOf(err) {
		case fault.VenueUnavailable, fault.RateLimited, fault.Internal:
		default:
			return err
		}
	}
	if len(failures) == 0 {
		return fault.New(fault.NoRoute, messageNoQuote)
	}
	return failures[0]
}

// keep stores the offers with their identity, expiry and digest.
func (s *Service) keep(ctx context.Context, organizationID string, offers []Offer) ([]Stored, error) {
	now := s.now()
	stored := make([]Stored, len(offers))
	for i, o := range offers {
		id, err := uuid.NewV7()
		if err != nil {
			return nil, fmt.Errorf("quote: new id: %w", err)
		}
		stored[i] = Stored{
			ID: id.String(), OrganizationID: organizationID, Offer: o,
			CreatedAt: now.Truncate(time.Millisecond), ExpiresAt: now.Truncate(time.Millisecond).Add(s.limits.valid),
		}
		if stored[i].Digest, err = digest(stored[i]); err != nil {
			return nil, err
		}
	}
	if err := s.store.DeleteQuotesBefore(ctx, now.Add(-keepExpired)); err != nil {
		return nil, fmt.Errorf("quote: clear old: %w", err)
	}
	if err := s.store.InsertQuotes(ctx, stored); err != nil {
		return nil, fmt.Errorf("quote: store: %w", err)
	}
	return stored, nil
}

// keepExpired is how long an expired offer is still told apart from one that
// never was.
const keepExpired = time.Hour
