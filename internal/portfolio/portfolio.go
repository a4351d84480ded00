// Package portfolio owns what a person holds: every catalog asset on every
// chain with its value in US dollars. One chain that can't be read never hides
// the others. It must never guess a balance: what it can't read it shows as
// last known, with the moment it was read.
//
// Layer: domain.
package portfolio

import (
	"context"
	"math/big"
	"time"

	"tenfold/catalog"
)

// Portfolio is what a person holds at a moment.
type Portfolio struct {
	AsOf     time.Time
	TotalUSD string // decimal, of the assets whose price is known
	Chains   []Chain
	Assets   []Asset
}

// Status says whether a chain could be read.
type Status string

// The statuses of a chain.
const (
	OK          Status = "ok"
	Unavailable Status = "unavailable"
)

// Chain is one chain's part. AsOf is when its balances were read; the zero time
// when they never were.
type Chain struct {
	ID       int64
	Status   Status
	AsOf     time.Time
	ValueUSD string
	Message  string // for the person, when unavailable
}

// Asset is one holding. PriceUSD and ValueUSD are empty when no price is known.
type Asset struct {
	Asset    catalog.Asset
	Amount   *big.Int // base units
	PriceUSD string
	ValueUSD string
}

// Reading is what was read of one chain at a moment, by asset address.
type Reading struct {
	ChainID int64
	AsOf    time.Time
	Amounts map[string]*big.Int // base units
}

// Store keeps the last reading of each chain, so that a chain that can't be
// read shows what was last known, also after a restart.
type Store interface {
	PutBalances(ctx context.Context, organizationID string, readings []Reading) error
	Balances(ctx context.Context, organizationID string) ([]Reading, error)
}
