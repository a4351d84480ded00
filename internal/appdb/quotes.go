package appdb

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tenfold/internal/appdb/queries"
	"tenfold/internal/quote"
)

// InsertQuotes implements quote.Store.
func (s *Store) InsertQuotes(ctx context.Context, quotes []quote.Stored) error {
	rows := make([]queries.InsertQuoteParams, len(quotes))
	for i, one := range quotes {
		offer, err := json.Marshal(one.Offer)
		if err != nil {
			return fmt.Errorf("appdb: encode offer: %w", err)
		}
		rows[i] = queries.InsertQuoteParams{
			ID: one.ID, OrganizationID: one.OrganizationID, Digest: one.Digest, Offer: string(offer),
			CreatedAt: one.CreatedAt.UnixMilli(), ExpiresAt: one.ExpiresAt.UnixMilli(),
		}
	}
	return s.write(ctx, func(q *queries.Queries) error {
		for _, row := range rows {
			if err := q.InsertQuote(ctx, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// Quote implements quote.Store.
func (s *Store) Quote(ctx context.Context, organizationID, id string) (quote.Stored, bool, error) {
	row, err := s.read().QuoteByID(ctx, queries.QuoteByIDParams{OrganizationID: organizationID, ID: id})
	if ok, err := found(err); !ok {
		return quote.Stored{}, false, err
	}
	stored := quote.Stored{
		ID: row.ID, OrganizationID: row.OrganizationID, Digest: row.Digest,
		CreatedAt: moment(row.CreatedAt), ExpiresAt: moment(row.ExpiresAt),
	}
	if err := json.Unmarshal([]byte(row.Offer), &stored.Offer); err != nil {
		return quote.Stored{}, false, fmt.Errorf("appdb: decode offer: %w", err)
	}
	return stored, true, nil
}

// DeleteQuotesBefore implements quote.Store.
func (s *Store) DeleteQuotesBefore(ctx context.Context, moment time.Time) error {
	return s.write(ctx, func(q *queries.Queries) error { return q.DeleteQuotesBefore(ctx, moment.UnixMilli()) })
}
