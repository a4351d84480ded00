package appdb

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"tenfold/internal/amount"
	"tenfold/internal/appdb/queries"
	"tenfold/internal/portfolio"
)

// PutBalances implements portfolio.Store.
func (s *Store) PutBalances(ctx context.Context, organizationID string, readings []portfolio.Reading) error {
	rows := make([]queries.PutBalancesParams, len(readings))
	for i, r := range readings {
		amounts := make(map[string]string, len(r.Amounts))
		for asset, v := range r.Amounts {
			amounts[asset] = v.String()
		}
		encoded, err := json.Marshal(amounts)
		if err != nil {
			return fmt.Errorf("appdb: encode balances: %w", err)
		}
		rows[i] = queries.PutBalancesParams{
			OrganizationID: organizationID, ChainID: r.ChainID, Amounts: string(encoded), AsOf: r.AsOf.UnixMilli(),
		}
	}
	return s.write(ctx, func(q *queries.Queries) error {
		for _, row := range rows {
			if err := q.PutBalances(ctx, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// Balances implements portfolio.Store.
func (s *Store) Balances(ctx context.Context, organizationID string) ([]portfolio.Reading, error) {
	rows, err := s.read().BalancesOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	readings := make([]portfolio.Reading, len(rows))
	for i, row := range rows {
		var amounts map[string]string
		if err := json.Unmarshal([]byte(row.Amounts), &amounts); err != nil {
			return nil, fmt.Errorf("appdb: decode balances: %w", err)
		}
		readings[i] = portfolio.Reading{ChainID: row.ChainID, AsOf: moment(row.AsOf), Amounts: map[string]*big.Int{}}
		for asset, text := range amounts {
			if readings[i].Amounts[asset], err = amount.FromBaseUnits(text); err != nil {
				return nil, fmt.Errorf("appdb: decode balance: %w", err)
			}
		}
	}
	return readings, nil
}
