package appdb

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"tenfold/internal/appdb/queries"
	"tenfold/internal/movement"
	"tenfold/internal/sqldb"
)

// InsertMovement implements movement.Store.
func (s *Store) InsertMovement(ctx context.Context, m movement.Movement, key movement.Idempotency) error {
	row := insertRow(m)
	err := s.write(ctx, func(q *queries.Queries) error {
		if err := q.InsertMovement(ctx, row); err != nil {
			return err
		}
		for _, step := range m.Steps {
			if err := q.InsertStep(ctx, stepRow(m.ID, step)); err != nil {
				return err
			}
		}
		if err := insertMoments(ctx, q, m, 0); err != nil {
			return err
		}
		return insertKey(ctx, q, m, key)
	})
	return taken(err)
}

// SaveMovement implements movement.Store.
func (s *Store) SaveMovement(ctx context.Context, m, was movement.Movement) error {
	return s.write(ctx, func(q *queries.Queries) error { return save(ctx, q, m, was) })
}

// SaveSigned implements movement.Store.
func (s *Store) SaveSigned(ctx context.Context, m, was movement.Movement, key movement.Idempotency) error {
	err := s.write(ctx, func(q *queries.Queries) error {
		for _, step := range m.Steps {
			if step.Unsigned.Nonce == nil {
				continue
			}
			used, err := nonceInUse(ctx, q, step.Unsigned.ChainID, step.Unsigned.From, *step.Unsigned.Nonce, m.ID)
			if err != nil {
				return err
			}
			if used {
				return movement.ErrNonceTaken
			}
		}
		if err := save(ctx, q, m, was); err != nil {
			return err
		}
		return insertKey(ctx, q, m, key)
	})
	return taken(err)
}

func taken(err error) error {
	if errors.Is(err, sqldb.ErrUniqueViolation) {
		return errors.Join(movement.ErrTaken, err)
	}
	return err
}

// save is the compare-and-set of a movement with its steps and new moments.
func save(ctx context.Context, q *queries.Queries, m, was movement.Movement) error {
	rows, err := q.UpdateMovement(ctx, updateRow(m, was))
	if err != nil {
		return err
	}
	if rows != 1 {
		return movement.ErrStale
	}
	for _, step := range m.Steps {
		row := stepRow(m.ID, step)
		err := q.UpdateStep(ctx, queries.UpdateStepParams{
			State: row.State, Signed: row.Signed, Hash: row.Hash, BlockNumber: row.BlockNumber, FeePaid: row.FeePaid,
			MovementID: row.MovementID, Step: row.Step,
		})
		if err != nil {
			return err
		}
	}
	return insertMoments(ctx, q, m, len(was.Timeline))
}

func insertMoments(ctx context.Context, q *queries.Queries, m movement.Movement, from int) error {
	for i := from; i < len(m.Timeline); i++ {
		err := q.InsertMoment(ctx, queries.InsertMomentParams{
			MovementID: m.ID, Moment: int64(i), State: string(m.Timeline[i].State), At: m.Timeline[i].At.UnixMilli(),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func insertKey(ctx context.Context, q *queries.Queries, m movement.Movement, key movement.Idempotency) error {
	return q.InsertKey(ctx, queries.InsertKeyParams{
		OrganizationID: m.OrganizationID, Key: key.Key, BodyHash: key.BodyHash,
		MovementID: m.ID, CreatedAt: m.UpdatedAt.UnixMilli(),
	})
}

// NonceInUse implements movement.Store.
func (s *Store) NonceInUse(ctx context.Context, chainID int64, sender string, nonce uint64) (bool, error) {
	return nonceInUse(ctx, s.read(), chainID, sender, nonce, "")
}

func nonceInUse(ctx context.Context, q *queries.Queries, chainID int64, sender string, nonce uint64, except string) (bool, error) {
	number := int64(nonce)
	others, err := q.OtherSignedNonces(ctx, queries.OtherSignedNoncesParams{
		ChainID: chainID, Sender: sender, Nonce: &number, MovementID: except,
	})
	return others > 0, err
}

// DeliveryTaken implements movement.Store.
func (s *Store) DeliveryTaken(ctx context.Context, m movement.Movement, hash string) (bool, error) {
	others, err := s.read().OtherDeliveries(ctx, queries.OtherDeliveriesParams{
		OrganizationID: m.OrganizationID, DeliveryHash: hash, ID: m.ID,
	})
	return others > 0, err
}

// Key implements movement.Store.
func (s *Store) Key(ctx context.Context, organizationID, key string) (movement.KeyUse, bool, error) {
	row, err := s.read().KeyByName(ctx, queries.KeyByNameParams{OrganizationID: organizationID, Key: key})
	if ok, err := found(err); !ok {
		return movement.KeyUse{}, false, err
	}
	return movement.KeyUse{BodyHash: row.BodyHash, MovementID: row.MovementID}, true, nil
}

// Movement implements movement.Store.
func (s *Store) Movement(ctx context.Context, organizationID, id string) (movement.Movement, bool, error) {
	return s.one(ctx, func(q *queries.Queries) (queries.Movement, error) {
		return q.MovementByID(ctx, queries.MovementByIDParams{OrganizationID: organizationID, ID: id})
	})
}

// MovementOfQuote implements movement.Store.
func (s *Store) MovementOfQuote(ctx context.Context, organizationID, quoteID string) (movement.Movement, bool, error) {
	return s.one(ctx, func(q *queries.Queries) (queries.Movement, error) {
		return q.MovementByQuote(ctx, queries.MovementByQuoteParams{OrganizationID: organizationID, QuoteID: &quoteID})
	})
}

func (s *Store) one(ctx context.Context, query func(q *queries.Queries) (queries.Movement, error)) (movement.Movement, bool, error) {
	var m movement.Movement
	err := s.db.View(ctx, func(tx sqldb.DBTX) error {
		q := queries.New(tx)
		row, err := query(q)
		if err != nil {
			return err
		}
		m, err = whole(ctx, q, row)
		return err
	})
	if ok, err := found(err); !ok {
		return movement.Movement{}, false, err
	}
	return m, true, nil
}

// newest is above every id: ids are hexadecimal.
const newest = "~"

// Movements implements movement.Store.
func (s *Store) Movements(ctx context.Context, organizationID string, page movement.Page) ([]movement.Movement, error) {
	before := page.Before
	if before == "" {
		before = newest
	}
	return s.many(ctx, func(q *queries.Queries) ([]queries.Movement, error) {
		return q.MovementsBefore(ctx, queries.MovementsBeforeParams{
			OrganizationID: organizationID, ID: before, Limit: int32(page.Limit),
		})
	})
}

// Running implements movement.Store.
func (s *Store) Running(ctx context.Context) ([]movement.Movement, error) {
	return s.many(ctx, func(q *queries.Queries) ([]queries.Movement, error) {
		var all []queries.Movement
		for _, state := range movement.States() {
			if !state.Running() {
				continue
			}
			rows, err := q.MovementsInState(ctx, string(state))
			if err != nil {
				return nil, err
			}
			all = append(all, rows...)
		}
		slices.SortFunc(all, func(a, b queries.Movement) int { return strings.Compare(a.ID, b.ID) })
		return all, nil
	})
}

// Overdue implements movement.Store.
func (s *Store) Overdue(ctx context.Context, now time.Time, limit int) ([]movement.Movement, error) {
	return s.many(ctx, func(q *queries.Queries) ([]queries.Movement, error) {
		return q.UnsignedExpired(ctx, queries.UnsignedExpiredParams{ExpiresAt: now.UnixMilli(), Limit: int32(limit)})
	})
}

func (s *Store) many(ctx context.Context, query func(q *queries.Queries) ([]queries.Movement, error)) ([]movement.Movement, error) {
	var list []movement.Movement
	err := s.db.View(ctx, func(tx sqldb.DBTX) error {
		q := queries.New(tx)
		rows, err := query(q)
		if err != nil {
			return err
		}
		list = make([]movement.Movement, len(rows))
		for i, row := range rows {
			if list[i], err = whole(ctx, q, row); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}
