package appdb

import (
	"context"
	"fmt"
	"math/big"

	"tenfold/catalog"
	"tenfold/internal/amount"
	"tenfold/internal/appdb/queries"
	"tenfold/internal/chain"
	"tenfold/internal/movement"
)

func insertRow(m movement.Movement) queries.InsertMovementParams {
	row := queries.InsertMovementParams{
		ID: m.ID, OrganizationID: m.OrganizationID, UserID: m.UserID,
		Kind: string(m.Kind), State: string(m.State), Version: m.Version,
		Venue: m.Venue, QuoteID: textOrNull(m.QuoteID), RequestID: m.RequestID,
		FromChainID: m.From.Asset.ChainID, FromAsset: m.From.Asset.Address,
		FromOwner: m.From.Owner, FromAmount: m.From.Amount.String(),
		ToChainID: m.To.Asset.ChainID, ToAsset: m.To.Asset.Address,
		ToRecipient: m.To.Recipient, ToMinimum: amountOrNull(m.To.Minimum),
		MaximumFee: m.MaximumFee.Amount.String(), Rent: m.MaximumFee.Rent.String(),
		Simulated: string(m.Simulated), DeliveryHash: m.DeliveryHash, Indexed: m.Indexed,
		ExpectedSeconds: m.ExpectedSeconds,
		CreatedAt:       m.CreatedAt.UnixMilli(), UpdatedAt: m.UpdatedAt.UnixMilli(), ExpiresAt: m.ExpiresAt.UnixMilli(),
	}
	return row
}

func updateRow(m, was movement.Movement) queries.UpdateMovementParams {
	row := queries.UpdateMovementParams{
		State: string(m.State), FromAmount: m.From.Amount.String(), ToAmount: amountOrNull(m.To.Amount),
		DeliveryHash: m.DeliveryHash, Indexed: m.Indexed, UpdatedAt: m.UpdatedAt.UnixMilli(),
		ID: m.ID, Version: was.Version, State_2: string(was.State),
	}
	if p := m.Problem; p != nil {
		row.ProblemCode, row.ProblemMessage, row.ProblemFunds = p.Code, p.Message, p.FundsWhere
	}
	if r := m.Refund; r != nil {
		row.RefundChainID, row.RefundAsset = &r.Asset.ChainID, &r.Asset.Address
		row.RefundAmount = amountOrNull(r.Amount)
	}
	return row
}

func stepRow(movementID string, s movement.Step) queries.InsertStepParams {
	row := queries.InsertStepParams{
		MovementID: movementID, Step: int64(s.Index), Kind: string(s.Kind), State: string(s.State),
		ChainID: s.Unsigned.ChainID, Sender: s.Unsigned.From, Unsigned: s.Unsigned.Bytes,
		LastValidHeight: int64(s.Unsigned.LastValidBlockHeight),
		MaximumFee:      amountOrZero(s.Unsigned.MaximumFee), Rent: amountOrZero(s.Unsigned.Rent),
		BlockNumber: int64(s.BlockNumber), FeePaid: amountOrNull(s.FeePaid),
	}
	if s.Unsigned.Nonce != nil {
		nonce := int64(*s.Unsigned.Nonce)
		row.Nonce = &nonce
	}
	if s.Signed != nil {
		row.Signed, row.Hash = s.Signed.Bytes, s.Signed.Hash
	}
	return row
}

// whole reads a movement's steps and timeline beside its row.
func whole(ctx context.Context, q *queries.Queries, row queries.Movement) (movement.Movement, error) {
	m, err := fromRow(row)
	if err != nil {
		return m, fmt.Errorf("appdb: movement %s: %w", row.ID, err)
	}
	steps, err := q.StepsOf(ctx, row.ID)
	if err != nil {
		return m, err
	}
	for _, s := range steps {
		step, err := stepFromRow(s)
		if err != nil {
			return m, fmt.Errorf("appdb: movement %s, step %d: %w", row.ID, s.Step, err)
		}
		m.Steps = append(m.Steps, step)
	}
	moments, err := q.MomentsOf(ctx, row.ID)
	if err != nil {
		return m, err
	}
	for _, t := range moments {
		m.Timeline = append(m.Timeline, movement.Moment{State: movement.State(t.State), At: moment(t.At)})
	}
	return m, nil
}

func fromRow(row queries.Movement) (movement.Movement, error) {
	var r reader
	m := movement.Movement{
		ID: row.ID, OrganizationID: row.OrganizationID, UserID: row.UserID,
		Kind: movement.Kind(row.Kind), State: movement.State(row.State), Version: row.Version,
		Venue: row.Venue, RequestID: row.RequestID,
		From: movement.From{
			Asset: r.asset(row.FromChainID, row.FromAsset), Owner: row.FromOwner, Amount: r.amount(row.FromAmount),
		},
		To: movement.To{
			Asset: r.asset(row.ToChainID, row.ToAsset), Recipient: row.ToRecipient,
			Amount: r.optional(row.ToAmount), Minimum: r.optional(row.ToMinimum),
		},
		MaximumFee: movement.MaximumFee{Amount: r.amount(row.MaximumFee), Rent: r.amount(row.Rent)},
		Simulated:  movement.Simulation(row.Simulated), DeliveryHash: row.DeliveryHash, Indexed: row.Indexed,
		CreatedAt: moment(row.CreatedAt), UpdatedAt: moment(row.UpdatedAt), ExpiresAt: moment(row.ExpiresAt),
		ExpectedSeconds: row.ExpectedSeconds,
	}
	if row.QuoteID != nil {
		m.QuoteID = *row.QuoteID
	}
	if row.ProblemCode != "" {
		m.Problem = &movement.Problem{Code: row.ProblemCode, Message: row.ProblemMessage, FundsWhere: row.ProblemFunds}
	}
	if row.RefundAmount != nil {
		m.Refund = &movement.Refund{Asset: r.asset(*row.RefundChainID, *row.RefundAsset), Amount: r.amount(*row.RefundAmount)}
	}
	return m, r.err
}

func stepFromRow(row queries.MovementStep) (movement.Step, error) {
	var r reader
	s := movement.Step{
		Index: int(row.Step), Kind: movement.StepKind(row.Kind), State: movement.StepState(row.State),
		Unsigned: chain.Unsigned{
			ChainID: row.ChainID, From: row.Sender, Bytes: row.Unsigned,
			LastValidBlockHeight: uint64(row.LastValidHeight),
			MaximumFee:           r.amount(row.MaximumFee), Rent: r.amount(row.Rent),
		},
		BlockNumber: uint64(row.BlockNumber), FeePaid: r.optional(row.FeePaid),
	}
	if row.Nonce != nil {
		nonce := uint64(*row.Nonce)
		s.Unsigned.Nonce = &nonce
	}
	if len(row.Signed) > 0 {
		s.Signed = &chain.Signed{Bytes: row.Signed, Hash: row.Hash}
	}
	return s, r.err
}

// reader converts a row's texts and keeps the first failure.
type reader struct{ err error }

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) amount(text string) *big.Int {
	v, err := amount.FromBaseUnits(text)
	if err != nil {
		r.fail(err)
		return new(big.Int)
	}
	return v
}

func (r *reader) optional(text *string) *big.Int {
	if text == nil {
		return nil
	}
	return r.amount(*text)
}

func (r *reader) asset(chainID int64, address string) catalog.Asset {
	c, ok := catalog.ChainByID(chainID)
	if ok {
		if asset, ok := c.AssetAt(address); ok {
			return asset
		}
	}
	r.fail(fmt.Errorf("the catalog has no asset %s on chain %d", address, chainID))
	return catalog.Asset{}
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func amountOrNull(v *big.Int) *string {
	if v == nil {
		return nil
	}
	text := v.String()
	return &text
}

func amountOrZero(v *big.Int) string {
	if v == nil {
		return "0"
	}
	return v.String()
}
