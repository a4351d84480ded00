package portfolio

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"sync"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/price"
)

// readTimeout bounds the reading of one chain: a slow chain shows what was last
// known rather than holding up the others.
const readTimeout = 4 * time.Second

// Addresses finds a person's address on a chain.
type Addresses interface {
	AddressOn(ctx context.Context, organizationID string, c catalog.Chain) (string, error)
}

// Chains finds the adapter of a chain.
type Chains interface {
	Adapter(chainID int64) (chain.Adapter, bool)
}

// Prices answers prices by price symbol.
type Prices interface {
	Of(ctx context.Context, assets []catalog.Asset) map[string]*big.Rat
}

// Service reads portfolios.
type Service struct {
	addresses Addresses
	chains    Chains
	prices    Prices
	store     Store
	now       func() time.Time
	log       *slog.Logger
}

// New makes the service.
func New(addresses Addresses, chains Chains, prices Prices, store Store, now func() time.Time, log *slog.Logger) *Service {
	return &Service{addresses: addresses, chains: chains, prices: prices, store: store, now: now, log: log}
}

// attempt is the outcome of reading one chain.
type attempt struct {
	chain   catalog.Chain
	reading Reading
	err     error
}

// Of reads what a person holds: every chain at once, one call per chain. A chain
// that fails shows its last known balances. Faults are those of custody alone.
func (s *Service) Of(ctx context.Context, organizationID string) (Portfolio, error) {
	chains := catalog.Chains()
	owners := make([]string, len(chains))
	for i, c := range chains {
		owner, err := s.addresses.AddressOn(ctx, organizationID, c)
		if err != nil {
			return Portfolio{}, err
		}
		owners[i] = owner
	}
	var prices map[string]*big.Rat
	attempts := make([]attempt, len(chains))
	var wait sync.WaitGroup
	wait.Go(func() { prices = s.prices.Of(ctx, allAssets(chains)) })
	for i, c := range chains {
		wait.Go(func() { attempts[i] = s.read(ctx, c, owners[i]) })
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return Portfolio{}, err
	}
	known, err := s.remember(ctx, organizationID, attempts)
	if err != nil {
		return Portfolio{}, err
	}
	return s.assemble(attempts, known, prices), nil
}

func (s *Service) read(ctx context.Context, c catalog.Chain, owner string) attempt {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	a := attempt{chain: c}
	adapter, ok := s.chains.Adapter(c.ID)
	if !ok {
		a.err = fmt.Errorf("no adapter of chain %d", c.ID)
		return a
	}
	assets := c.Assets()
	amounts, err := adapter.Balances(ctx, owner, assets)
	if err == nil && len(amounts) != len(assets) {
		err = fmt.Errorf("%d balances for %d assets", len(amounts), len(assets))
	}
	if err != nil {
		a.err = err
		if errors.Is(err, context.Canceled) {
			return a // the person has left the page
		}
		s.log.WarnContext(ctx, "chain can't be read", slog.String("chain", c.Slug), slog.Any("error", err))
		return a
	}
	a.reading = Reading{ChainID: c.ID, AsOf: s.now(), Amounts: map[string]*big.Int{}}
	for i, asset := range assets {
		a.reading.Amounts[asset.Address] = amounts[i]
	}
	return a
}

// remember stores what was read and gives what is last known of every chain.
func (s *Service) remember(ctx context.Context, organizationID string, attempts []attempt) (map[int64]Reading, error) {
	var fresh []Reading
	failed := false
	for _, a := range attempts {
		if a.err != nil {
			failed = true
			continue
		}
		fresh = append(fresh, a.reading)
	}
	if err := s.store.PutBalances(ctx, organizationID, fresh); err != nil {
		return nil, fmt.Errorf("portfolio: store balances: %w", err)
	}
	known := map[int64]Reading{}
	if failed {
		stored, err := s.store.Balances(ctx, organizationID)
		if err != nil {
			return nil, fmt.Errorf("portfolio: last known balances: %w", err)
		}
		for _, r := range stored {
			known[r.ChainID] = r
		}
	}
	for _, r := range fresh {
		known[r.ChainID] = r
	}
	return known, nil
}

func (s *Service) assemble(attempts []attempt, known map[int64]Reading, prices map[string]*big.Rat) Portfolio {
	p := Portfolio{AsOf: s.now()}
	total := new(big.Rat)
	for _, a := range attempts {
		reading := known[a.chain.ID]
		view := Chain{ID: a.chain.ID, Status: OK, AsOf: reading.AsOf}
		if a.err != nil {
			view.Status, view.Message = Unavailable, messageOf(a)
		}
		sum := new(big.Rat)
		for _, asset := range a.chain.Assets() {
			holding := Asset{Asset: asset, Amount: new(big.Int)}
			if v := reading.Amounts[asset.Address]; v != nil {
				holding.Amount = v
			}
			if worth := prices[asset.PriceSymbol]; worth != nil {
				value := price.Value(holding.Amount, asset.Decimals, worth)
				holding.PriceUSD, holding.ValueUSD = price.Format(worth), price.Format(value)
				sum.Add(sum, value)
			}
			p.Assets = append(p.Assets, holding)
		}
		view.ValueUSD = price.Format(sum)
		total.Add(total, sum)
		p.Chains = append(p.Chains, view)
	}
	p.TotalUSD = price.Format(total)
	return p
}

func messageOf(a attempt) string {
	if f := fault.Of(a.err); f.Code == fault.ChainUnavailable {
		return f.Message
	}
	return a.chain.Name + " can't be read right now."
}

func allAssets(chains []catalog.Chain) []catalog.Asset {
	var all []catalog.Asset
	for _, c := range chains {
		all = append(all, c.Assets()...)
	}
	return all
}
