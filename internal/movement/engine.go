package movement

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tenfold/catalog"
	"tenfold/internal/fault"
	"tenfold/internal/quote"
)

// Pace of the engine.
const (
	// tick is how often the store is asked for work. It bounds how late a
	// restarted server resumes.
	tick = 500 * time.Millisecond
	// actionTimeout bounds one look at one movement.
	actionTimeout = 30 * time.Second
	// maxLanes bounds how many lanes are worked at once.
	maxLanes = 32
	// overdueBatch bounds how many unsigned movements one tick expires.
	overdueBatch = 100
	// slowest is the longest pause between two looks at one movement.
	slowest = 10 * time.Second
)

// Venues finds the venue of a movement; false when it is not enabled.
type Venues interface {
	Venue(name string) (quote.Venue, bool)
}

// Engine drives every signed movement to its end. It keeps nothing that can't
// be read again from the store: after a crash a new engine goes on where the
// state column stands.
type Engine struct {
	store    Store
	chains   Chains
	venues   Venues
	observer Observer
	now      func() time.Time
	log      *slog.Logger

	// started tells what an engine before this one may have sent already.
	started time.Time

	wake  chan struct{}
	mu    sync.Mutex
	busy  map[lane]bool
	later map[string]time.Time // movement id → not before
	// refusals remembers since when nodes refuse a movement's bytes.
	refusals map[string]refusal
}

// refusal is what this process knows of a broadcast that did not succeed.
type refusal struct {
	since    time.Time
	fault    *fault.Error // the last one; nil when none was proper
	doubtful bool         // a node may have taken the bytes all the same
}

// lane serialises what is done for one sender on one chain, because his
// transactions depend on each other's order.
type lane struct {
	chainID int64
	sender  string
}

// NewEngine makes the engine; Run starts it.
func NewEngine(store Store, chains Chains, venues Venues, observer Observer, now func() time.Time, log *slog.Logger) *Engine {
	return &Engine{
		store: store, chains: chains, venues: venues, observer: observer, now: now, log: log, started: now(),
		wake: make(chan struct{}, 1), busy: map[lane]bool{}, later: map[string]time.Time{},
		refusals: map[string]refusal{},
	}
}

// Poke wakes the engine. It never blocks.
func (e *Engine) Poke() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Run works until the context ends, and returns when no lane is busy any more.
func (e *Engine) Run(ctx context.Context) {
	var lanes sync.WaitGroup
	defer lanes.Wait()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		if err := e.dispatch(ctx, &lanes); err != nil && ctx.Err() == nil {
			e.log.ErrorContext(ctx, "movements can't be read", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-e.wake:
		}
	}
}

// dispatch starts a worker for every lane that has due work and none yet.
func (e *Engine) dispatch(ctx context.Context, lanes *sync.WaitGroup) error {
	if err := e.expireUnsigned(ctx); err != nil {
		return err
	}
	running, err := e.store.Running(ctx)
	if err != nil {
		return err
	}
	work := map[lane][]Movement{}
	for _, m := range running {
		l := lane{m.From.Asset.ChainID, m.From.Owner}
		work[l] = append(work[l], m)
	}
	for l, movements := range work {
		if !e.claim(l) {
			continue
		}
		lanes.Go(func() {
			defer e.release(l)
			e.workLane(ctx, movements)
		})
	}
	return nil
}

func (e *Engine) claim(l lane) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.busy[l] || len(e.busy) >= maxLanes {
		return false
	}
	e.busy[l] = true
	return true
}

func (e *Engine) release(l lane) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.busy, l)
}

// workLane looks at the lane's movements in the order in which they were made.
func (e *Engine) workLane(ctx context.Context, movements []Movement) {
	for _, m := range movements {
		if ctx.Err() != nil {
			return
		}
		if !e.due(m.ID) {
			continue
		}
		e.work(ctx, m)
	}
}

// work advances one movement until it has to wait.
func (e *Engine) work(ctx context.Context, m Movement) {
	ctx, cancel := context.WithTimeout(ctx, actionTimeout)
	defer cancel()
	been := map[State]bool{m.State: true}
	for {
		next, err := e.advance(ctx, m.clone())
		if err != nil && !errors.Is(err, context.Canceled) {
			// Whatever went wrong, the stored state is unchanged and the same look
			// will be repeated.
			e.log.WarnContext(ctx, "movement waits", slog.String("movement", m.ID), slog.String("state", string(m.State)), slog.Any("error", err))
		}
		if err != nil || !next.changed {
			e.postpone(m)
			return
		}
		before := m.State
		if m, err = e.save(ctx, next.movement, m); err != nil {
			if !errors.Is(err, ErrStale) {
				e.log.ErrorContext(ctx, "movement can't be saved", slog.String("movement", m.ID), slog.Any("error", err))
			}
			return
		}
		if next.balances != nil {
			e.observer.BalancesChanged(m.OrganizationID, next.balances)
		}
		if m.State.Final() {
			e.forget(m.ID)
			return
		}
		if m.State != before && been[m.State] {
			// A venue that names another transaction at each look leads in a circle.
			e.postpone(m)
			return
		}
		been[m.State] = true
	}
}

func (e *Engine) save(ctx context.Context, m, was Movement) (Movement, error) {
	m.UpdatedAt = e.now()
	if err := e.store.SaveMovement(ctx, m, was); err != nil {
		return was, err
	}
	m.Version++
	if m.State != was.State {
		e.log.InfoContext(ctx, "movement moved on", slog.String("movement", m.ID), slog.String("from", string(was.State)), slog.String("to", string(m.State)))
	}
	e.observer.MovementChanged(m)
	return m, nil
}

// expireUnsigned ends what nobody signed in time.
func (e *Engine) expireUnsigned(ctx context.Context) error {
	overdue, err := e.store.Overdue(ctx, e.now(), overdueBatch)
	if err != nil {
		return err
	}
	for _, was := range overdue {
		m := was.clone()
		if err := m.become(Expired, e.now()); err != nil {
			return err
		}
		for i := range m.Steps {
			m.Steps[i].State = StepExpired
		}
		if _, err := e.save(ctx, m, was); err != nil && !errors.Is(err, ErrStale) {
			return err
		}
	}
	return nil
}

func (e *Engine) due(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.now().Before(e.later[id])
}

func (e *Engine) forget(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.later, id)
	delete(e.refusals, id)
}

// postpone sets when to look again: as often as the chain makes blocks while a
// transaction is under way, and ever more slowly while a venue delivers.
func (e *Engine) postpone(m Movement) {
	pause := tick
	switch m.State {
	case Signed, Sent, Confirming:
		c, _ := catalog.ChainByID(m.From.Asset.ChainID)
		pause = min(max(tick, time.Duration(c.BlockTimeMs)*time.Millisecond/4), 3*time.Second)
	default:
		waited := e.now().Sub(m.since(Bridging))
		switch {
		case m.State == NeedsAction:
			pause = slowest
		case waited > time.Minute:
			pause = slowest
		case waited > 15*time.Second:
			pause = 3 * time.Second
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.later[m.ID] = e.now().Add(pause)
}

// since is when the movement first came to a state; now-like zero when never.
func (m Movement) since(s State) time.Time {
	for _, t := range m.Timeline {
		if t.State == s {
			return t.At
		}
	}
	return m.UpdatedAt
}
