package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Attempts and waits of a transaction that keeps losing the write lock. The
// driver already waits busyTimeoutMillis in each attempt.
const (
	maxAttempts  = 5
	firstBackoff = 10 * time.Millisecond
)

// Write runs body in one write transaction and commits it when body returns nil;
// any error, and a panic, rolls everything back.
//
// The body is run again from its start when the store reports ErrConflict, so it
// must keep its effects inside the transaction and assign its results rather
// than append to them. It must use only the handle that it is given: a second
// Write inside it would wait for itself.
func (db *DB) Write(ctx context.Context, body func(tx DBTX) error) error {
	backoff := firstBackoff
	for attempt := 1; ; attempt++ {
		err := db.run(ctx, db.writer, nil, body)
		if err == nil || !errors.Is(err, ErrConflict) || attempt == maxAttempts {
			return err
		}
		if err := wait(ctx, backoff); err != nil {
			return err
		}
		backoff *= 2
	}
}

// View runs body in one read transaction: all its reads see the same state.
func (db *DB) View(ctx context.Context, body func(tx DBTX) error) error {
	return db.run(ctx, db.reader, &sql.TxOptions{ReadOnly: true}, body)
}

func (db *DB) run(ctx context.Context, pool *sql.DB, options *sql.TxOptions, body func(tx DBTX) error) error {
	tx, err := pool.BeginTx(ctx, options)
	if err != nil {
		return fmt.Errorf("sqldb: begin: %w", translate(err))
	}
	// After a commit the rollback is a no-op; on every other way out, a panic
	// included, it is what releases the connection.
	defer func() { _ = tx.Rollback() }()
	if err := body(adapter{tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("sqldb: commit: %w", translate(err))
	}
	return nil
}

func wait(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
