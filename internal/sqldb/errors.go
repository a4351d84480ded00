package sqldb

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// ErrUniqueViolation marks an insert or update that a unique index or a
	// primary key refused. Domains turn it into "exists already".
	ErrUniqueViolation = errors.New("unique violation")
	// ErrConflict marks a transaction that lost a race with another process and
	// may be run again. Write retries it; callers see it only when that failed.
	ErrConflict = errors.New("transaction conflict")
)

// primaryCodeMask keeps the primary part of SQLite's extended result codes.
const primaryCodeMask = 0xff

// translate adds the neutral sentinel to a driver error. It is applied wherever
// this package hands out an error, so that nobody else looks at driver codes.
func translate(err error) error {
	var driverError *sqlite.Error
	if err == nil || !errors.As(err, &driverError) {
		return err
	}
	switch code := driverError.Code(); {
	case code == sqlite3.SQLITE_CONSTRAINT_UNIQUE, code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return fmt.Errorf("%w: %w", ErrUniqueViolation, err)
	case code&primaryCodeMask == sqlite3.SQLITE_BUSY, code&primaryCodeMask == sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return err
}
