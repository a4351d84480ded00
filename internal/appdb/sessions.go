package appdb

import (
	"context"
	"errors"
	"time"

	"tenfold/internal/appdb/queries"
	"tenfold/internal/session"
	"tenfold/internal/sqldb"
)

// InsertSession implements session.Store.
func (s *Store) InsertSession(ctx context.Context, tokenHash string, opened session.Session, request session.Request, createdAt time.Time) error {
	err := s.write(ctx, func(q *queries.Queries) error {
		if request.Hash != "" {
			used := queries.InsertUsedRequestParams{RequestHash: request.Hash, ExpiresAt: request.ForgetAt.UnixMilli()}
			if err := q.InsertUsedRequest(ctx, used); err != nil {
				return err
			}
		}
		return q.InsertSession(ctx, queries.InsertSessionParams{
			TokenHash: tokenHash, OrganizationID: opened.OrganizationID, UserID: opened.UserID,
			CreatedAt: createdAt.UnixMilli(), ExpiresAt: opened.ExpiresAt.UnixMilli(),
		})
	})
	if errors.Is(err, sqldb.ErrUniqueViolation) {
		return session.ErrUsed
	}
	return err
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
	return s.write(ctx, func(q *queries.Queries) error {
		if err := q.DeleteExpiredUsedRequests(ctx, before.UnixMilli()); err != nil {
			return err
		}
		return q.DeleteExpiredSessions(ctx, before.UnixMilli())
	})
}
