package movement

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/quote"
)

// A delivery is late when it takes this many times the venue's estimate, and at
// least the minimum.
const (
	lateFactor  = 10
	lateMinimum = time.Minute
	// longestEstimate is the most that a venue's estimate can put off the word
	// that it is late.
	longestEstimate = 10 * time.Minute
)

// index tells the venue of a broadcast deposit or swap, so that it need not wait to find
// it. It is a courtesy: the venue finds deposits itself, so failures only wait.
func (e *Engine) index(ctx context.Context, m *Movement, s *Step) {
	if m.Indexed || m.Venue == "" || s != m.lastStep() {
		return
	}
	venue, ok := e.venues.Venue(m.Venue)
	if !ok {
		return
	}
	if err := venue.Index(ctx, s.Unsigned.ChainID, s.Signed.Hash, m.RequestID); err != nil {
		e.log.DebugContext(ctx, "venue was not told", slog.String("movement", m.ID), slog.Any("error", err))
		return
	}
	m.Indexed = true
}

// advanceBridging asks the venue how far it is. Its word only says where to
// look; money is believed when it is read from a chain.
func (e *Engine) advanceBridging(ctx context.Context, m Movement) (result, error) {
	venue, ok := e.venues.Venue(m.Venue)
	if !ok {
		return result{}, fmt.Errorf("venue %q is not enabled", m.Venue)
	}
	status, err := venue.Status(ctx, m.RequestID)
	if err != nil {
		return e.orLate(m, err)
	}
	switch status.State {
	case quote.Success:
		return e.claimedDelivery(ctx, m, status)
	case quote.Refund:
		return e.claimedRefund(ctx, m, status)
	case quote.Failure:
		return e.venueGaveUp(m, status)
	}
	told := m.Indexed
	if e.index(ctx, &m, m.lastStep()); m.Indexed != told {
		return changed(m)
	}
	return e.ifLate(m)
}

func (e *Engine) claimedDelivery(ctx context.Context, m Movement, status quote.Status) (result, error) {
	if len(status.OutHashes) == 0 {
		return e.ifLate(m)
	}
	hash := status.OutHashes[len(status.OutHashes)-1]
	if m.State != Bridging && hash == m.DeliveryHash {
		// The same claim as before, which the chain did not bear out yet: look
		// again, without a move of state.
		return e.advanceDelivering(ctx, m)
	}
	m.DeliveryHash = hash
	if err := m.become(Delivering, e.now()); err != nil {
		return result{}, err
	}
	return changed(m)
}

// venueGaveUp waits for the refund that may follow a failure.
func (e *Engine) venueGaveUp(m Movement, status quote.Status) (result, error) {
	problem := venueFailed(status.RefundFailReason)
	if m.State == NeedsAction && m.Problem != nil && *m.Problem == *problem {
		return unchanged(m)
	}
	m.Problem = problem
	if err := m.become(NeedsAction, e.now()); err != nil {
		return result{}, err
	}
	return changed(m)
}

// claimedRefund looks for the refund on the origin chain: in the asset that
// left, or in any other of the catalog's.
func (e *Engine) claimedRefund(ctx context.Context, m Movement, status quote.Status) (result, error) {
	if len(status.OutHashes) == 0 {
		return e.ifLate(m)
	}
	hash := status.OutHashes[len(status.OutHashes)-1]
	origin := m.From.Asset.ChainID
	adapter, ok := e.chains.Adapter(origin)
	if !ok {
		return result{}, fmt.Errorf("no adapter of chain %d", origin)
	}
	found, err := adapter.Lookup(ctx, chain.Unsigned{ChainID: origin}, hash)
	if err != nil {
		return e.orLate(m, err)
	}
	if found.Phase != chain.PhaseSettled {
		return e.ifLate(m)
	}
	if taken, err := e.store.DeliveryTaken(ctx, m, hash); err != nil || taken {
		return e.takenOr(m, err)
	}
	c, _ := catalog.ChainByID(origin)
	for _, asset := range append([]catalog.Asset{m.From.Asset}, c.Assets()...) {
		back, err := adapter.Received(ctx, hash, m.From.Owner, asset)
		if err != nil {
			return e.orLate(m, fmt.Errorf("read the refund: %w", err))
		}
		if back.Sign() > 0 {
			m.Refund, m.DeliveryHash = &Refund{Asset: asset, Amount: back}, hash
			m.Problem = refundedProblem(*m.Refund)
			if err := m.become(Refunded, e.now()); err != nil {
				return result{}, err
			}
			return changed(m, origin)
		}
	}
	return e.missing(m)
}

// advanceDelivering reads the delivery from the destination chain itself.
func (e *Engine) advanceDelivering(ctx context.Context, m Movement) (result, error) {
	destination := m.To.Asset.ChainID
	adapter, ok := e.chains.Adapter(destination)
	if !ok {
		return result{}, fmt.Errorf("no adapter of chain %d", destination)
	}
	found, err := adapter.Lookup(ctx, chain.Unsigned{ChainID: destination}, m.DeliveryHash)
	if err != nil {
		return e.orLate(m, err)
	}
	switch found.Phase {
	case chain.PhaseSettled:
	case chain.PhaseFailed:
		return e.missing(m)
	default:
		return e.ifLate(m)
	}
	arrived, err := adapter.Received(ctx, m.DeliveryHash, m.To.Recipient, m.To.Asset)
	if err != nil {
		return e.orLate(m, fmt.Errorf("read the delivery: %w", err))
	}
	if arrived.Sign() <= 0 {
		return e.missing(m)
	}
	if taken, err := e.store.DeliveryTaken(ctx, m, m.DeliveryHash); err != nil || taken {
		return e.takenOr(m, err)
	}
	m.To.Amount, m.Problem = arrived, nil
	if arrived.Cmp(m.least()) < 0 {
		m.Problem = belowMinimum()
	}
	if err := m.become(Done, e.now()); err != nil {
		return result{}, err
	}
	return changed(m, destination)
}

// takenOr is for a claim that names what another movement has brought already:
// money counts once. A store that can't tell is asked again.
func (e *Engine) takenOr(m Movement, err error) (result, error) {
	if err != nil {
		return result{}, fmt.Errorf("find the delivery's movement: %w", err)
	}
	return e.missing(m)
}

// missing is for a claim that the chain does not bear out.
func (e *Engine) missing(m Movement) (result, error) {
	problem := deliveryMissing()
	if m.State == NeedsAction && m.Problem != nil && *m.Problem == *problem {
		return unchanged(m)
	}
	m.Problem = problem
	if err := m.become(NeedsAction, e.now()); err != nil {
		return result{}, err
	}
	return changed(m)
}

// ifLate marks a movement that takes longer than it should, once.
func (e *Engine) ifLate(m Movement) (result, error) {
	expected := time.Duration(min(m.ExpectedSeconds, int64(longestEstimate/time.Second))) * time.Second
	patience := max(lateMinimum, lateFactor*expected)
	if m.State == Delayed || m.State == NeedsAction || e.now().Sub(m.since(Bridging)) < patience {
		return unchanged(m)
	}
	m.Problem = delayed()
	if err := m.become(Delayed, e.now()); err != nil {
		return result{}, err
	}
	return changed(m)
}

// orLate is for a look that failed. The movement becomes late meanwhile all the
// same: from there the venue is asked again, so that a hash at which nothing can
// be read, down to one that is none, does not hold it up for ever.
func (e *Engine) orLate(m Movement, failure error) (result, error) {
	late, err := e.ifLate(m)
	if err != nil || late.changed {
		return late, err
	}
	return result{}, failure
}
