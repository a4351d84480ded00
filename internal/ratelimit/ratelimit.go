// Package ratelimit lets each client do something only so often: the generic
// cell rate algorithm, one moment in time per client. It keeps no secret and
// must never be the only guard of anything.
//
// Layer: mechanism.
package ratelimit

import (
	"fmt"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
)

// maxClients bounds the memory that strangers can make us spend.
const maxClients = 100_000

// Limiter allows burst requests at once and then one per interval, per key.
type Limiter struct {
	interval time.Duration
	burst    time.Duration
	now      func() time.Time

	mu      sync.Mutex
	arrival *otter.Cache[string, time.Time] // theoretical arrival time of the next request
}

// PerMinute makes a limiter of so many requests a minute, all of which may come
// at once.
func PerMinute(requests int, now func() time.Time) (*Limiter, error) {
	if requests < 1 {
		return nil, fmt.Errorf("ratelimit: %d requests a minute", requests)
	}
	arrival, err := otter.New(&otter.Options[string, time.Time]{
		MaximumSize:      maxClients,
		ExpiryCalculator: otter.ExpiryWriting[string, time.Time](2 * time.Minute),
	})
	if err != nil {
		return nil, fmt.Errorf("ratelimit: %w", err)
	}
	return &Limiter{interval: time.Minute / time.Duration(requests), burst: time.Minute, now: now, arrival: arrival}, nil
}

// Allow tells whether one more request of the key may pass, and counts it when
// it may.
func (l *Limiter) Allow(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	due, _ := l.arrival.GetIfPresent(key)
	next, ok := admit(due, now, l.interval, l.burst)
	if ok {
		l.arrival.Set(key, next)
	}
	return ok
}

// admit is the algorithm: a request is early by how far its due time lies
// ahead, and passes when that is within the burst.
func admit(due, now time.Time, interval, burst time.Duration) (next time.Time, ok bool) {
	if due.Before(now) {
		due = now
	}
	next = due.Add(interval)
	return next, next.Sub(now) <= burst
}
