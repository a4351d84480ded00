package movement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// result is what one look at a movement found.
type result struct {
	movement Movement
	changed  bool
	// balances lists the chains on which the person's balances have changed.
	balances []int64
}

func unchanged(m Movement) (result, error) { return result{movement: m}, nil }

func changed(m Movement, balances ...int64) (result, error) {
	return result{movement: m, changed: true, balances: balances}, nil
}

// advance looks at the world once and says what the movement becomes. It stores
// nothing: the caller does, before the next look.
func (e *Engine) advance(ctx context.Context, m Movement) (result, error) {
	switch m.State {
	case Signed, Sent, Confirming:
		return e.advanceSteps(ctx, m)
	case Bridging, Delayed, NeedsAction:
		return e.advanceBridging(ctx, m)
	case Delivering:
		return e.advanceDelivering(ctx, m)
	default:
		return result{}, fmt.Errorf("movement %s in state %s has nothing to do", m.ID, m.State)
	}
}

// advanceSteps works on the first step that is not confirmed.
func (e *Engine) advanceSteps(ctx context.Context, m Movement) (result, error) {
	for i := range m.Steps {
		s := &m.Steps[i]
		if s.State == StepConfirmed {
			continue
		}
		adapter, ok := e.chains.Adapter(s.Unsigned.ChainID)
		if !ok {
			return result{}, fmt.Errorf("no adapter of chain %d", s.Unsigned.ChainID)
		}
		if s.State == StepSigned {
			return e.broadcast(ctx, m, s, adapter)
		}
		return e.follow(ctx, m, s, adapter)
	}
	return e.finishOrigin(ctx, m)
}

// broadcast sends the stored bytes. Whatever the node answers, what counts is
// what the chain then says of the transaction.
func (e *Engine) broadcast(ctx context.Context, m Movement, s *Step, adapter chain.Adapter) (result, error) {
	sendErr := adapter.Broadcast(ctx, *s.Signed)
	if sendErr == nil {
		s.State = StepSent
		e.index(ctx, &m, s)
		return e.sent(m)
	}
	if fault.CodeOf(sendErr) != fault.BroadcastRefused {
		e.doubt(m.ID)
	}
	found, err := adapter.Lookup(ctx, s.Unsigned, s.Signed.Hash)
	if err != nil {
		return result{}, errors.Join(sendErr, err)
	}
	switch {
	case found.Phase == chain.PhaseImpossible:
		return e.dead(m, s)
	case found.Phase != chain.PhaseUnknown:
		s.State = StepSent
		return e.sent(m)
	case fault.CodeOf(sendErr) == fault.BroadcastRefused && e.believed(m, s, fault.Of(sendErr)):
		s.State = StepFailed
		return e.stop(m, Failed, refusedByNode(m, fault.Of(sendErr)))
	default:
		return result{}, sendErr
	}
}

const (
	// refusalPatience is how long refusals are repeated before they are believed: a
	// node that lags refuses what the next block makes valid.
	refusalPatience = 5 * time.Second
	// doubtPatience is the same where a node may have taken the bytes before: they
	// would by then be in a block, or known to the node that refuses them.
	doubtPatience = time.Minute
)

// believed remembers a node's refusal and tells whether it ends the movement. A
// transaction that has an end of its own (Solana's blockhash) is waited for
// instead, because then its death is proved.
func (e *Engine) believed(m Movement, s *Step, f *fault.Error) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, known := e.refusals[m.ID]
	if !known {
		r.since = e.now()
	}
	r.fault = f
	e.refusals[m.ID] = r
	patience := refusalPatience
	if r.doubtful || m.since(Signed).Before(e.started) {
		patience = doubtPatience
	}
	return s.Unsigned.LastValidBlockHeight == 0 && e.now().Sub(r.since) > patience
}

// doubt remembers that a node may have taken a movement's bytes without saying so.
func (e *Engine) doubt(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.refusals[id]
	if !r.doubtful {
		r.since, r.doubtful = e.now(), true
	}
	e.refusals[id] = r
}

// refused is the last refusal of a movement's bytes in this process; nil if none.
func (e *Engine) refused(id string) *fault.Error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.refusals[id].fault
}

func (e *Engine) sent(m Movement) (result, error) {
	if m.State == Signed {
		if err := m.become(Sent, e.now()); err != nil {
			return result{}, err
		}
	}
	return changed(m)
}

// follow looks where a sent transaction is.
func (e *Engine) follow(ctx context.Context, m Movement, s *Step, adapter chain.Adapter) (result, error) {
	found, err := adapter.Lookup(ctx, s.Unsigned, s.Signed.Hash)
	if err != nil {
		return result{}, err
	}
	switch found.Phase {
	case chain.PhaseUnknown:
		// Dropped, or the node lags: the same bytes again do no harm, those of the
		// steps before included.
		return unchangedAfter(m, e.rebroadcast(ctx, m, s.Index, adapter))
	case chain.PhaseIncluded:
		return e.included(m, s, found)
	case chain.PhaseSettled:
		s.State, s.BlockNumber, s.FeePaid = StepConfirmed, found.BlockNumber, found.Fee
		e.index(ctx, &m, s)
		return e.confirming(m, s.Unsigned.ChainID)
	case chain.PhaseFailed:
		s.State, s.BlockNumber, s.FeePaid = StepFailed, found.BlockNumber, found.Fee
		return e.stop(m, Failed, stepFailed(m, found.Reason))
	case chain.PhaseImpossible:
		return e.dead(m, s)
	default:
		return unchanged(m)
	}
}

func unchangedAfter(m Movement, err error) (result, error) {
	return result{movement: m}, err
}

func (e *Engine) rebroadcast(ctx context.Context, m Movement, upTo int, adapter chain.Adapter) error {
	for _, s := range m.Steps[:upTo+1] {
		err := adapter.Broadcast(ctx, *s.Signed)
		if err != nil && fault.CodeOf(err) != fault.BroadcastRefused {
			return err
		}
	}
	return nil
}

// included is a transaction in a block that is not settled.
func (e *Engine) included(m Movement, s *Step, found chain.Lookup) (result, error) {
	if s.State == StepConfirming && s.BlockNumber == found.BlockNumber {
		return unchanged(m)
	}
	s.State, s.BlockNumber = StepConfirming, found.BlockNumber
	return e.confirming(m, s.Unsigned.ChainID)
}

func (e *Engine) confirming(m Movement, chainID int64) (result, error) {
	if err := m.become(Confirming, e.now()); err != nil {
		return result{}, err
	}
	return changed(m, chainID)
}

// dead ends a movement whose transaction provably can't land any more.
func (e *Engine) dead(m Movement, s *Step) (result, error) {
	s.State = StepExpired
	problem := neverLanded(m)
	if f := e.refused(m.ID); f != nil {
		problem = refusedByNode(m, f) // why it never landed
	}
	return e.stop(m, Expired, problem)
}

// stop ends a movement at a step that did not happen. The steps after it were
// never sent, and never will be.
func (e *Engine) stop(m Movement, state State, problem *Problem) (result, error) {
	for i := range m.Steps {
		if m.Steps[i].State == StepSigned {
			m.Steps[i].State = StepExpired
		}
	}
	m.Problem = problem
	if err := m.become(state, e.now()); err != nil {
		return result{}, err
	}
	return changed(m, m.From.Asset.ChainID)
}

// finishOrigin reads what the settled transaction really moved. A movement
// within one chain is done then; one across chains waits for the venue.
func (e *Engine) finishOrigin(ctx context.Context, m Movement) (result, error) {
	s := m.lastStep()
	adapter, ok := e.chains.Adapter(s.Unsigned.ChainID)
	if !ok {
		return result{}, fmt.Errorf("no adapter of chain %d", s.Unsigned.ChainID)
	}
	if err := readWhatLeft(ctx, &m, s, adapter); err != nil {
		return result{}, fmt.Errorf("read what left: %w", err)
	}
	if m.CrossChain() {
		if err := m.become(Bridging, e.now()); err != nil {
			return result{}, err
		}
		return changed(m)
	}
	arrived, err := adapter.Received(ctx, s.Signed.Hash, m.To.Recipient, m.To.Asset)
	if err != nil {
		return result{}, fmt.Errorf("read what arrived: %w", err)
	}
	m.To.Amount = arrived
	if least := m.least(); arrived.Cmp(least) < 0 {
		m.Problem = belowMinimum()
	}
	if err := m.become(Done, e.now()); err != nil {
		return result{}, err
	}
	return changed(m, s.Unsigned.ChainID)
}

// readWhatLeft records what the chain says was taken from the sender. Rent for
// new accounts leaves in the native coin beside the amount; it is a cost, not
// part of the amount.
func readWhatLeft(ctx context.Context, m *Movement, s *Step, adapter chain.Adapter) error {
	delta, err := adapter.Received(ctx, s.Signed.Hash, m.From.Owner, m.From.Asset)
	if err != nil {
		return err
	}
	left := new(big.Int).Neg(delta)
	if s.Unsigned.Rent == nil || s.Unsigned.Rent.Sign() == 0 || s.FeePaid == nil {
		m.From.Amount = positive(left, m.From.Amount)
		return nil
	}
	rent := new(big.Int).Sub(left, m.From.Amount)
	if !m.From.Asset.Native {
		m.From.Amount = positive(left, m.From.Amount)
		native, err := adapter.Received(ctx, s.Signed.Hash, m.From.Owner, nativeOf(s.Unsigned.ChainID))
		if err != nil {
			return err
		}
		rent.Neg(native)
	}
	if rent.Sign() > 0 && rent.Cmp(s.Unsigned.Rent) <= 0 {
		s.FeePaid = new(big.Int).Add(s.FeePaid, rent)
	}
	return nil
}

// positive prefers what was read; a reading that says that nothing left is a
// transaction of a shape that has no such amount.
func positive(read, asked *big.Int) *big.Int {
	if read.Sign() > 0 {
		return read
	}
	return asked
}

// least is what must arrive: the quote's minimum, or what was sent.
func (m Movement) least() *big.Int {
	if m.To.Minimum != nil {
		return m.To.Minimum
	}
	return m.From.Amount
}
