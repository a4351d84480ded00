package movement_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/movement"
	"tenfold/internal/quote"
)

// deposited brings a bridge to the point where the venue has to deliver.
func (b *bench) deposited(t *testing.T) movement.Movement {
	t.Helper()
	base := b.chains[baseID]
	base.script(func() {
		base.looks["hash of x approve"], base.looks["hash of x deposit"] = settled, settled
		base.received["hash of x deposit/"+owner+"/"+assetOn(baseID, "USDC").Address] = big.NewInt(-5000)
	})
	b.venue.say(quote.Status{State: quote.Waiting})
	return b.until(t, b.confirm(t, b.create(t, "a", b.bridge("x"))).ID, movement.Bridging)
}

func TestDeliveryIsReadFromTheDestination(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	solana := b.chains[catalog.SolanaChainID]
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"delivery"}})
	m = b.until(t, m.ID, movement.Delivering)
	solana.script(func() {
		solana.looks["delivery"] = settled
		solana.received["delivery/solana owner/"+assetOn(catalog.SolanaChainID, "USDC").Address] = big.NewInt(4950)
	})
	m = b.until(t, m.ID, movement.Done)
	if m.To.Amount.Int64() != 4950 || m.From.Amount.Int64() != 5000 || m.DeliveryHash != "delivery" || m.Problem != nil {
		t.Errorf("it ended as %+v", m)
	}
}

func TestLyingVenueIsNotBelieved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	solana := b.chains[catalog.SolanaChainID]
	solana.script(func() { solana.looks["delivery"] = settled }) // pays somebody else
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"delivery"}})
	m = b.until(t, m.ID, movement.NeedsAction)
	if m.Problem.Code != "delivery_not_found" || m.To.Amount != nil {
		t.Errorf("it is %+v with problem %+v", m.To, m.Problem)
	}
	// Later it really delivers, by another transaction.
	solana.script(func() {
		solana.looks["second"] = settled
		solana.received["second/solana owner/"+assetOn(catalog.SolanaChainID, "USDC").Address] = big.NewInt(4900)
	})
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"delivery", "second"}})
	if m = b.until(t, m.ID, movement.Done); m.Problem != nil || m.DeliveryHash != "second" {
		t.Errorf("it ended as %+v", m)
	}
}

// A delivery counts once: a venue that names an earlier one again has delivered
// nothing.
func TestADeliveryIsNotCountedTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.deposited(t)
	solana := b.chains[catalog.SolanaChainID]
	solana.script(func() {
		solana.looks["delivery"] = settled
		solana.received["delivery/solana owner/"+assetOn(catalog.SolanaChainID, "USDC").Address] = big.NewInt(4950)
	})
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"delivery"}})
	b.until(t, first.ID, movement.Done)
	base := b.chains[baseID]
	base.script(func() {
		base.looks["hash of y approve"], base.looks["hash of y deposit"] = settled, settled
		base.received["hash of y deposit/"+owner+"/"+assetOn(baseID, "USDC").Address] = big.NewInt(-5000)
	})
	d := b.bridge("y")
	for i := range d.Steps {
		nonce := uint64(3 + i)
		d.Steps[i].Unsigned.Nonce = &nonce
	}
	m := b.until(t, b.confirm(t, b.create(t, "b", d)).ID, movement.NeedsAction)
	if m.Problem.Code != "delivery_not_found" || m.To.Amount != nil {
		t.Errorf("it is %+v with problem %+v", m.To, m.Problem)
	}
	base.script(func() {
		base.looks["delivery"] = settled
		base.received["delivery/"+owner+"/"+assetOn(baseID, "USDC").Address] = big.NewInt(5000)
	})
	b.venue.say(quote.Status{State: quote.Refund, OutHashes: []string{"delivery"}})
	for range 20 {
		b.pass(10 * time.Second)
		if err := b.engine.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if m, _ = b.service.Get(t.Context(), ourName, m.ID); m.State != movement.NeedsAction {
		t.Errorf("the same transaction again made it %s", m.State)
	}
}

func TestAVenueCantLeadInCircles(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	solana := b.chains[catalog.SolanaChainID]
	asked := 0
	solana.script(func() { solana.looks["x"], solana.looks["y"] = settled, settled }) // pay nobody
	b.venue.script(func() {
		b.venue.ask = func() quote.Status {
			asked++
			return quote.Status{State: quote.Success, OutHashes: []string{string("xy"[asked%2])}}
		}
	})
	b.pass(20 * time.Second)
	if err := b.engine.Turn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, _ = b.service.Get(t.Context(), ourName, m.ID); asked > 3 || m.State.Final() {
		t.Errorf("asked %d times in one turn, it is %s", asked, m.State)
	}
}

// A hash that the chain can't even look up must not end the questions: the venue
// may name the right one later.
func TestUnreadableDeliveryIsAskedForAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	solana := b.chains[catalog.SolanaChainID]
	solana.script(func() {
		solana.lookError["nonsense"] = errors.New("invalid argument")
		solana.looks["delivery"] = settled
		solana.received["delivery/solana owner/"+assetOn(catalog.SolanaChainID, "USDC").Address] = big.NewInt(4950)
	})
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"nonsense"}})
	b.until(t, m.ID, movement.Delivering)
	if m = b.until(t, m.ID, movement.Delayed); m.Problem.Code != "venue_delayed" {
		t.Errorf("the problem is %+v", m.Problem)
	}
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"delivery"}})
	if m = b.until(t, m.ID, movement.Done); m.Problem != nil {
		t.Errorf("it ended with %+v", m.Problem)
	}
}

// An estimate of ages, which would overflow a duration, puts nothing off.
func TestAbsurdEstimateDoesNotHideALateDelivery(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.chains[baseID]
	base.looks["hash of x approve"], base.looks["hash of x deposit"] = settled, settled
	base.received["hash of x deposit/"+owner+"/"+assetOn(baseID, "USDC").Address] = big.NewInt(-5000)
	b.venue.say(quote.Status{State: quote.Pending})
	d := b.bridge("x")
	d.ExpectedSeconds = 1 << 40
	m := b.until(t, b.confirm(t, b.create(t, "a", d)).ID, movement.Bridging)
	b.pass(2 * time.Hour)
	b.until(t, m.ID, movement.Delayed)
}

func TestVenueIsToldOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	b.venue.script(func() { b.venue.told, b.venue.indexError = 0, nil })
	for range 20 {
		b.pass(time.Second)
		if err := b.engine.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if m, _ = b.service.Get(t.Context(), ourName, m.ID); !m.Indexed || b.venue.told != 1 {
		t.Errorf("told %d times, remembered: %t", b.venue.told, m.Indexed)
	}
}

func TestTooLittleIsTold(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	solana := b.chains[catalog.SolanaChainID]
	solana.script(func() {
		solana.looks["delivery"] = settled
		solana.received["delivery/solana owner/"+assetOn(catalog.SolanaChainID, "USDC").Address] = big.NewInt(4899)
	})
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"delivery"}})
	m = b.until(t, m.ID, movement.Done)
	if m.Problem == nil || m.Problem.Code != "below_minimum" || m.To.Amount.Int64() != 4899 {
		t.Errorf("it ended with %s and problem %+v", m.To.Amount, m.Problem)
	}
}

func TestRefundIsReadFromTheOrigin(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	base := b.chains[baseID]
	b.venue.say(quote.Status{State: quote.Failure, FailReason: "NO_QUOTES"})
	m = b.until(t, m.ID, movement.NeedsAction)
	if m.Problem.Code != "venue_failed" {
		t.Errorf("the problem is %+v", m.Problem)
	}
	eth := assetOn(baseID, "ETH") // refunded in another asset than was given
	base.script(func() {
		base.looks["refund"] = settled
		base.received["refund/"+owner+"/"+eth.Address] = big.NewInt(31)
	})
	b.venue.say(quote.Status{State: quote.Refund, OutHashes: []string{"refund"}})
	m = b.until(t, m.ID, movement.Refunded)
	if m.Refund == nil || m.Refund.Asset != eth || m.Refund.Amount.Int64() != 31 || m.Problem.Code != "venue_refunded" || m.To.Amount != nil {
		t.Errorf("it ended with refund %+v, problem %+v", m.Refund, m.Problem)
	}
}

func TestLateDeliveryIsToldAndStillFollowed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.deposited(t)
	m = b.until(t, m.ID, movement.Delayed)
	if m.Problem.Code != "venue_delayed" {
		t.Errorf("the problem is %+v", m.Problem)
	}
	solana := b.chains[catalog.SolanaChainID]
	solana.script(func() {
		solana.looks["delivery"] = settled
		solana.received["delivery/solana owner/"+assetOn(catalog.SolanaChainID, "USDC").Address] = big.NewInt(4950)
	})
	b.venue.say(quote.Status{State: quote.Success, OutHashes: []string{"delivery"}})
	if m = b.until(t, m.ID, movement.Done); m.Problem != nil {
		t.Errorf("the delay is still told: %+v", m.Problem)
	}
}
