package crash

import (
	"net/http"
	"slices"
	"testing"

	"tenfold/catalog"
	"tenfold/internal/apphttp"
)

// referrer restarts the app server under another name, by which the local venue
// picks how it misbehaves.
func (w *world) referrer(t *testing.T, name string) {
	t.Helper()
	w.app.stop()
	w.environment = []string{"TENFOLD_RELAY_REFERRER=" + name}
	w.startApp(t)
}

// TestMisbehavingVenue asks a venue that refuses, and one whose quotes are honest
// and whose transactions are not. Each is told plainly; nothing is signed.
func TestMisbehavingVenue(t *testing.T) {
	t.Parallel()
	w := start(t)
	p := newPerson(t, w)
	p.fund(t)
	ether, usdc := native(t, base), token(t, base, "USDC")
	sol, spl := native(t, catalog.SolanaChainID), token(t, catalog.SolanaChainID, "USDC")
	type pair struct {
		from, to catalog.Asset
		amount   string
	}
	sell := pair{ether, usdc, "10000000000000000"}
	buy := pair{usdc, ether, "25000000"}
	solana := pair{sol, spl, "100000000"}
	across := pair{ether, spl, "20000000000000000"}
	before := p.ledger(t, ether, usdc, sol, spl)
	for _, c := range []struct {
		referrer string
		status   int
		code     string
		detail   string
		pairs    []pair
	}{
		{"fault-too-low", 422, "amount_too_low", "The input amount is too small. Please increase the amount to execute the order", []pair{sell}},
		{"fault-liquidity", 422, "liquidity_exceeded", "The amount you are trying to swap is higher than the available liquidity. Please try again with a smaller amount.", []pair{across}},
		{"fault-no-route", 422, "no_route", "No valid swap route found. Please try again with different tokens.", []pair{sell}},
		{"fault-unavailable", 503, "venue_unavailable", "", []pair{sell}},
		{"fault-internal", 503, "venue_unavailable", "", []pair{sell}},
		{"fault-lie-recipient", 422, "unsafe_transaction", "", []pair{sell, buy, solana, across}},
		{"fault-lie-spender", 422, "unsafe_transaction", "", []pair{buy}},
		{"fault-lie-allowance", 422, "unsafe_transaction", "", []pair{buy}},
		{"fault-lie-value", 422, "unsafe_transaction", "", []pair{sell, across}},
		{"fault-lie-target", 422, "unsafe_transaction", "", []pair{sell, across}},
		{"fault-lie-minimum", 422, "unsafe_transaction", "", []pair{sell}},
		{"fault-lie-instruction", 422, "unsafe_transaction", "", []pair{solana}},
	} {
		t.Run(c.referrer, func(t *testing.T) {
			w.referrer(t, c.referrer)
			for _, one := range c.pairs {
				refusal := p.tryUntilRefused(t, one.from, one.to, one.amount)
				if refusal.Status != c.status || refusal.Code != c.code || refusal.Detail == "" || c.detail != "" && refusal.Detail != c.detail {
					t.Errorf("%s to %s: %v, want %d %s %q", one.from.Symbol, one.to.Symbol, refusal, c.status, c.code, c.detail)
				}
			}
		})
	}
	after := p.ledger(t, ether, usdc, sol, spl)
	for asset, was := range before {
		if after[asset].Cmp(was) != 0 {
			t.Errorf("%s went from %s to %s", asset.Symbol, was, after[asset])
		}
	}
}

// tryUntilRefused asks for a quote and accepts it; one of the two must be refused.
func (p *person) tryUntilRefused(t *testing.T, from, to catalog.Asset, amount string) *problem {
	t.Helper()
	ask := map[string]any{
		"fromChainId": from.ChainID, "fromAsset": from.Address, "toChainId": to.ChainID, "toAsset": to.Address, "amount": amount,
	}
	var list apphttp.QuoteList
	if err := p.call(t.Context(), http.MethodPost, "/quotes", "", ask, &list); err != nil {
		return p.refused(t, http.MethodPost, "/quotes", ask)
	}
	q := list.Quotes[0]
	return p.refused(t, http.MethodPost, "/movements", apphttp.MovementRequest{Kind: "swap", QuoteID: q.ID, Digest: q.Digest})
}

// TestVenueKeepsTheMoney is the worst that a venue can do: take the deposit,
// deliver nothing and refund nothing. The person is told what is the case.
func TestVenueKeepsTheMoney(t *testing.T) {
	t.Parallel()
	p := newPerson(t, start(t, "TENFOLD_RELAY_REFERRER=fault-refund-failed"))
	p.fund(t)
	from, to := native(t, base), token(t, catalog.SolanaChainID, "USDC")
	_, m := p.swap(t, map[string]any{
		"fromChainId": from.ChainID, "fromAsset": from.Address, "toChainId": to.ChainID, "toAsset": to.Address, "amount": "50000000000000000",
	})
	p.confirm(t, m)
	eventually(t, "the word that it needs action", patience, func() (bool, string) {
		p.must(t, http.MethodGet, "/movements/"+m.ID, nil, &m)
		return m.State == "needs_action", string(m.State)
	})
	want := apphttp.MovementProblem{
		Code:       "venue_failed",
		Message:    "The venue could not deliver and needs to be asked for the refund. Please contact support.",
		FundsWhere: "The amount is with the venue.",
	}
	if m.Problem == nil || *m.Problem != want || m.To.Amount != nil {
		t.Errorf("the problem is %+v", m.Problem)
	}
	if !slices.ContainsFunc(m.Timeline, func(e apphttp.TimelineEntry) bool { return e.State == "bridging" }) {
		t.Errorf("the timeline is %+v", m.Timeline)
	}
}
