package movement_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"sync"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/appdb"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
	"tenfold/internal/quote"
)

// scriptedChain is a chain whose node lies, refuses and loses answers on
// command: faults that the real local chains can't be made to show.
type scriptedChain struct {
	chain.Adapter // nil: whatever is not scripted panics

	mu         sync.Mutex
	id         int64
	broadcasts map[string]int // hash → times
	sendError  error
	looks      map[string]chain.Lookup
	lookError  map[string]error
	received   map[string]*big.Int // hash/owner/asset → amount
}

func (c *scriptedChain) Broadcast(_ context.Context, s chain.Signed) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broadcasts[s.Hash]++
	return c.sendError
}

func (c *scriptedChain) Lookup(_ context.Context, _ chain.Unsigned, hash string) (chain.Lookup, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.lookError[hash]; err != nil {
		return chain.Lookup{}, err
	}
	found, ok := c.looks[hash]
	if !ok {
		return chain.Lookup{Phase: chain.PhaseUnknown}, nil
	}
	return found, nil
}

func (c *scriptedChain) Received(_ context.Context, hash, owner string, asset catalog.Asset) (*big.Int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.received[hash+"/"+owner+"/"+asset.Address]; v != nil {
		return v, nil
	}
	return new(big.Int), nil
}

// CheckSigned takes "signed <unsigned>" as the signature of the unsigned bytes.
func (c *scriptedChain) CheckSigned(u chain.Unsigned, signed []byte) (chain.Signed, error) {
	if string(signed) != "signed "+string(u.Bytes) {
		return chain.Signed{}, fault.New(fault.SignatureMismatch, "not this one")
	}
	return chain.Signed{Bytes: signed, Hash: "hash of " + string(u.Bytes)}, nil
}

func (c *scriptedChain) script(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

func (c *scriptedChain) sent(hash string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broadcasts[hash]
}

// scriptedVenue says what it is told to.
type scriptedVenue struct {
	quote.Venue
	mu         sync.Mutex
	status     quote.Status
	err        error
	ask        func() quote.Status // instead of status, when set
	indexError error
	told       int
}

func (v *scriptedVenue) Name() string { return "relay" }

func (v *scriptedVenue) Index(context.Context, int64, string, string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.told++
	return v.indexError
}

func (v *scriptedVenue) script(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
}

func (v *scriptedVenue) Status(context.Context, string) (quote.Status, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ask != nil {
		return v.ask(), v.err
	}
	return v.status, v.err
}

func (v *scriptedVenue) say(s quote.Status) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.status = s
}

type chains map[int64]*scriptedChain

func (c chains) Adapter(id int64) (chain.Adapter, bool) {
	a, ok := c[id]
	return a, ok
}

type venues struct{ *scriptedVenue }

func (v venues) Venue(string) (quote.Venue, bool) { return v.scriptedVenue, true }

type ignore struct{}

func (ignore) MovementChanged(movement.Movement) {}

func (ignore) BalancesChanged(string, []int64) {}

// bench is the domain on a real database with scripted surroundings and a clock
// that stands still until it is moved.
type bench struct {
	store   *appdb.Store
	service *movement.Service
	engine  *movement.Engine
	chains  chains
	venue   *scriptedVenue

	mu    sync.Mutex
	clock time.Time
}

const (
	baseID  = 8453
	owner   = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	other   = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
	ourName = "organization"
)

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
	b := &bench{store: store, chains: chains{}, venue: &scriptedVenue{indexError: errors.New("not now")}, clock: time.UnixMilli(1_800_000_000_000)}
	for _, id := range []int64{baseID, catalog.SolanaChainID} {
		b.chains[id] = &scriptedChain{
			id: id, broadcasts: map[string]int{}, looks: map[string]chain.Lookup{}, lookError: map[string]error{},
			received: map[string]*big.Int{},
		}
	}
	b.engine = movement.NewEngine(store, b.chains, venues{b.venue}, ignore{}, b.now, slog.New(slog.DiscardHandler))
	b.service = movement.NewService(store, b.chains, ignore{}, b.engine.Poke, b.now)
	return b
}

func (b *bench) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.clock
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	b.clock = b.clock.Add(d)
	b.mu.Unlock()
}

// until moves the clock on until the movement is in the state.
func (b *bench) until(t *testing.T, id string, state movement.State) movement.Movement {
	t.Helper()
	var m movement.Movement
	for range 400 {
		var err error
		if m, err = b.service.Get(t.Context(), ourName, id); err != nil {
			t.Fatal(err)
		}
		if m.State == state {
			return m
		}
		b.pass(250 * time.Millisecond)
		if err := b.engine.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("the movement stays %s, want %s; problem %+v", m.State, state, m.Problem)
	return m
}

func assetOn(chainID int64, symbol string) catalog.Asset {
	c, _ := catalog.ChainByID(chainID)
	for _, a := range c.Assets() {
		if a.Symbol == symbol {
			return a
		}
	}
	panic(fmt.Sprintf("no %s on %d", symbol, chainID))
}

// payment is a draft of 1000 wei; name tells its bytes apart.
func (b *bench) payment(name string, nonce uint64) movement.Draft {
	eth := assetOn(baseID, "ETH")
	return movement.Draft{
		Kind:      movement.KindTransfer,
		From:      movement.From{Asset: eth, Owner: owner, Amount: big.NewInt(1000)},
		To:        movement.To{Asset: eth, Recipient: other},
		Simulated: movement.SimulationMatches,
		Steps:     []movement.DraftStep{{Kind: movement.StepTransfer, Unsigned: unsigned(name, nonce)}},
		ExpiresAt: b.now().Add(time.Minute),
	}
}

// bridge is a draft of an approval and a deposit that a venue delivers on Solana.
func (b *bench) bridge(name string) movement.Draft {
	return movement.Draft{
		Kind: movement.KindSwap, Venue: "relay", QuoteID: "quote " + name, RequestID: "0x01",
		From:      movement.From{Asset: assetOn(baseID, "USDC"), Owner: owner, Amount: big.NewInt(5000)},
		To:        movement.To{Asset: assetOn(catalog.SolanaChainID, "USDC"), Recipient: "solana owner", Minimum: big.NewInt(4900)},
		Simulated: movement.SimulationMatches,
		Steps: []movement.DraftStep{
			{Kind: movement.StepApprove, Unsigned: unsigned(name+" approve", 1)},
			{Kind: movement.StepDeposit, Unsigned: unsigned(name+" deposit", 2)},
		},
		ExpiresAt: b.now().Add(time.Minute), ExpectedSeconds: 5,
	}
}

func unsigned(name string, nonce uint64) chain.Unsigned {
	return chain.Unsigned{ChainID: baseID, From: owner, Bytes: []byte(name), Nonce: &nonce, MaximumFee: big.NewInt(21)}
}

func (b *bench) create(t *testing.T, key string, d movement.Draft) movement.Movement {
	t.Helper()
	m, err := b.service.Create(t.Context(), intent(key), func(context.Context) (movement.Draft, error) { return d, nil })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func intent(key string) movement.Intent {
	return movement.Intent{
		OrganizationID: ourName, UserID: "user", Idempotency: movement.Idempotency{Key: "create " + key, BodyHash: "body " + key},
	}
}

func confirmation(m movement.Movement, key string) movement.Confirmation {
	c := movement.Confirmation{
		OrganizationID: ourName, MovementID: m.ID, Idempotency: movement.Idempotency{Key: "confirm " + key, BodyHash: "body " + key},
	}
	for _, s := range m.Steps {
		c.Signatures = append(c.Signatures, movement.Signature{Step: s.Index, SignedTransaction: []byte("signed " + string(s.Unsigned.Bytes))})
	}
	return c
}

func (b *bench) confirm(t *testing.T, m movement.Movement) movement.Movement {
	t.Helper()
	m, err := b.service.Confirm(t.Context(), confirmation(m, m.ID))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
