package movement_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
	"tenfold/internal/quote"
)

var (
	settled   = chain.Lookup{Phase: chain.PhaseSettled, BlockNumber: 7, Fee: big.NewInt(21)}
	nodeGone  = fault.Wrap(fault.ChainUnavailable, "gone", errors.New("connection reset"))
	nodeRefus = fault.Wrap(fault.BroadcastRefused, "Insufficient balance", errors.New("insufficient funds"))
)

func TestLostAnswerIsSettledByLooking(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.chains[baseID]
	base.sendError = nodeGone
	base.looks["hash of pay"] = chain.Lookup{Phase: chain.PhasePending}
	m := b.confirm(t, b.create(t, "a", b.payment("pay", 1)))
	b.until(t, m.ID, movement.Sent)
	base.script(func() {
		base.looks["hash of pay"] = settled
		base.received["hash of pay/"+owner+"/"+assetOn(baseID, "ETH").Address] = big.NewInt(-1000)
		base.received["hash of pay/"+other+"/"+assetOn(baseID, "ETH").Address] = big.NewInt(1000)
	})
	m = b.until(t, m.ID, movement.Done)
	if m.To.Amount.Int64() != 1000 || m.Steps[0].FeePaid.Int64() != 21 || m.Problem != nil {
		t.Errorf("it ended as %+v", m)
	}
	if n := base.sent("hash of pay"); n != 1 {
		t.Errorf("the bytes were sent %d times although the chain has them", n)
	}
}

func TestUnreachableNodeKeepsTheMovement(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.chains[baseID]
	base.sendError = nodeGone
	m := b.confirm(t, b.create(t, "a", b.payment("pay", 1)))
	for range 20 {
		b.pass(time.Minute)
		if err := b.engine.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if m, _ = b.service.Get(t.Context(), ourName, m.ID); m.State != movement.Signed || m.Problem != nil {
		t.Errorf("with an unreachable node the movement became %s: %+v", m.State, m.Problem)
	}
	if base.sent("hash of pay") < 2 {
		t.Error("the same bytes were not tried again")
	}
}

func TestRefusedBroadcastIsRepeatedBeforeItIsBelieved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.chains[baseID]
	base.sendError = nodeRefus
	m := b.until(t, b.confirm(t, b.create(t, "a", b.payment("pay", 1))).ID, movement.Failed)
	if base.sent("hash of pay") < 2 {
		t.Errorf("the bytes were sent %d times", base.sent("hash of pay"))
	}
	if m.Problem.Code != "broadcast_refused" || m.Problem.FundsWhere != "Nothing left your wallet." {
		t.Errorf("the problem is %+v", m.Problem)
	}
}

// TestRefusalOfBytesWithAnEndWaitsForTheEnd is Solana's case: the end of the
// blockhash proves what a refusal only says.
func TestRefusalOfBytesWithAnEndWaitsForTheEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.chains[baseID]
	base.sendError = nodeRefus
	d := b.payment("pay", 1)
	d.Steps[0].Unsigned.Nonce, d.Steps[0].Unsigned.LastValidBlockHeight = nil, 100
	m := b.confirm(t, b.create(t, "a", d))
	for range 20 {
		b.pass(time.Minute)
		if err := b.engine.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if m, _ = b.service.Get(t.Context(), ourName, m.ID); m.State != movement.Signed {
		t.Fatalf("a refusal alone made it %s", m.State)
	}
	base.script(func() { base.looks["hash of pay"] = chain.Lookup{Phase: chain.PhaseImpossible} })
	m = b.until(t, m.ID, movement.Expired)
	if m.Problem.Message != "Insufficient balance" || m.Problem.FundsWhere != "Nothing left your wallet." {
		t.Errorf("the problem is %+v", m.Problem)
	}
}

func TestDeadTransactionExpires(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.chains[baseID].looks["hash of pay"] = chain.Lookup{Phase: chain.PhaseImpossible}
	m := b.until(t, b.confirm(t, b.create(t, "a", b.payment("pay", 1))).ID, movement.Expired)
	if m.Steps[0].State != movement.StepExpired || m.Problem.FundsWhere != "Nothing left your wallet." {
		t.Errorf("it ended as %+v, %+v", m.Steps[0], m.Problem)
	}
}

func TestFailedApprovalStopsTheDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.chains[baseID]
	base.looks["hash of x approve"] = chain.Lookup{Phase: chain.PhaseFailed, Fee: big.NewInt(9), Reason: "execution reverted"}
	m := b.until(t, b.confirm(t, b.create(t, "a", b.bridge("x"))).ID, movement.Failed)
	if base.sent("hash of x deposit") != 0 {
		t.Error("the deposit was sent after its approval failed")
	}
	if m.Steps[1].State != movement.StepExpired {
		t.Errorf("the deposit is %s", m.Steps[1].State)
	}
	if m.Problem.FundsWhere != "Nothing left your wallet but the network fee." {
		t.Errorf("the money is said to be: %s", m.Problem.FundsWhere)
	}
	// Its nonce is free again.
	b.create(t, "b", b.payment("next", 2))
}

func TestFailedDepositLeavesTheApproval(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	base := b.chains[baseID]
	base.looks["hash of x approve"] = settled
	base.looks["hash of x deposit"] = chain.Lookup{Phase: chain.PhaseFailed, Fee: big.NewInt(9)}
	m := b.until(t, b.confirm(t, b.create(t, "a", b.bridge("x"))).ID, movement.Failed)
	if m.Problem.FundsWhere != "Only the approval was carried out. Nothing else left your wallet but the network fee." {
		t.Errorf("the money is said to be: %s", m.Problem.FundsWhere)
	}
}

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
