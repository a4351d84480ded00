package relay_test

import (
	"math/big"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/quote"
)

// Every kind of order that the product offers, from the quote to what the chains
// say was received.
func TestOffersAreCarriedOutAsQuoted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fromChain int64
		from      string
		toChain   int64
		to        string
		amount    int64
		kinds     []quote.StepKind
	}{
		"coin to token":               {base, "native", base, "usdc", 50_000_000_000_000_000, []quote.StepKind{quote.StepSwap}},
		"token to coin":               {ethereum, "usdc", ethereum, "native", 25_000_000, []quote.StepKind{quote.StepApprove, quote.StepSwap}},
		"token to token, 18 decimals": {bsc, "usdc", bsc, "usdt", 3_000_000_000_000_000_000, []quote.StepKind{quote.StepApprove, quote.StepSwap}},
		"wrap":                        {146, "native", 146, "wrapped", 1_000_000_000_000_000_000, []quote.StepKind{quote.StepSwap}},
		"SOL to token":                {sol, "native", sol, "usdc", 100_000_000, []quote.StepKind{quote.StepSwap}},
		"token to SOL":                {sol, "usdc", sol, "native", 5_000_000, []quote.StepKind{quote.StepSwap}},
		"SPL to SPL":                  {sol, "usdc", sol, "usdt", 5_000_000, []quote.StepKind{quote.StepSwap}},
		"coin across to Solana":       {42161, "native", sol, "usdc", 20_000_000_000_000_000, []quote.StepKind{quote.StepDeposit}},
		"token across chains":         {137, "usdc", 43114, "native", 30_000_000, []quote.StepKind{quote.StepApprove, quote.StepDeposit}},
		"SOL across to EVM":           {sol, "native", 999, "usdc", 200_000_000, []quote.StepKind{quote.StepDeposit}},
		"SPL token across to EVM":     {sol, "usdc", 80094, "native", 20_000_000, []quote.StepKind{quote.StepDeposit}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lane := local.lanes[c.fromChain]
			lane.Lock()
			defer lane.Unlock()
			carryOut(t, ask(t, c.fromChain, c.from, c.toChain, c.to, c.amount), c.kinds)
		})
	}
}

// Swaps on Solana by way of the wrapped coin and of two pools, one after the
// other: what one leaves, wrapped coin above all, changes the shape of the next.
func TestSolanaSwapsWithWrappedCoinAreCarriedOutAsQuoted(t *testing.T) {
	t.Parallel()
	const all = 0
	lane := local.lanes[sol]
	lane.Lock()
	defer lane.Unlock()
	for _, c := range []struct {
		from, to string
		amount   int64
	}{
		{"native", "wrapped", 500_000_000},
		{"usdc", "native", 5_000_000},
		{"usdt", "native", 5_000_000},
		{"native", "usdt", 100_000_000},
		{"wrapped", "usdt", 50_000_000},
		{"usdt", "wrapped", 5_000_000},
		{"wrapped", "native", 100_000_000},
		{"wrapped", "native", all},
		{"usdt", "native", 5_000_000}, // closes the empty account, and the next opens it again
		{"native", "usdt", 100_000_000},
		{"native", "wrapped", 100_000_000},
	} {
		a := ask(t, sol, c.from, sol, c.to, c.amount)
		if c.amount == all {
			held, err := local.adapters[sol].Balances(t.Context(), a.User, []catalog.Asset{a.From})
			if err != nil {
				t.Fatal(err)
			}
			a.Amount = held[0]
		}
		t.Logf("%s of %s to %s", a.Amount, c.from, c.to)
		carryOut(t, a, []quote.StepKind{quote.StepSwap})
	}
}

// carryOut takes an order from the quote to what the chains say was received.
func carryOut(t *testing.T, a quote.Ask, kinds []quote.StepKind) {
	t.Helper()
	v := venue(t, "")
	o, err := v.Quote(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	checkKinds(t, o, kinds)
	if o.AmountInUSD == "" || o.AmountOutUSD == "" || o.FeesUSD == "" || len(o.Fees) == 0 || o.PriceImpactPercent == "" || o.TimeSeconds == 0 {
		t.Errorf("the offer lacks facts: %+v", o)
	}
	built, described, err := describe(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := quote.Verify(o, described, time.Now()); err != nil {
		t.Fatalf("%v\n%+v", err, described)
	}
	changes, err := local.adapters[a.From.ChainID].Simulate(t.Context(), built)
	if err != nil {
		t.Fatal(err)
	}
	if err := quote.VerifyChanges(o, changes, rentOf(built)); err != nil {
		t.Fatalf("%v\n%+v", err, changes)
	}
	hash := send(t, o, built)
	if err := v.Index(t.Context(), a.From.ChainID, hash, o.RequestID); err != nil {
		t.Fatal(err)
	}
	checkArrival(t, v, o, hash, rentOf(built))
}

func checkKinds(t *testing.T, o quote.Offer, want []quote.StepKind) {
	t.Helper()
	if len(o.Steps) != len(want) {
		t.Fatalf("steps %+v, want %v", o.Steps, want)
	}
	for i, s := range o.Steps {
		if s.Kind != want[i] || s.ChainID != o.Ask.From.ChainID {
			t.Fatalf("steps %+v, want %v", o.Steps, want)
		}
	}
}

func rentOf(built []chain.Unsigned) *big.Int {
	rent := new(big.Int)
	for _, u := range built {
		if u.Rent != nil {
			rent.Add(rent, u.Rent)
		}
	}
	return rent
}

// send signs and broadcasts all steps and waits until they are settled. It gives
// the last one's hash.
func send(t *testing.T, o quote.Offer, built []chain.Unsigned) string {
	t.Helper()
	adapter := local.adapters[o.Ask.From.ChainID]
	var hash string
	for _, u := range built {
		s, err := adapter.CheckSigned(u, sign(t, u))
		if err != nil {
			t.Fatal(err)
		}
		if err := adapter.Broadcast(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		hash = s.Hash
		until(t, "inclusion", func() bool {
			found, err := adapter.Lookup(t.Context(), u, hash)
			if err != nil {
				t.Fatal(err)
			}
			if found.Phase == chain.PhaseFailed {
				t.Fatalf("the transaction failed: %s", found.Reason)
			}
			return found.Phase == chain.PhaseSettled
		})
	}
	return hash
}

// checkArrival waits for the delivery and compares what came and what left, with
// the rent of new accounts when coin was paid, with the offer.
func checkArrival(t *testing.T, v quote.Venue, o quote.Offer, hash string, rent *big.Int) {
	t.Helper()
	var s quote.Status
	until(t, "delivery", func() bool {
		var err error
		if s, err = v.Status(t.Context(), o.RequestID); err != nil {
			t.Fatal(err)
		}
		return s.State.Final()
	})
	if s.State != quote.Success || s.FailReason != "" || s.UpdatedAt.IsZero() {
		t.Fatalf("the order ended as %+v", s)
	}
	delivery := hash
	if o.Ask.CrossChain() {
		if len(s.OutHashes) != 1 || len(s.InHashes) != 1 || s.InHashes[0] != hash {
			t.Fatalf("the order ended as %+v", s)
		}
		delivery = s.OutHashes[0]
	}
	got, err := local.adapters[o.Ask.To.ChainID].Received(t.Context(), delivery, o.Ask.Recipient, o.Ask.To)
	if err != nil {
		t.Fatal(err)
	}
	if got.Cmp(o.MinimumOut) < 0 {
		t.Errorf("received %s, the minimum was %s", got, o.MinimumOut)
	}
	left, err := local.adapters[o.Ask.From.ChainID].Received(t.Context(), hash, o.Ask.User, o.Ask.From)
	if err != nil {
		t.Fatal(err)
	}
	due := new(big.Int).Set(o.AmountIn)
	if o.Ask.From.Native {
		due.Add(due, rent)
	}
	if left.Neg(left).Cmp(due) != 0 {
		t.Errorf("%s left instead of %s", left, due)
	}
}
