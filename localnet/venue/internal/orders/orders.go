// Package orders keeps what the venue has promised, what it has been paid and
// what it has paid, in one SQLite file. Every change is on disk before a
// function returns. It decides nothing about amounts and talks to no chain.
//
// Layer: part of the local network's venue.
package orders

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"tenfold/internal/sqldb"
	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/trade"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Status is how far an order has come, in the words of Relay's status v3.
type Status string

// The statuses. Success, Failure and Refund are final.
const (
	Waiting   Status = "waiting"
	Pending   Status = "pending"
	Submitted Status = "submitted"
	Success   Status = "success"
	Failure   Status = "failure"
	Refund    Status = "refund"
)

// Terms are what an order promises. Chain ids and asset addresses are the
// catalog's, amounts base units, addresses canonical.
type Terms struct {
	Operation        string `json:"operation"`
	User             string `json:"user"`
	Recipient        string `json:"recipient"`
	RefundTo         string `json:"refundTo"`
	OriginChain      int64  `json:"originChain"`
	DestinationChain int64  `json:"destinationChain"`
	In               string `json:"in"`
	Out              string `json:"out"`
	AmountIn         string `json:"amountIn"`
	AmountOut        string `json:"amountOut"`
	MinimumOut       string `json:"minimumOut"`
	// Execution is what carrying the order out costs, in US dollars as an exact
	// fraction; it was promised with the quote and does not move with fees.
	Execution string `json:"execution"`
	Referrer  string `json:"referrer"`
	// Match recognises the user's transaction on the origin chain.
	Match string `json:"match"`
}

// SameChain says that the user's own transaction is all there is.
func (t Terms) SameChain() bool { return t.OriginChain == t.DestinationChain }

// Order is one quote and what has become of it.
type Order struct {
	ID               trade.RequestID
	Terms            Terms
	Status           Status
	FailReason       string
	RefundFailReason string
	InHash           string // the user's transaction; empty until it is known
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// ErrUnknown says that no order has the id.
var ErrUnknown = errors.New("unknown request")

// Store is the open file.
type Store struct {
	db  *sqldb.DB
	now func() time.Time
}

// Open opens the store in a folder, which must exist.
func Open(ctx context.Context, dir string, now func() time.Time) (*Store, error) {
	db, err := sqldb.Open(ctx, filepath.Join(dir, "venue.db"))
	if err != nil {
		return nil, fmt.Errorf("open orders: %w", err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err == nil {
		err = db.Migrate(ctx, files)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare orders: %w", err), db.Close())
	}
	return &Store{db: db, now: now}, nil
}

// Close releases the file.
func (s *Store) Close() error { return s.db.Close() }

// Add keeps a new order, waiting for its deposit.
func (s *Store) Add(ctx context.Context, id trade.RequestID, terms Terms) error {
	encoded, err := json.Marshal(terms)
	if err != nil {
		return fmt.Errorf("encode terms: %w", err)
	}
	return s.db.Write(ctx, func(tx sqldb.DBTX) error {
		now := s.now().UnixMilli()
		_, err := tx.Exec(ctx, `INSERT INTO orders
			(id, terms, origin_chain, destination_chain, same_chain, match, status, fail_reason, refund_fail_reason, in_hash, created_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, '', $9, $9)`,
			id.String(), string(encoded), terms.OriginChain, terms.DestinationChain, terms.SameChain(), terms.Match,
			string(Waiting), relaywire.NoReason, now)
		return err
	})
}

const orderColumns = `id, terms, status, fail_reason, refund_fail_reason, in_hash, created_at, updated_at`

type scanner interface{ Scan(...any) error }

func scanOrder(row scanner) (Order, error) {
	var (
		order            Order
		id, terms        string
		created, updated int64
	)
	err := row.Scan(&id, &terms, &order.Status, &order.FailReason, &order.RefundFailReason, &order.InHash, &created, &updated)
	if err != nil {
		return Order{}, err
	}
	if order.ID, err = trade.ParseRequestID(id); err != nil {
		return Order{}, err
	}
	if err := json.Unmarshal([]byte(terms), &order.Terms); err != nil {
		return Order{}, fmt.Errorf("decode terms: %w", err)
	}
	order.CreatedAt, order.UpdatedAt = time.UnixMilli(created), time.UnixMilli(updated)
	return order, nil
}

// Get reads an order, or ErrUnknown.
func (s *Store) Get(ctx context.Context, id trade.RequestID) (Order, error) {
	order, err := scanOrder(s.db.Reader().QueryRow(ctx, `SELECT `+orderColumns+` FROM orders WHERE id = $1`, id.String()))
	if errors.Is(err, sqldb.ErrNotFound) {
		return Order{}, ErrUnknown
	}
	return order, err
}

// OpenSameChain lists the orders of one chain, made after since, whose own
// transaction has not been seen to end, newest first.
func (s *Store) OpenSameChain(ctx context.Context, chainID int64, since time.Time) ([]Order, error) {
	rows, err := s.db.Reader().Query(ctx, `SELECT `+orderColumns+` FROM orders
		WHERE same_chain AND status IN ('waiting', 'pending') AND origin_chain = $1 AND created_at >= $2 ORDER BY created_at DESC`,
		chainID, since.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Order
	for rows.Next() {
		order, err := scanOrder(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, order)
	}
	return list, rows.Err()
}

// SetInHash notes the user's transaction of a same-chain order and that its
// outcome is awaited. It changes nothing once an outcome is known.
func (s *Store) SetInHash(ctx context.Context, id trade.RequestID, hash string) error {
	return s.db.Write(ctx, func(tx sqldb.DBTX) error {
		_, err := tx.Exec(ctx, `UPDATE orders SET in_hash = $2, status = $3, updated_at = $4
			WHERE id = $1 AND same_chain AND status IN ('waiting', 'pending')`,
			id.String(), hash, string(Pending), s.now().UnixMilli())
		return err
	})
}

// DropInHash forgets a transaction that turned out not to be the order's own.
func (s *Store) DropInHash(ctx context.Context, id trade.RequestID) error {
	return s.db.Write(ctx, func(tx sqldb.DBTX) error {
		_, err := tx.Exec(ctx, `UPDATE orders SET in_hash = '', status = 'waiting', updated_at = $2
			WHERE id = $1 AND same_chain AND status = 'pending'`, id.String(), s.now().UnixMilli())
		return err
	})
}

// SettleSameChain notes how the user's own transaction ended.
func (s *Store) SettleSameChain(ctx context.Context, id trade.RequestID, status Status, failReason string) error {
	return s.db.Write(ctx, func(tx sqldb.DBTX) error {
		_, err := tx.Exec(ctx, `UPDATE orders SET status = $2, fail_reason = $3, updated_at = $4
			WHERE id = $1 AND same_chain AND status = 'pending'`, id.String(), string(status), failReason, s.now().UnixMilli())
		return err
	})
}
