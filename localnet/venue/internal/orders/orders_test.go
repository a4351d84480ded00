package orders_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/trade"
)

var terms = orders.Terms{
	Operation: trade.Bridge, User: "user", Recipient: "recipient", RefundTo: "user", OriginChain: 8453, DestinationChain: 1,
	In: "in", Out: "out", AmountIn: "100", AmountOut: "99", MinimumOut: "98", Execution: "1/50",
}

func open(t *testing.T, dir string) *orders.Store {
	t.Helper()
	store, err := orders.Open(t.Context(), dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func deposit(id trade.RequestID, hash string) trade.Deposit {
	return trade.Deposit{ChainID: 8453, Hash: hash, ID: id, Depositor: "user", Asset: "in", Amount: big.NewInt(100)}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func status(t *testing.T, store *orders.Store, id trade.RequestID) orders.Status {
	t.Helper()
	order, err := store.Get(t.Context(), id)
	must(t, err)
	return order.Status
}

// one takes the only deposit that waits for a fill.
func one(t *testing.T, store *orders.Store) orders.Due {
	t.Helper()
	due, err := store.FillsDue(t.Context(), 1)
	must(t, err)
	if len(due) != 1 {
		t.Fatalf("%d deposits wait for a fill, want 1", len(due))
	}
	return due[0]
}

func TestOrderIsFilledOnce(t *testing.T) {
	t.Parallel()
	store, id := open(t, t.TempDir()), trade.RequestID{1}
	must(t, store.Add(t.Context(), id, terms))
	if got := status(t, store, id); got != orders.Waiting {
		t.Errorf("status %s after the quote", got)
	}
	_, err := store.Take(t.Context(), 8453, []trade.Deposit{deposit(id, "a")}, "7")
	must(t, err)
	if got := status(t, store, id); got != orders.Pending {
		t.Errorf("status %s after the deposit", got)
	}
	due := one(t, store)
	payment, err := store.Record(t.Context(), due, orders.Fill, 1, trade.Signed{Bytes: []byte{1}, Hash: "fill"})
	must(t, err)
	for _, purpose := range []orders.Purpose{orders.Fill, orders.RefundBack} {
		if _, err := store.Record(t.Context(), due, purpose, 1, trade.Signed{Bytes: []byte{1}, Hash: "again"}); !errors.Is(err, orders.ErrPaidAlready) {
			t.Errorf("a second payment (%s): %v", purpose, err)
		}
	}
	if waiting, err := store.FillsDue(t.Context(), 1); err != nil || len(waiting) != 0 {
		t.Errorf("%d fills wait while one is on its way (%v)", len(waiting), err)
	}
	must(t, store.Finish(t.Context(), payment, trade.Succeeded, ""))
	if got := status(t, store, id); got != orders.Success {
		t.Errorf("status %s after the fill", got)
	}
	if _, err := store.Record(t.Context(), due, orders.RefundBack, 8453, trade.Signed{Bytes: []byte{1}, Hash: "refund"}); !errors.Is(err, orders.ErrPaidAlready) {
		t.Errorf("a refund after the fill: %v", err)
	}
}

// What was signed before the process died is what the next one sends.
func TestSignedPaymentSurvivesReopening(t *testing.T) {
	t.Parallel()
	dir, id := t.TempDir(), trade.RequestID{2}
	store, err := orders.Open(t.Context(), dir, time.Now)
	must(t, err)
	must(t, store.Add(t.Context(), id, terms))
	_, err = store.Take(t.Context(), 8453, []trade.Deposit{deposit(id, "a")}, "7")
	must(t, err)
	signed := trade.Signed{Bytes: []byte{1, 2, 3}, Hash: "fill", Nonce: 9, LastValidBlockHeight: 10}
	_, err = store.Record(t.Context(), one(t, store), orders.Fill, 1, signed)
	must(t, err)
	must(t, store.Close())

	again := open(t, dir)
	payments, err := again.Open(t.Context(), 1)
	must(t, err)
	if len(payments) != 1 || string(payments[0].Signed.Bytes) != string(signed.Bytes) || payments[0].Signed.Nonce != 9 ||
		payments[0].Signed.LastValidBlockHeight != 10 || payments[0].Deposit.ID != id || !payments[0].First {
		t.Errorf("kept payments %+v", payments)
	}
	if cursor, err := again.Cursor(t.Context(), 8453); err != nil || cursor != "7" {
		t.Errorf("cursor %q (%v)", cursor, err)
	}
}

func TestRevertedFillBecomesARefund(t *testing.T) {
	t.Parallel()
	store, id := open(t, t.TempDir()), trade.RequestID{3}
	must(t, store.Add(t.Context(), id, terms))
	_, err := store.Take(t.Context(), 8453, []trade.Deposit{deposit(id, "a")}, "7")
	must(t, err)
	fill, err := store.Record(t.Context(), one(t, store), orders.Fill, 1, trade.Signed{Bytes: []byte{1}, Hash: "fill"})
	must(t, err)
	must(t, store.Finish(t.Context(), fill, trade.Reverted, "EXECUTION_REVERTED"))
	if got := status(t, store, id); got != orders.Pending {
		t.Errorf("status %s while the refund is due: a final one would mislead", got)
	}
	due, err := store.RefundsDue(t.Context(), 8453)
	must(t, err)
	if len(due) != 1 || due[0].Order.FailReason != "EXECUTION_REVERTED" {
		t.Fatalf("refunds due %+v", due)
	}
	refund, err := store.Record(t.Context(), due[0], orders.RefundBack, 8453, trade.Signed{Bytes: []byte{1}, Hash: "refund"})
	must(t, err)
	must(t, store.Finish(t.Context(), refund, trade.Succeeded, ""))
	if got := status(t, store, id); got != orders.Refund {
		t.Errorf("status %s after the refund", got)
	}
	if hashes, err := store.PaidHashes(t.Context(), id); err != nil || len(hashes) != 1 || hashes[0] != "refund" {
		t.Errorf("paid by %v (%v)", hashes, err)
	}
}

// A transaction that can never land is replaced by another, not by a refund.
func TestImpossiblePaymentIsTriedAgain(t *testing.T) {
	t.Parallel()
	store, id := open(t, t.TempDir()), trade.RequestID{4}
	must(t, store.Add(t.Context(), id, terms))
	_, err := store.Take(t.Context(), 8453, []trade.Deposit{deposit(id, "a")}, "7")
	must(t, err)
	fill, err := store.Record(t.Context(), one(t, store), orders.Fill, 1, trade.Signed{Bytes: []byte{1}, Hash: "fill"})
	must(t, err)
	must(t, store.Finish(t.Context(), fill, trade.Impossible, ""))
	_, err = store.Record(t.Context(), one(t, store), orders.Fill, 1, trade.Signed{Bytes: []byte{1}, Hash: "another"})
	must(t, err)
}

func TestDepositsAreTakenOnceAndOnlyForKnownOrders(t *testing.T) {
	t.Parallel()
	store, id := open(t, t.TempDir()), trade.RequestID{5}
	must(t, store.Add(t.Context(), id, terms))
	stray := deposit(trade.RequestID{6}, "b")
	for range 2 {
		unknown, err := store.Take(t.Context(), 8453, []trade.Deposit{deposit(id, "a"), stray}, "7")
		must(t, err)
		if len(unknown) != 1 || unknown[0].Hash != "b" {
			t.Errorf("unknown deposits %+v", unknown)
		}
	}
	if due := one(t, store); !due.First {
		t.Error("the order's own deposit counts as one too many")
	}
	_, err := store.Take(t.Context(), 8453, []trade.Deposit{deposit(id, "c")}, "8")
	must(t, err)
	due, err := store.FillsDue(t.Context(), 1)
	must(t, err)
	if len(due) != 2 || due[0].First == due[1].First {
		t.Errorf("two deposits of one order: %+v", due)
	}
}
