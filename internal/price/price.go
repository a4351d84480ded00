// Package price owns what assets are worth in US dollars: it asks a venue's
// price endpoint and remembers the answer for a moment. Prices are exact
// fractions; nothing here is a float. It must never invent a price: an unknown
// one is unknown.
//
// Layer: domain.
package price

import (
	"context"
	"fmt"
	"log/slog"
	"math/big"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"tenfold/catalog"
)

// askTimeout bounds one question to the source.
const askTimeout = 2500 * time.Millisecond

// maxPriceText bounds what is parsed of a source's answer, so that an exponent
// or a long fraction can't cost memory.
const maxPriceText = 64

// Source gives prices: decimal strings of US dollars per whole unit.
type Source interface {
	Price(ctx context.Context, asset catalog.Asset) (string, error)
}

// Service answers prices.
type Service struct {
	source Source
	fresh  *otter.Cache[string, *big.Rat]
	log    *slog.Logger
}

// New makes the service.
func New(source Source, log *slog.Logger) (*Service, error) {
	fresh, err := otter.New(&otter.Options[string, *big.Rat]{
		MaximumSize:      1000,
		ExpiryCalculator: otter.ExpiryWriting[string, *big.Rat](time.Duration(catalog.CurrentLimits().Price.FreshMs) * time.Millisecond),
	})
	if err != nil {
		return nil, fmt.Errorf("price: cache: %w", err)
	}
	return &Service{source: source, fresh: fresh, log: log}, nil
}

// Of answers the prices of the assets, all asked at once. An asset whose price
// is not known is missing from the answer. Assets of equal value (a coin and
// its wrapped token, a stable on every chain) are asked once.
func (s *Service) Of(ctx context.Context, assets []catalog.Asset) map[string]*big.Rat {
	samples := map[string]catalog.Asset{}
	for _, a := range assets {
		if _, seen := samples[a.PriceSymbol]; !seen {
			samples[a.PriceSymbol] = a
		}
	}
	var (
		wait   sync.WaitGroup
		mu     sync.Mutex
		prices = map[string]*big.Rat{}
	)
	for symbol, sample := range samples {
		wait.Go(func() {
			p, err := s.fresh.Get(ctx, symbol, s.loader(sample))
			if err != nil {
				s.log.DebugContext(ctx, "price unknown", slog.String("symbol", symbol), slog.Any("error", err))
				return
			}
			mu.Lock()
			defer mu.Unlock()
			prices[symbol] = p
		})
	}
	wait.Wait()
	return prices
}

// loader asks the source. Several callers share one question, so it must not
// end with the first caller's request.
func (s *Service) loader(sample catalog.Asset) otter.Loader[string, *big.Rat] {
	return otter.LoaderFunc[string, *big.Rat](func(ctx context.Context, _ string) (*big.Rat, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
		defer cancel()
		text, err := s.source.Price(ctx, sample)
		if err != nil {
			return nil, err
		}
		return Parse(text)
	})
}

// Parse reads a plain decimal such as "3000.25". Signs, exponents and fractions
// are refused.
func Parse(text string) (*big.Rat, error) {
	if text == "" || len(text) > maxPriceText {
		return nil, fmt.Errorf("price %.20q is not a decimal", text)
	}
	points := 0
	for _, c := range text {
		switch {
		case c == '.':
			points++
		case c < '0' || c > '9':
			return nil, fmt.Errorf("price %q is not a decimal", text)
		}
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok || points > 1 {
		return nil, fmt.Errorf("price %q is not a decimal", text)
	}
	return v, nil
}

// Value is what base units of an asset are worth.
func Value(baseUnits *big.Int, decimals int, price *big.Rat) *big.Rat {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Rat).Mul(new(big.Rat).SetFrac(baseUnits, unit), price)
}
