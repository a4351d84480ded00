package quote

import (
	"context"
	"time"
)

// Store keeps offers until they are long expired.
type Store interface {
	// InsertQuotes adds offers in one transaction.
	InsertQuotes(ctx context.Context, quotes []Stored) error
	// Quote finds a person's offer; ok is false when there is none.
	Quote(ctx context.Context, organizationID, id string) (stored Stored, ok bool, err error)
	// DeleteQuotesBefore removes what expired before the moment.
	DeleteQuotesBefore(ctx context.Context, moment time.Time) error
}
