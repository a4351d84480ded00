package quote_test

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/appdb"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/quote"
	"tenfold/internal/sqldb"
)

// holdings is a chain of which only balances are asked.
type holdings struct {
	chain.Adapter
	amount *big.Int
	err    error
}

func (h holdings) Balances(context.Context, string, []catalog.Asset) ([]*big.Int, error) {
	return []*big.Int{h.amount}, h.err
}

// everywhere has the same holdings on every chain.
type everywhere struct{ holdings holdings }

func (e everywhere) Adapter(int64) (chain.Adapter, bool) { return e.holdings, true }

type ownAddresses struct{}

func (ownAddresses) AddressOn(_ context.Context, organizationID string, c catalog.Chain) (string, error) {
	return organizationID + " on " + c.Slug, nil
}

// offering is a venue that answers what a test wants.
type offering struct {
	quote.Venue
	name   string
	answer func(quote.Ask) (quote.Offer, error)
}

func (v offering) Name() string { return v.name }

func (v offering) Quote(_ context.Context, ask quote.Ask) (quote.Offer, error) { return v.answer(ask) }

func asset(t *testing.T, chainID int64, symbol string) catalog.Asset {
	t.Helper()
	c, _ := catalog.ChainByID(chainID)
	for _, a := range c.Assets() {
		if a.Symbol == symbol {
			return a
		}
	}
	t.Fatalf("no %s on %d", symbol, chainID)
	return catalog.Asset{}
}

// honest offers so much with all the parts that a real offer has.
func honest(minimum int64) func(quote.Ask) (quote.Offer, error) {
	return func(ask quote.Ask) (quote.Offer, error) {
		return quote.Offer{
			Venue: "relay", RequestID: "0x01", Ask: ask,
			AmountIn: ask.Amount, AmountOut: big.NewInt(minimum + 5), MinimumOut: big.NewInt(minimum), FeesUSD: "0.5",
			Fees:  []quote.Fee{{Kind: quote.FeeVenue, Asset: ask.To, Amount: big.NewInt(3), USD: "0.5"}},
			Steps: []quote.Step{{Kind: quote.StepSwap, ChainID: ask.From.ChainID}},
			Request: chain.Request{From: ask.User, Calls: []chain.Call{{
				To: "0x01", Data: []byte{1, 2}, Value: new(big.Int).Lsh(big.NewInt(1), 200), GasLimit: 5,
			}}},
			QuotedAt: time.Now(), TimeSeconds: 3,
		}, nil
	}
}

type bench struct {
	service *quote.Service
	folder  string
	clock   time.Time
}

func newBench(t *testing.T, balance holdings, venues ...quote.Venue) *bench {
	t.Helper()
	b := &bench{folder: t.TempDir(), clock: time.UnixMilli(1_800_000_000_123)}
	store, err := appdb.Open(t.Context(), b.folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	b.service = quote.NewService(venues, ownAddresses{}, everywhere{balance}, store, func() time.Time { return b.clock }, slog.New(slog.DiscardHandler))
	return b
}

func (b *bench) ask(t *testing.T, amount string) ([]quote.Stored, error) {
	t.Helper()
	from, to := asset(t, 8453, "ETH"), asset(t, catalog.SolanaChainID, "USDC")
	return b.service.Ask(t.Context(), "organization", quote.Request{
		FromChainID: from.ChainID, FromAsset: from.Address, ToChainID: to.ChainID, ToAsset: to.Address, Amount: amount,
	})
}

var rich = holdings{amount: big.NewInt(1_000_000)}

func TestBestOfferFirstAndOwnRecipient(t *testing.T) {
	t.Parallel()
	b := newBench(t, rich, offering{name: "a", answer: honest(10)}, offering{name: "b", answer: honest(20)})
	offers, err := b.ask(t, "1000")
	if err != nil {
		t.Fatal(err)
	}
	if len(offers) != 2 || offers[0].Offer.MinimumOut.Int64() != 20 {
		t.Errorf("the offers are %+v", offers)
	}
	ask := offers[0].Offer.Ask
	if ask.User != "organization on base" || ask.Recipient != "organization on solana" || ask.SlippageBps != catalog.CurrentLimits().Quote.SlippageBps {
		t.Errorf("asked for %+v", ask)
	}
}

func TestAcceptance(t *testing.T) {
	t.Parallel()
	b := newBench(t, rich, offering{name: "a", answer: honest(10)})
	offers, err := b.ask(t, "1000")
	if err != nil {
		t.Fatal(err)
	}
	q := offers[0]
	accepted, err := b.service.Accept(t.Context(), "organization", q.ID, q.Digest)
	if err != nil {
		t.Fatal(err)
	}
	if accepted.Offer.Request.Calls[0].Value.Cmp(q.Offer.Request.Calls[0].Value) != 0 || accepted.Offer.Ask.From != q.Offer.Ask.From {
		t.Errorf("the stored offer is %+v, made was %+v", accepted.Offer, q.Offer)
	}
	for name, c := range map[string]struct {
		organization, id, digest string
		code                     fault.Code
	}{
		"missing":            {"organization", "nothing", q.Digest, fault.QuoteNotFound},
		"another person's":   {"another", q.ID, q.Digest, fault.QuoteNotFound},
		"altered":            {"organization", q.ID, q.Digest[1:] + "0", fault.QuoteAltered},
		"without its digest": {"organization", q.ID, "", fault.QuoteAltered},
	} {
		if _, err := b.service.Accept(t.Context(), c.organization, c.id, c.digest); fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	b.clock = b.clock.Add(29_999 * time.Millisecond)
	if _, err := b.service.Accept(t.Context(), "organization", q.ID, q.Digest); err != nil {
		t.Errorf("just before its end: %v", err)
	}
	b.clock = b.clock.Add(time.Millisecond)
	if _, err := b.service.Accept(t.Context(), "organization", q.ID, q.Digest); fault.CodeOf(err) != fault.QuoteExpired {
		t.Errorf("at its end: %v", err)
	}
}

// TestEditedRow changes the stored offer behind the server's back.
func TestEditedRow(t *testing.T) {
	t.Parallel()
	b := newBench(t, rich, offering{name: "a", answer: honest(10)})
	offers, err := b.ask(t, "1000")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqldb.Open(t.Context(), filepath.Join(b.folder, appdb.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	err = db.Write(t.Context(), func(tx sqldb.DBTX) error {
		tag, err := tx.Exec(t.Context(), `UPDATE quotes SET offer = replace(offer, '"MinimumOut":10', '"MinimumOut":9')`)
		if err == nil && tag.RowsAffected() != 1 {
			return errors.New("nothing was changed")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.service.Accept(t.Context(), "organization", offers[0].ID, offers[0].Digest); fault.CodeOf(err) != fault.QuoteAltered {
		t.Errorf("the edited offer: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	refuse := func(code fault.Code) func(quote.Ask) (quote.Offer, error) {
		return func(quote.Ask) (quote.Offer, error) { return quote.Offer{}, fault.New(code, "no") }
	}
	bent := func(bend func(*quote.Offer)) func(quote.Ask) (quote.Offer, error) {
		return func(ask quote.Ask) (quote.Offer, error) {
			o, _ := honest(10)(ask)
			bend(&o)
			return o, nil
		}
	}
	for name, c := range map[string]struct {
		amount  string
		balance holdings
		answer  func(quote.Ask) (quote.Offer, error)
		code    fault.Code
	}{
		"zero":               {"0", rich, honest(10), fault.AmountZero},
		"negative":           {"-1", rich, honest(10), fault.InvalidAmount},
		"decimals":           {"0.1", rich, honest(10), fault.InvalidAmount},
		"above the balance":  {"1000001", rich, honest(10), fault.InsufficientBalance},
		"node down":          {"1000", holdings{err: fault.New(fault.ChainUnavailable, "down")}, honest(10), fault.ChainUnavailable},
		"venue down":         {"1000", rich, refuse(fault.VenueUnavailable), fault.VenueUnavailable},
		"no route":           {"1000", rich, refuse(fault.NoRoute), fault.NoRoute},
		"pays another":       {"1000", rich, bent(func(o *quote.Offer) { o.Ask.Recipient = "thief" }), fault.VenueUnavailable},
		"takes more":         {"1000", rich, bent(func(o *quote.Offer) { o.AmountIn = big.NewInt(1001) }), fault.VenueUnavailable},
		"gives nothing":      {"1000", rich, bent(func(o *quote.Offer) { o.MinimumOut = new(big.Int) }), fault.VenueUnavailable},
		"minimum above all":  {"1000", rich, bent(func(o *quote.Offer) { o.MinimumOut = big.NewInt(99) }), fault.VenueUnavailable},
		"nothing to sign":    {"1000", rich, bent(func(o *quote.Offer) { o.Steps = nil }), fault.VenueUnavailable},
		"amount left out":    {"1000", rich, bent(func(o *quote.Offer) { o.AmountOut = nil }), fault.VenueUnavailable},
		"amount in left out": {"1000", rich, bent(func(o *quote.Offer) { o.AmountIn = nil }), fault.VenueUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.balance, offering{name: "a", answer: c.answer})
			if _, err := b.ask(t, c.amount); fault.CodeOf(err) != c.code {
				t.Errorf("%v, want %s", err, c.code)
			}
		})
	}
}

func TestOneVenueDownHidesNotTheOther(t *testing.T) {
	t.Parallel()
	down := func(quote.Ask) (quote.Offer, error) {
		return quote.Offer{}, fault.New(fault.VenueUnavailable, "down")
	}
	b := newBench(t, rich, offering{name: "a", answer: down}, offering{name: "b", answer: honest(10)})
	if offers, err := b.ask(t, "1000"); err != nil || len(offers) != 1 {
		t.Errorf("%d offers, %v", len(offers), err)
	}
	lowest := func(quote.Ask) (quote.Offer, error) {
		return quote.Offer{}, fault.New(fault.AmountTooLow, "more")
	}
	b = newBench(t, rich, offering{name: "a", answer: down}, offering{name: "b", answer: lowest})
	if _, err := b.ask(t, "1000"); fault.CodeOf(err) != fault.AmountTooLow {
		t.Errorf("the more telling refusal is not shown: %v", err)
	}
}
