// Package solver answers deposits: it watches the depositories, fills orders on
// the chains where they end, and gives back what it cannot fill. It owns the
// order of things (keep, then broadcast, then follow; one goroutine for each
// chain) and nothing else: amounts are the desk's business, transactions the chains'.
//
// It must never broadcast bytes that are not kept, and never sign a second
// payment for a deposit while the first may still land.
//
// Layer: part of the local network's venue.
package solver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/trade"
)

const (
	watchInterval   = 300 * time.Millisecond
	payInterval     = 500 * time.Millisecond
	outcomeInterval = 50 * time.Millisecond
	resendInterval  = 2 * time.Second
)

// Chain is what the solver needs of a chain.
type Chain interface {
	// Prepare does once what paying needs later; it may be repeated.
	Prepare(ctx context.Context) error
	// Deposits reads what was paid into the depository after the cursor, and
	// gives the cursor up to which it has read.
	Deposits(ctx context.Context, cursor string) (deposits []trade.Deposit, next string, err error)
	// Sign makes the transaction of a payment and does not send it. It fails with
	// trade.ErrCannotPay when the chain would refuse the payment.
	Sign(ctx context.Context, payment trade.Payment) (trade.Signed, error)
	// Broadcast sends signed bytes; sending them again is harmless.
	Broadcast(ctx context.Context, signed trade.Signed) error
	// Outcome says what became of a transaction.
	Outcome(ctx context.Context, signed trade.Signed) (trade.Outcome, error)
}

// Desk decides what is paid. An error means that it could not decide now.
type Desk interface {
	// Fill answers a deposit: pay, or wait until a time, or give back for a reason.
	Fill(ctx context.Context, due orders.Due) (Decision, error)
	// Refund says how to give a deposit back, or the reason why that is impossible.
	Refund(ctx context.Context, due orders.Due) (Decision, error)
}

// Decision is the desk's word on a deposit. Reason is set when Payment must not
// be made.
type Decision struct {
	Payment   trade.Payment
	Reason    string
	NotBefore time.Time
}

// Engine runs the solver.
type Engine struct {
	store  *orders.Store
	chains map[int64]Chain
	desk   Desk
	now    func() time.Time
	log    *slog.Logger
	watch  map[int64]chan struct{} // wakes the watcher of a chain
	pay    map[int64]chan struct{} // wakes the payer of a chain
}

// New makes an engine; chains are by the catalog's ids.
func New(store *orders.Store, chains map[int64]Chain, desk Desk, now func() time.Time, log *slog.Logger) *Engine {
	e := &Engine{
		store: store, chains: chains, desk: desk, now: now, log: log,
		watch: map[int64]chan struct{}{}, pay: map[int64]chan struct{}{},
	}
	for id := range chains {
		e.watch[id], e.pay[id] = make(chan struct{}, 1), make(chan struct{}, 1)
	}
	return e
}

// Hurry looks for deposits on the chain now instead of at the next turn.
func (e *Engine) Hurry(chainID int64) { wake(e.watch[chainID]) }

func wake(signal chan struct{}) {
	select {
	case signal <- struct{}{}:
	default: // it is awake already, or there is nobody
	}
}

// Run works until ctx ends; that is not an error.
func (e *Engine) Run(ctx context.Context) error {
	var working sync.WaitGroup
	for id := range e.chains {
		working.Go(func() {
			e.repeat(ctx, "watch deposits", id, watchInterval, e.watch[id], e.watchOnce)
		})
		working.Go(func() {
			e.repeat(ctx, "prepare", id, payInterval, nil, e.prepareOnce)
			e.repeat(ctx, "pay", id, payInterval, e.pay[id], e.payOnce)
		})
	}
	working.Wait()
	return nil
}

// errFinished ends a repetition.
var errFinished = errors.New("finished")

// repeat runs work at once, then at every interval and whenever it is woken. A
// failure is logged when it begins and when it ends, not at every turn.
func (e *Engine) repeat(ctx context.Context, what string, chainID int64, interval time.Duration, signal <-chan struct{}, work func(context.Context, int64) error) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	failing := false
	for {
		err := work(ctx, chainID)
		switch {
		case errors.Is(err, errFinished) || ctx.Err() != nil:
			return
		case err != nil && !failing:
			e.log.Warn("venue solver cannot go on; it keeps trying", "task", what, "chain", chainID, "error", err)
		case err == nil && failing:
			e.log.Info("venue solver goes on", "task", what, "chain", chainID)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-signal:
		case <-ticker.C:
		}
	}
}

func (e *Engine) prepareOnce(ctx context.Context, chainID int64) error {
	if err := e.chains[chainID].Prepare(ctx); err != nil {
		return err
	}
	return errFinished
}

func (e *Engine) watchOnce(ctx context.Context, chainID int64) error {
	cursor, err := e.store.Cursor(ctx, chainID)
	if err != nil {
		return err
	}
	deposits, next, err := e.chains[chainID].Deposits(ctx, cursor)
	if err != nil || next == cursor {
		return err
	}
	unknown, err := e.store.Take(ctx, chainID, deposits, next)
	if err != nil {
		return err
	}
	for _, deposit := range unknown {
		e.log.Warn("venue got a deposit that belongs to no order", "chain", chainID, "transaction", deposit.Hash, "request", deposit.ID.String())
	}
	if len(deposits) > len(unknown) {
		for _, signal := range e.pay {
			wake(signal)
		}
	}
	return nil
}

// payOnce finishes what was begun, then gives back and fills what is due. New
// payments are all on their way before the first is waited for, so that a block
// can take them together.
func (e *Engine) payOnce(ctx context.Context, chainID int64) error {
	open, err := e.store.Open(ctx, chainID)
	if err != nil {
		return err
	}
	if err := e.finishAll(ctx, open); err != nil {
		return err
	}
	sent, err := e.startDue(ctx, chainID)
	return errors.Join(err, e.finishAll(ctx, sent))
}

// finishAll sends payments in the order in which they were signed, so that none
// waits for a nonce that nobody sent, and follows each to its end.
func (e *Engine) finishAll(ctx context.Context, payments []orders.Payment) error {
	for _, payment := range payments {
		if err := e.broadcast(ctx, payment); err != nil {
			return err
		}
	}
	for _, payment := range payments {
		if err := e.carryOut(ctx, payment); err != nil {
			return err
		}
	}
	return nil
}

// startDue signs, keeps and sends the refunds and fills that are due on the
// chain, and gives what it kept. A deposit that cannot be answered now does not
// hold up the others; a payment that was kept but not sent does.
func (e *Engine) startDue(ctx context.Context, chainID int64) ([]orders.Payment, error) {
	refunds, err := e.store.RefundsDue(ctx, chainID)
	if err != nil {
		return nil, err
	}
	fills, err := e.store.FillsDue(ctx, chainID)
	if err != nil {
		return nil, err
	}
	var sent []orders.Payment
	var failures []error
	start := func(due []orders.Due, one func(context.Context, int64, orders.Due) (*orders.Payment, error)) bool {
		for _, deposit := range due {
			payment, err := one(ctx, chainID, deposit)
			failures = append(failures, err)
			if payment == nil {
				continue
			}
			sent = append(sent, *payment)
			if err != nil {
				return false
			}
		}
		return true
	}
	if start(refunds, e.refund) {
		start(fills, e.fill)
	}
	return sent, errors.Join(failures...)
}

// fill gives the payment that it started, if it did.
func (e *Engine) fill(ctx context.Context, chainID int64, due orders.Due) (*orders.Payment, error) {
	decision, err := e.desk.Fill(ctx, due)
	if err != nil {
		return nil, fmt.Errorf("price order %s: %w", due.Order.ID, err)
	}
	if decision.NotBefore.After(e.now()) {
		return nil, nil
	}
	if decision.Reason == "" {
		signed, err := e.chains[chainID].Sign(ctx, decision.Payment)
		if err == nil {
			return e.keepAndSend(ctx, due, orders.Fill, chainID, signed)
		}
		if !errors.Is(err, trade.ErrCannotPay) {
			return nil, fmt.Errorf("sign fill of %s: %w", due.Order.ID, err)
		}
		e.log.Info("venue cannot fill an order", "request", due.Order.ID.String(), "error", err)
		decision.Reason = "EXECUTION_REVERTED"
	}
	if err := e.store.RefuseFill(ctx, due, decision.Reason); err != nil {
		return nil, err
	}
	wake(e.pay[due.Deposit.ChainID])
	return nil, nil
}

// refund gives the payment that it started, if it did.
func (e *Engine) refund(ctx context.Context, chainID int64, due orders.Due) (*orders.Payment, error) {
	decision, err := e.desk.Refund(ctx, due)
	if err != nil {
		return nil, fmt.Errorf("price refund of %s: %w", due.Order.ID, err)
	}
	if decision.Reason == "" {
		signed, err := e.chains[chainID].Sign(ctx, decision.Payment)
		if err == nil {
			return e.keepAndSend(ctx, due, orders.RefundBack, chainID, signed)
		}
		if !errors.Is(err, trade.ErrCannotPay) {
			return nil, fmt.Errorf("sign refund of %s: %w", due.Order.ID, err)
		}
		decision.Reason = "MANUAL_REFUND_REQUIRED"
	}
	return nil, e.store.Keep(ctx, due, decision.Reason)
}

func (e *Engine) keepAndSend(ctx context.Context, due orders.Due, purpose orders.Purpose, chainID int64, signed trade.Signed) (*orders.Payment, error) {
	payment, err := e.store.Record(ctx, due, purpose, chainID, signed)
	if err != nil {
		return nil, fmt.Errorf("keep %s of %s: %w", purpose, due.Order.ID, err)
	}
	return &payment, e.broadcast(ctx, payment)
}

func (e *Engine) broadcast(ctx context.Context, payment orders.Payment) error {
	if err := e.chains[payment.ChainID].Broadcast(ctx, payment.Signed); err != nil {
		return fmt.Errorf("broadcast %s of %s: %w", payment.Purpose, payment.Deposit.ID, err)
	}
	return nil
}

// carryOut follows a payment that was sent, and sends the same bytes again and
// again, until its chain says how it ended.
func (e *Engine) carryOut(ctx context.Context, payment orders.Payment) error {
	sent := time.Now()
	ticker := time.NewTicker(outcomeInterval)
	defer ticker.Stop()
	for {
		if time.Since(sent) >= resendInterval {
			if err := e.broadcast(ctx, payment); err != nil {
				return err
			}
			sent = time.Now()
		}
		outcome, err := e.chains[payment.ChainID].Outcome(ctx, payment.Signed)
		if err != nil {
			return fmt.Errorf("look up %s of %s: %w", payment.Purpose, payment.Deposit.ID, err)
		}
		if outcome != trade.Pending {
			return e.finish(ctx, payment, outcome)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

func (e *Engine) finish(ctx context.Context, payment orders.Payment, outcome trade.Outcome) error {
	reason := "EXECUTION_REVERTED"
	if payment.Purpose == orders.RefundBack {
		reason = "MANUAL_REFUND_REQUIRED"
	}
	if err := e.store.Finish(ctx, payment, outcome, reason); err != nil {
		return err
	}
	e.log.Info("venue paid", "purpose", string(payment.Purpose), "chain", payment.ChainID,
		"request", payment.Deposit.ID.String(), "transaction", payment.Signed.Hash, "outcome", string(outcome))
	if outcome == trade.Reverted {
		wake(e.pay[payment.Deposit.ChainID])
	}
	return nil
}
