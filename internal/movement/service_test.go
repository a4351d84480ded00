package movement_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"tenfold/internal/fault"
	"tenfold/internal/movement"
)

func wantCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != code {
		t.Errorf("the error is %v, want %s", err, code)
	}
}

func TestExpiredDraftIsRefusedWithNothingSent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.create(t, "a", b.payment("pay", 1))
	b.pass(time.Minute)
	_, err := b.service.Confirm(t.Context(), confirmation(m, "late"))
	wantCode(t, err, fault.MovementExpired)
	m = b.until(t, m.ID, movement.Expired)
	if m.Steps[0].Signed != nil || b.chains[baseID].sent("hash of pay") != 0 {
		t.Error("something of the expired draft was kept or sent")
	}
}

func TestUnsignedDraftsExpireByThemselvesAndAreNotListed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.create(t, "a", b.payment("pay", 1))
	b.pass(2 * time.Minute)
	b.until(t, m.ID, movement.Expired)
	list, err := b.service.List(t.Context(), ourName, movement.Page{Limit: 10})
	if err != nil || len(list) != 0 {
		t.Errorf("the list has %d movements, %v", len(list), err)
	}
}

func TestConfirmationChecks(t *testing.T) {
	t.Parallel()
	for name, bend := range map[string]func(*movement.Confirmation){
		"one signature too few": func(c *movement.Confirmation) { c.Signatures = c.Signatures[:1] },
		"the same step twice":   func(c *movement.Confirmation) { c.Signatures[1].Step = 0 },
		"a step too far":        func(c *movement.Confirmation) { c.Signatures[1].Step = 2 },
		"a negative step":       func(c *movement.Confirmation) { c.Signatures[1].Step = -1 },
		"signatures swapped":    func(c *movement.Confirmation) { c.Signatures[0].Step, c.Signatures[1].Step = 1, 0 },
		"other bytes":           func(c *movement.Confirmation) { c.Signatures[0].SignedTransaction = []byte("signed y") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			m := b.create(t, "a", b.bridge("x"))
			c := confirmation(m, "a")
			bend(&c)
			_, err := b.service.Confirm(t.Context(), c)
			wantCode(t, err, fault.SignatureMismatch)
			if m, err = b.service.Get(t.Context(), ourName, m.ID); err != nil || m.State != movement.NeedsSignature {
				t.Errorf("the movement is %s, %v", m.State, err)
			}
		})
	}
}

func TestForeignMovementIsLikeAMissingOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.create(t, "a", b.payment("pay", 1))
	_, foreign := b.service.Get(t.Context(), "another", m.ID)
	_, missing := b.service.Get(t.Context(), "another", "nothing")
	if foreign == nil || foreign.Error() != missing.Error() {
		t.Errorf("%v differs from %v", foreign, missing)
	}
	c := confirmation(m, "a")
	c.OrganizationID = "another"
	_, err := b.service.Confirm(t.Context(), c)
	wantCode(t, err, fault.MovementNotFound)
	_, err = b.service.Cancel(t.Context(), movement.Cancellation{OrganizationID: "another", MovementID: m.ID})
	wantCode(t, err, fault.MovementNotFound)
}

func TestSameNonceIsSignedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, second := b.create(t, "a", b.payment("first", 5)), b.create(t, "b", b.payment("second", 5))
	b.confirm(t, first)
	_, err := b.service.Confirm(t.Context(), confirmation(second, "b"))
	wantCode(t, err, fault.MovementExpired)
	_, err = b.service.Create(t.Context(), intent("c"), func(context.Context) (movement.Draft, error) {
		return b.payment("third", 5), nil
	})
	wantCode(t, err, movement.InProgress)
}

func TestBuildRunsOncePerKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.create(t, "a", b.payment("pay", 1))
	again, err := b.service.Create(t.Context(), intent("a"), func(context.Context) (movement.Draft, error) {
		return movement.Draft{}, errors.New("built again")
	})
	if err != nil || again.ID != first.ID {
		t.Errorf("the repetition gave %s, %v", again.ID, err)
	}
	reused := intent("a")
	reused.Idempotency.BodyHash = "another body"
	_, err = b.service.Create(t.Context(), reused, nil)
	wantCode(t, err, fault.KeyReused)
}

// TestManyConfirmationsAtOnce presses the button twenty times in parallel.
func TestManyConfirmationsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.create(t, "a", b.payment("pay", 1))
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			got, err := b.service.Confirm(t.Context(), confirmation(m, string(rune('a'+i%4))))
			if err != nil || got.ID != m.ID {
				t.Errorf("confirmation %d: %v", i, err)
			}
		})
	}
	wait.Wait()
	m, err := b.service.Get(t.Context(), ourName, m.ID)
	if err != nil || m.State != movement.Signed || m.Version != 2 {
		t.Errorf("the movement is %s at version %d, %v", m.State, m.Version, err)
	}
}

func TestCancelling(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.create(t, "a", b.payment("pay", 1))
	for range 2 { // the second time is no error
		got, err := b.service.Cancel(t.Context(), movement.Cancellation{OrganizationID: ourName, MovementID: m.ID})
		if err != nil || got.State != movement.Cancelled {
			t.Errorf("cancelled: %s, %v", got.State, err)
		}
	}
	_, err := b.service.Confirm(t.Context(), confirmation(m, "a"))
	wantCode(t, err, fault.MovementExpired)
	signed := b.confirm(t, b.create(t, "b", b.payment("other", 2)))
	_, err = b.service.Cancel(t.Context(), movement.Cancellation{OrganizationID: ourName, MovementID: signed.ID})
	wantCode(t, err, fault.AlreadySigned)
}

func TestUsedQuote(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.create(t, "a", b.bridge("x"))
	if again := b.create(t, "b", b.bridge("x")); again.ID != m.ID {
		t.Error("one quote made two movements")
	}
	b.confirm(t, m)
	fresh := b.bridge("x")
	fresh.Steps[0].Unsigned, fresh.Steps[1].Unsigned = unsigned("y", 8), unsigned("z", 9)
	_, err := b.service.Create(t.Context(), intent("c"), func(context.Context) (movement.Draft, error) { return fresh, nil })
	wantCode(t, err, fault.AlreadySigned)
}
