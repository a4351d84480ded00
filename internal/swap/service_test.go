package swap_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
	"tenfold/internal/quote"
	"tenfold/internal/swap"
)

const user = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

var now = time.Unix(1_800_000_000, 0)

// scripted is a chain that builds, describes and simulates what a test wants:
// a builder that lies can't be had otherwise.
type scripted struct {
	chain.Adapter
	balance     *big.Int
	unsigned    []chain.Unsigned
	description chain.Description
	changes     []chain.Change
	simulation  error
}

func (s *scripted) Balances(context.Context, string, []catalog.Asset) ([]*big.Int, error) {
	return []*big.Int{s.balance}, nil
}

func (s *scripted) BuildRequest(context.Context, chain.Request) ([]chain.Unsigned, error) {
	return s.unsigned, nil
}

func (s *scripted) Describe(context.Context, []byte) (chain.Description, error) {
	return s.description, nil
}

func (s *scripted) Simulate(context.Context, []chain.Unsigned) ([]chain.Change, error) {
	return s.changes, s.simulation
}

type only struct{ chain *scripted }

func (o only) Adapter(int64) (chain.Adapter, bool) { return o.chain, true }

type accepted struct {
	stored quote.Stored
	err    error
}

func (a accepted) Accept(context.Context, string, string, string) (quote.Stored, error) {
	return a.stored, a.err
}

// honest is ETH to USDC on Base through the venue's router.
func honest(t *testing.T) (*scripted, quote.Stored) {
	t.Helper()
	base, _ := catalog.ChainByID(8453)
	eth := base.NativeAsset()
	var usdc catalog.Asset
	for _, a := range base.Assets() {
		if a.Symbol == "USDC" {
			usdc = a
		}
	}
	router := ""
	for _, address := range []string{"0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"} {
		if c, ok := catalog.ContractOf("relay", base.ID, address); ok && c.Kind == catalog.Router {
			router = address
		}
	}
	if router == "" {
		t.Fatal("the catalog has no router of relay's on Base")
	}
	ask := quote.Ask{From: eth, To: usdc, Amount: big.NewInt(1000), User: user, Recipient: user, SlippageBps: 50}
	offer := quote.Offer{
		Venue: "relay", RequestID: "0x01", Ask: ask, AmountIn: big.NewInt(1000), AmountOut: big.NewInt(3000), MinimumOut: big.NewInt(2985),
		Steps: []quote.Step{{Kind: quote.StepSwap, ChainID: base.ID}},
	}
	nonce := uint64(4)
	return &scripted{
		balance:  big.NewInt(5000),
		unsigned: []chain.Unsigned{{ChainID: base.ID, From: user, Bytes: []byte{2}, Nonce: &nonce, MaximumFee: big.NewInt(7)}},
		description: chain.Description{ChainID: base.ID, MaximumFee: big.NewInt(7), Effects: []chain.Effect{{
			Kind: chain.EffectSwap, Asset: eth.Address, Amount: big.NewInt(1000), AssetOut: usdc.Address, MinimumOut: big.NewInt(2985),
			Recipient: user, Contract: router, Deadline: now.Add(time.Minute).Unix(),
		}}},
		changes: []chain.Change{
			{Owner: user, Asset: eth.Address, Delta: big.NewInt(-1000)}, {Owner: user, Asset: usdc.Address, Delta: big.NewInt(2999)},
		},
	}, quote.Stored{ID: "q", Offer: offer, ExpiresAt: now.Add(20 * time.Second)}
}

func draft(t *testing.T, c *scripted, quotes swap.Quotes) (movement.Draft, error) {
	t.Helper()
	return swap.New(quotes, only{c}, func() time.Time { return now }).
		Draft(t.Context(), "organization", swap.Request{QuoteID: "q", Digest: "d"})
}

func TestHonestSwap(t *testing.T) {
	t.Parallel()
	c, stored := honest(t)
	d, err := draft(t, c, accepted{stored: stored})
	if err != nil {
		t.Fatal(err)
	}
	if d.Simulated != movement.SimulationMatches || len(d.Steps) != 1 || d.Steps[0].Kind != movement.StepSwap ||
		d.To.Minimum.Int64() != 2985 || d.From.Amount.Int64() != 1000 || !d.ExpiresAt.Equal(stored.ExpiresAt) || d.QuoteID != "q" || d.RequestID != "0x01" {
		t.Errorf("the draft is %+v", d)
	}
	c.simulation = chain.ErrSimulationUnavailable
	if d, err = draft(t, c, accepted{stored: stored}); err != nil || d.Simulated != movement.SimulationUnavailable {
		t.Errorf("without simulation: %v, %v", d.Simulated, err)
	}
}

// TestNothingUnreadIsSigned bends what the built bytes say, or do.
func TestNothingUnreadIsSigned(t *testing.T) {
	t.Parallel()
	effect := func(c *scripted) *chain.Effect { return &c.description.Effects[0] }
	for name, one := range map[string]struct {
		bend func(*scripted)
		code fault.Code
	}{
		"pays another":           {func(c *scripted) { effect(c).Recipient = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359" }, fault.UnsafeTransaction},
		"takes more":             {func(c *scripted) { effect(c).Amount = big.NewInt(1001) }, fault.UnsafeTransaction},
		"gives less":             {func(c *scripted) { effect(c).MinimumOut = big.NewInt(2984) }, fault.UnsafeTransaction},
		"calls another contract": {func(c *scripted) { effect(c).Contract = user }, fault.UnsafeTransaction},
		"is an approval":         {func(c *scripted) { effect(c).Kind = chain.EffectApprove }, fault.UnsafeTransaction},
		"is late":                {func(c *scripted) { effect(c).Deadline = now.Unix() }, fault.UnsafeTransaction},
		"another signs":          {func(c *scripted) { c.unsigned[0].From = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359" }, fault.UnsafeTransaction},
		"one transaction more":   {func(c *scripted) { c.unsigned = append(c.unsigned, c.unsigned[0]) }, fault.UnsafeTransaction},
		"less would arrive":      {func(c *scripted) { c.changes[1].Delta = big.NewInt(2984) }, fault.UnsafeTransaction},
		"more would leave":       {func(c *scripted) { c.changes[0].Delta = big.NewInt(-1001) }, fault.UnsafeTransaction},
		"it would fail":          {func(c *scripted) { c.simulation = fault.New(fault.SimulationFailed, "no") }, fault.SimulationFailed},
		"the balance is gone":    {func(c *scripted) { c.balance = big.NewInt(999) }, fault.InsufficientBalance},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, stored := honest(t)
			one.bend(c)
			if d, err := draft(t, c, accepted{stored: stored}); fault.CodeOf(err) != one.code || len(d.Steps) != 0 {
				t.Errorf("%v with %d steps, want %s", err, len(d.Steps), one.code)
			}
		})
	}
}

func TestQuoteThatCantBeAccepted(t *testing.T) {
	t.Parallel()
	for _, code := range []fault.Code{fault.QuoteExpired, fault.QuoteAltered, fault.QuoteNotFound} {
		c, _ := honest(t)
		if _, err := draft(t, c, accepted{err: fault.New(code, "no")}); fault.CodeOf(err) != code {
			t.Errorf("%v, want %s", err, code)
		}
	}
}
