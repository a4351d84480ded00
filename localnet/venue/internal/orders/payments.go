package orders

import (
	"context"
	"errors"
	"fmt"

	"tenfold/internal/sqldb"
	"tenfold/localnet/venue/internal/trade"
)

// Purpose says why the solver pays.
type Purpose string

// The purposes.
const (
	Fill       Purpose = "fill"
	RefundBack Purpose = "refund"
)

// Payment is a signed payout that has not been seen to end.
type Payment struct {
	ID      int64
	Purpose Purpose
	ChainID int64
	Signed  trade.Signed
	Deposit trade.Deposit // key and ID only
	First   bool          // the deposit is the order's own
}

// ErrPaidAlready says that the deposit has a live payment: it must not get another.
var ErrPaidAlready = errors.New("the deposit is being paid already")

// Record keeps a signed payment before it is broadcast. From then on these bytes
// are the only answer to the deposit, until they provably failed.
func (s *Store) Record(ctx context.Context, due Due, purpose Purpose, chainID int64, signed trade.Signed) (Payment, error) {
	payment := Payment{Purpose: purpose, ChainID: chainID, Signed: signed, Deposit: due.Deposit, First: due.First}
	err := s.db.Write(ctx, func(tx sqldb.DBTX) error {
		now := s.now().UnixMilli()
		err := tx.QueryRow(ctx, `INSERT INTO payments
			(purpose, chain_id, deposit_chain, deposit_hash, deposit_position, order_id, raw, hash, nonce, last_valid_block_height, state, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'signed', $11) RETURNING id`,
			string(purpose), chainID, due.Deposit.ChainID, due.Deposit.Hash, due.Deposit.Position, due.Order.ID.String(),
			signed.Bytes, signed.Hash, int64(signed.Nonce), int64(signed.LastValidBlockHeight), now).Scan(&payment.ID)
		if err != nil || !due.First || purpose != Fill {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE orders SET status = 'submitted', updated_at = $2 WHERE id = $1`, due.Order.ID.String(), now)
		return err
	})
	if errors.Is(err, sqldb.ErrUniqueViolation) {
		return Payment{}, fmt.Errorf("%w: %w", ErrPaidAlready, err)
	}
	return payment, err
}

// Open lists the chain's payments whose end has not been seen, oldest first.
func (s *Store) Open(ctx context.Context, chainID int64) ([]Payment, error) {
	rows, err := s.db.Reader().Query(ctx, `SELECT p.id, p.purpose, p.chain_id, p.raw, p.hash, p.nonce, p.last_valid_block_height,
		p.deposit_chain, p.deposit_hash, p.deposit_position, p.order_id, d.is_first
		FROM payments p JOIN deposits d ON d.chain_id = p.deposit_chain AND d.hash = p.deposit_hash AND d.position = p.deposit_position
		WHERE p.chain_id = $1 AND p.state = 'signed' ORDER BY p.id`, chainID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Payment
	for rows.Next() {
		var (
			p             Payment
			id            string
			nonce, height int64
		)
		err := rows.Scan(&p.ID, &p.Purpose, &p.ChainID, &p.Signed.Bytes, &p.Signed.Hash, &nonce, &height,
			&p.Deposit.ChainID, &p.Deposit.Hash, &p.Deposit.Position, &id, &p.First)
		if err != nil {
			return nil, err
		}
		p.Signed.Nonce, p.Signed.LastValidBlockHeight = uint64(nonce), uint64(height)
		if p.Deposit.ID, err = trade.ParseRequestID(id); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}

// Finish notes how a payment ended. A fill that reverted becomes a refund with
// the reason; one that can never land frees the deposit for another try; a
// refund that reverted leaves the deposit with the venue.
func (s *Store) Finish(ctx context.Context, payment Payment, outcome trade.Outcome, reason string) error {
	return s.db.Write(ctx, func(tx sqldb.DBTX) error {
		state := map[trade.Outcome]string{trade.Succeeded: "done", trade.Reverted: "reverted", trade.Impossible: "impossible"}[outcome]
		if _, err := tx.Exec(ctx, `UPDATE payments SET state = $2 WHERE id = $1`, payment.ID, state); err != nil {
			return err
		}
		switch {
		case outcome == trade.Succeeded:
			return s.settle(ctx, tx, payment)
		case outcome == trade.Reverted && payment.Purpose == Fill:
			return s.giveBack(ctx, tx, payment.Deposit, payment.First, reason)
		case outcome == trade.Reverted:
			return s.keepAfterRevert(ctx, tx, payment, reason)
		default:
			return nil
		}
	})
}

func (s *Store) settle(ctx context.Context, tx sqldb.DBTX, payment Payment) error {
	deposit, order := "filled", Success
	if payment.Purpose == RefundBack {
		deposit, order = "refunded", Refund
	}
	if err := setDeposit(ctx, tx, payment.Deposit, deposit); err != nil || !payment.First {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE orders SET status = $2, updated_at = $3 WHERE id = $1`,
		payment.Deposit.ID.String(), string(order), s.now().UnixMilli())
	return err
}

func (s *Store) keepAfterRevert(ctx context.Context, tx sqldb.DBTX, payment Payment, reason string) error {
	if err := setDeposit(ctx, tx, payment.Deposit, "kept"); err != nil || !payment.First {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE orders SET status = 'failure', refund_fail_reason = $2, updated_at = $3 WHERE id = $1`,
		payment.Deposit.ID.String(), reason, s.now().UnixMilli())
	return err
}

// PaidHashes are the transactions that paid an order's own deposit out: its fill,
// or its refund. Empty until one is on its way.
func (s *Store) PaidHashes(ctx context.Context, id trade.RequestID) ([]string, error) {
	rows, err := s.db.Reader().Query(ctx, `SELECT p.hash FROM payments p
		JOIN deposits d ON d.chain_id = p.deposit_chain AND d.hash = p.deposit_hash AND d.position = p.deposit_position
		WHERE p.order_id = $1 AND d.is_first AND p.state IN ('signed', 'done') ORDER BY p.id`, id.String())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	hashes := []string{}
	for rows.Next() {
		var hash string
		if err := rows.Scan(&hash); err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	return hashes, rows.Err()
}
