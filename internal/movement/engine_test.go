package movement_test

import (
	"errors"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
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

// A node that lost its answer, or an engine before this one, may have sent the
// bytes: a refusal by another node, which does not know them yet, proves little.
func TestRefusalAfterDoubtIsRepeatedForLonger(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(t *testing.T, b *bench){
		"a lost answer": func(t *testing.T, b *bench) {
			b.chains[baseID].script(func() { b.chains[baseID].sendError = nodeGone })
			if err := b.engine.Turn(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
		"a restart": func(_ *testing.T, b *bench) {
			b.pass(time.Second)
			b.engine = movement.NewEngine(b.store, b.chains, venues{b.venue}, ignore{}, b.now, slog.New(slog.DiscardHandler))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			m := b.confirm(t, b.create(t, "a", b.payment("pay", 1)))
			meanwhile(t, b)
			b.chains[baseID].script(func() { b.chains[baseID].sendError = nodeRefus })
			for range 100 { // 50 seconds
				b.pass(500 * time.Millisecond)
				if err := b.engine.Turn(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if m, _ = b.service.Get(t.Context(), ourName, m.ID); m.State != movement.Signed {
				t.Fatalf("after 50 seconds it is %s", m.State)
			}
			b.until(t, m.ID, movement.Failed)
		})
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
