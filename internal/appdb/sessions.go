package appdb

import (
	"context"
	"time"

	"tenfold/internal/appdb/queries"
	"tenfold/internal/session"
)

// InsertSession implements session.Store.
func (s *Store) InsertSession(ctx context.Context, tokenHash string, opened session.Session, createdAt time.Time) error {
	return s.write(ctx, func(q *queries.Queries) error {
		return q.InsertSession(ctx, queries.InsertSessionParams{
			TokenHash: tokenHash, OrganizationID: opened.OrganizationID, UserID: opened.UserID,
			CreatedAt: createdAt.UnixMilli(), ExpiresAt: opened.ExpiresAt.UnixMilli(),
		})
	})
}

// SessionByTokenHash implements session.Store.
func (s *Store) SessionByTokenHash(ctx context.Context, tokenHash string) (session.Session, bool, error) {
	row, err := s.read().SessionByTokenHash(ctx, tokenHash)
	if ok, err := found(err); !ok {
		return session.Session{}, false, err
	}
	return session.Session{
		OrganizationID: row.OrganizationID, UserID: row.UserID, ExpiresAt: moment(row.ExpiresAt),
	}, true, nil
}

// DeleteSession implements session.Store.
func (s *Store) DeleteSession(ctx context.Context, tokenHash string) error {
	return s.write(ctx, func(q *queries.Queries) error { return q.DeleteSession(ctx, tokenHash) })
}

// DeleteExpiredSessions implements session.Store.
func (s *Store) DeleteExpiredSessions(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(q *queries.Queries) error { return q.DeleteExpiredSessions(ctx, before.UnixMilli()) })
}
