package venue

import (
	"math/big"
	"testing"
	"time"

	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/trade"
)

// The slow fill waits longer than the official client's 150 seconds.
func TestSlowFillWaits(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	v := &Venue{now: func() time.Time { return now }, byChain: map[int64]*site{8453: {}}}
	due := orders.Due{First: true, ReceivedAt: now}
	due.Order.Terms = orders.Terms{User: "u", In: "a", AmountIn: "5", OriginChain: 8453, DestinationChain: 1, Referrer: slowFault}
	due.Deposit = trade.Deposit{ChainID: 8453, Depositor: "u", Asset: "a", Amount: big.NewInt(5)}
	decision, err := v.Fill(t.Context(), due)
	if err != nil {
		t.Fatal(err)
	}
	if wait := decision.NotBefore.Sub(now); wait <= 150*time.Second || decision.Reason != "" {
		t.Errorf("waits %s, reason %q", wait, decision.Reason)
	}
}

// An order whose chain is not served now waits; it is neither filled nor refused.
func TestOrderOfAMissingChainWaits(t *testing.T) {
	t.Parallel()
	v := &Venue{now: time.Now, byChain: map[int64]*site{}}
	due := orders.Due{First: true}
	due.Order.Terms = orders.Terms{OriginChain: 8453}
	decision, err := v.Fill(t.Context(), due)
	if err != nil || decision.Reason != "" || !decision.NotBefore.After(time.Now()) {
		t.Errorf("decision %+v, error %v", decision, err)
	}
}
