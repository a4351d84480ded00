package portfolio_test

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"sync"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/appdb"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/portfolio"
)

// scripted is a chain that gives one unit of every asset, or fails on command.
type scripted struct {
	chain.Adapter
	mu    sync.Mutex
	calls int
	err   error
	short bool
}

func (s *scripted) Balances(_ context.Context, _ string, assets []catalog.Asset) ([]*big.Int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.err != nil {
		return nil, s.err
	}
	var amounts []*big.Int
	for _, a := range assets {
		amounts = append(amounts, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(a.Decimals)), nil))
	}
	if s.short {
		amounts = amounts[1:]
	}
	return amounts, nil
}

type all map[int64]*scripted

func (a all) Adapter(id int64) (chain.Adapter, bool) {
	c, ok := a[id]
	return c, ok
}

type addresses struct{ err error }

func (a addresses) AddressOn(context.Context, string, catalog.Chain) (string, error) {
	return "address", a.err
}

// prices knows ether at 2000.5 and USDC at 1.
type prices struct{}

func (prices) Of(context.Context, []catalog.Asset) map[string]*big.Rat {
	return map[string]*big.Rat{"ETH": big.NewRat(40010, 20), "USDC": big.NewRat(1, 1)}
}

type bench struct {
	chains  all
	service *portfolio.Service
	clock   time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	store, err := appdb.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bench{chains: all{}, clock: time.UnixMilli(1_800_000_000_000)}
	for _, c := range catalog.Chains() {
		b.chains[c.ID] = &scripted{}
	}
	b.service = portfolio.New(addresses{}, b.chains, prices{}, store, func() time.Time { return b.clock }, slog.New(slog.DiscardHandler))
	return b
}

func (b *bench) read(t *testing.T) portfolio.Portfolio {
	t.Helper()
	p, err := b.service.Of(t.Context(), "organization")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func chainOf(t *testing.T, p portfolio.Portfolio, id int64) portfolio.Chain {
	t.Helper()
	for _, c := range p.Chains {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("chain %d is missing", id)
	return portfolio.Chain{}
}

func TestValues(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.read(t)
	if len(p.Chains) != 10 {
		t.Errorf("%d chains", len(p.Chains))
	}
	want, assets := new(big.Rat), 0
	for _, c := range catalog.Chains() {
		for _, a := range c.Assets() {
			assets++
			switch a.PriceSymbol {
			case "ETH":
				want.Add(want, big.NewRat(40010, 20))
			case "USDC":
				want.Add(want, big.NewRat(1, 1))
			}
		}
		if b.chains[c.ID].calls != 1 {
			t.Errorf("%s was asked %d times", c.Name, b.chains[c.ID].calls)
		}
	}
	if len(p.Assets) != assets {
		t.Errorf("%d assets of %d", len(p.Assets), assets)
	}
	total, ok := new(big.Rat).SetString(p.TotalUSD)
	if !ok || total.Cmp(want) != 0 {
		t.Errorf("the total is %s, want %s", p.TotalUSD, want.FloatString(6))
	}
	for _, a := range p.Assets {
		switch a.Asset.PriceSymbol {
		case "ETH":
			if a.PriceUSD != "2000.5" || a.ValueUSD != "2000.5" {
				t.Errorf("%+v", a)
			}
		case "USDC":
		default:
			if a.PriceUSD != "" || a.ValueUSD != "" {
				t.Errorf("a price was invented: %+v", a)
			}
		}
	}
}

func TestFailingChainHidesNoOther(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*scripted){
		"down":           func(s *scripted) { s.err = fault.New(fault.ChainUnavailable, "Base can't be reached.") },
		"broken":         func(s *scripted) { s.err = errors.New("password=hunter2") },
		"wrong in shape": func(s *scripted) { s.short = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			fail(b.chains[8453])
			// Never read: nothing is known, and that is said.
			c := chainOf(t, b.read(t), 8453)
			if c.Status != portfolio.Unavailable || !c.AsOf.IsZero() || c.ValueUSD != "0" || c.Message == "" || c.Message == "password=hunter2" {
				t.Errorf("never read: %+v", c)
			}
			*b.chains[8453] = scripted{}
			before := b.read(t)
			fail(b.chains[8453])
			b.clock = b.clock.Add(time.Hour)
			after := b.read(t)
			c = chainOf(t, after, 8453)
			was := chainOf(t, before, 8453)
			if c.Status != portfolio.Unavailable || !c.AsOf.Equal(was.AsOf) || c.ValueUSD != was.ValueUSD {
				t.Errorf("last known %+v, shown %+v", was, c)
			}
			if after.TotalUSD != before.TotalUSD {
				t.Errorf("the total went from %s to %s", before.TotalUSD, after.TotalUSD)
			}
			if other := chainOf(t, after, 1); other.Status != portfolio.OK || !other.AsOf.Equal(b.clock) {
				t.Errorf("another chain is %+v", other)
			}
		})
	}
}
