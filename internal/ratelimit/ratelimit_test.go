package ratelimit_test

import (
	"testing"
	"time"

	"tenfold/internal/ratelimit"
)

func TestLimiter(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	l, err := ratelimit.PerMinute(3, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	allow := func(key string, want bool) {
		t.Helper()
		if got := l.Allow(key); got != want {
			t.Errorf("at %v, %s: allowed %v, want %v", now.Sub(time.Unix(1_700_000_000, 0)), key, got, want)
		}
	}
	for range 3 {
		allow("a", true)
	}
	allow("a", false)
	allow("b", true) // another client is not held up
	now = now.Add(19 * time.Second)
	allow("a", false)
	now = now.Add(time.Second) // a third of the minute gives one back
	allow("a", true)
	allow("a", false)
	now = now.Add(time.Minute)
	for range 3 {
		allow("a", true)
	}
	allow("a", false)
}

func TestLimiterRefusesZero(t *testing.T) {
	t.Parallel()
	if _, err := ratelimit.PerMinute(0, time.Now); err == nil {
		t.Error("a limiter that lets nobody pass was made")
	}
}
