package orders

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"tenfold/internal/sqldb"
	"tenfold/localnet/venue/internal/trade"
)

// Due is a deposit that the solver has to answer, with its order.
type Due struct {
	Order   Order
	Deposit trade.Deposit
	// First tells the deposit that is the order's own from one too many.
	First      bool
	ReceivedAt time.Time
}

// Cursor is how far the chain has been read; empty at first.
func (s *Store) Cursor(ctx context.Context, chainID int64) (string, error) {
	var position string
	err := s.db.Reader().QueryRow(ctx, `SELECT position FROM cursors WHERE chain_id = $1`, chainID).Scan(&position)
	if errors.Is(err, sqldb.ErrNotFound) {
		return "", nil
	}
	return position, err
}

// Take keeps deposits and the cursor up to which they were read, all or nothing.
// A deposit that is known already changes nothing. It gives the deposits whose
// id belongs to no order.
func (s *Store) Take(ctx context.Context, chainID int64, deposits []trade.Deposit, cursor string) ([]trade.Deposit, error) {
	var unknown []trade.Deposit
	err := s.db.Write(ctx, func(tx sqldb.DBTX) error {
		unknown = nil
		for _, deposit := range deposits {
			known, err := s.take(ctx, tx, deposit)
			if err != nil {
				return err
			}
			if !known {
				unknown = append(unknown, deposit)
			}
		}
		_, err := tx.Exec(ctx, `INSERT INTO cursors (chain_id, position) VALUES ($1, $2)
			ON CONFLICT (chain_id) DO UPDATE SET position = excluded.position`, chainID, cursor)
		return err
	})
	return unknown, err
}

func (s *Store) take(ctx context.Context, tx sqldb.DBTX, deposit trade.Deposit) (known bool, err error) {
	var orders, first int
	if err := tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM orders WHERE id = $1),
		NOT EXISTS (SELECT 1 FROM deposits WHERE order_id = $1 AND is_first)`, deposit.ID.String()).Scan(&orders, &first); err != nil {
		return false, err
	}
	if orders == 0 {
		return false, nil
	}
	now := s.now().UnixMilli()
	inserted, err := tx.Exec(ctx, `INSERT INTO deposits
		(chain_id, hash, position, order_id, depositor, asset, amount, is_first, state, received_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'received', $9) ON CONFLICT (chain_id, hash, position) DO NOTHING`,
		deposit.ChainID, deposit.Hash, deposit.Position, deposit.ID.String(), deposit.Depositor, deposit.Asset,
		deposit.Amount.String(), first, now)
	if err != nil || inserted.RowsAffected() == 0 || first == 0 {
		return true, err
	}
	_, err = tx.Exec(ctx, `UPDATE orders SET status = 'pending', in_hash = $2, updated_at = $3 WHERE id = $1 AND status = 'waiting'`,
		deposit.ID.String(), deposit.Hash, now)
	return true, err
}

const dueColumns = `o.id, o.terms, o.status, o.fail_reason, o.refund_fail_reason, o.in_hash, o.created_at, o.updated_at,
	d.chain_id, d.hash, d.position, d.depositor, d.asset, d.amount, d.is_first, d.received_at`

// FillsDue lists the deposits whose orders end on the chain and that have not
// been answered, oldest first.
func (s *Store) FillsDue(ctx context.Context, destinationChain int64) ([]Due, error) {
	return s.due(ctx, `o.destination_chain = $1 AND d.state = 'received'`, destinationChain)
}

// RefundsDue lists the deposits on the chain that have to be given back, oldest first.
func (s *Store) RefundsDue(ctx context.Context, chainID int64) ([]Due, error) {
	return s.due(ctx, `d.chain_id = $1 AND d.state = 'refund_due'`, chainID)
}

// due excludes deposits with a live payment: their answer is on its way.
func (s *Store) due(ctx context.Context, condition string, chainID int64) ([]Due, error) {
	rows, err := s.db.Reader().Query(ctx, `SELECT `+dueColumns+` FROM deposits d JOIN orders o ON o.id = d.order_id
		WHERE `+condition+` AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.deposit_chain = d.chain_id
			AND p.deposit_hash = d.hash AND p.deposit_position = d.position AND p.state IN ('signed', 'done'))
		ORDER BY d.received_at, d.hash, d.position`, chainID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Due
	for rows.Next() {
		due, err := scanDue(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, due)
	}
	return list, rows.Err()
}

func scanDue(row scanner) (Due, error) {
	var (
		due      Due
		amount   string
		received int64
	)
	d := &due.Deposit
	order, err := scanOrder(appended{row, []any{
		&d.ChainID, &d.Hash, &d.Position, &d.Depositor, &d.Asset, &amount, &due.First, &received,
	}})
	if err != nil {
		return Due{}, err
	}
	value, ok := new(big.Int).SetString(amount, 10)
	if !ok {
		return Due{}, fmt.Errorf("stored amount %q is not a number", amount)
	}
	d.ID, d.Amount = order.ID, value
	due.Order, due.ReceivedAt = order, time.UnixMilli(received)
	return due, nil
}

// appended scans a row whose first columns are somebody else's.
type appended struct {
	row  scanner
	more []any
}

// Scan implements scanner.
func (a appended) Scan(first ...any) error { return a.row.Scan(append(first, a.more...)...) }

// RefuseFill notes that a deposit will be given back instead of filled, and why.
func (s *Store) RefuseFill(ctx context.Context, due Due, reason string) error {
	return s.db.Write(ctx, func(tx sqldb.DBTX) error {
		return s.giveBack(ctx, tx, due.Deposit, due.First, reason)
	})
}

// giveBack sends a deposit to the refunds; only the order's own deposit speaks
// for the order.
func (s *Store) giveBack(ctx context.Context, tx sqldb.DBTX, deposit trade.Deposit, first bool, reason string) error {
	if err := setDeposit(ctx, tx, deposit, "refund_due"); err != nil || !first {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE orders SET status = 'pending', fail_reason = $2, updated_at = $3 WHERE id = $1`,
		deposit.ID.String(), reason, s.now().UnixMilli())
	return err
}

// Keep notes that a deposit cannot be given back, and why: the order has failed.
func (s *Store) Keep(ctx context.Context, due Due, reason string) error {
	return s.db.Write(ctx, func(tx sqldb.DBTX) error {
		if err := setDeposit(ctx, tx, due.Deposit, "kept"); err != nil || !due.First {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE orders SET status = 'failure', refund_fail_reason = $2, updated_at = $3 WHERE id = $1`,
			due.Order.ID.String(), reason, s.now().UnixMilli())
		return err
	})
}

func setDeposit(ctx context.Context, tx sqldb.DBTX, deposit trade.Deposit, state string) error {
	_, err := tx.Exec(ctx, `UPDATE deposits SET state = $4 WHERE chain_id = $1 AND hash = $2 AND position = $3`,
		deposit.ChainID, deposit.Hash, deposit.Position, state)
	return err
}
