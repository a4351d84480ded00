package movement

import (
	"context"
	"errors"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
)

// Errors of a Store that callers tell apart.
var (
	// ErrStale says that the movement was changed since it was read.
	ErrStale = errors.New("the movement has changed")
	// ErrTaken says that the idempotency key or the quote is in use.
	ErrTaken = errors.New("the key or the quote is in use")
	// ErrNonceTaken says that another signed transaction of the sender has the nonce.
	ErrNonceTaken = errors.New("the nonce is in use")
)

// Store keeps movements. Each writing method is one transaction.
type Store interface {
	// InsertMovement adds a movement and the key that asked for it. ErrTaken when
	// the key or the quote already has a movement.
	InsertMovement(ctx context.Context, m Movement, key Idempotency) error
	// SaveMovement stores a changed movement if it is still at the version and
	// state that it was read at; else ErrStale. Moments that are new are added.
	SaveMovement(ctx context.Context, m Movement, was Movement) error
	// SaveSigned is SaveMovement for the signatures: it also records the key and
	// refuses with ErrNonceTaken when a signed step of another movement has the
	// same chain, sender and nonce.
	SaveSigned(ctx context.Context, m Movement, was Movement, key Idempotency) error
	// NonceInUse tells whether a signed step that is not dead has the nonce.
	NonceInUse(ctx context.Context, chainID int64, sender string, nonce uint64) (bool, error)
	// DeliveryTaken tells whether another movement of the person ended with what
	// this transaction brought.
	DeliveryTaken(ctx context.Context, m Movement, hash string) (bool, error)
	// Key finds what an idempotency key was used for.
	Key(ctx context.Context, organizationID, key string) (use KeyUse, ok bool, err error)
	// Movement finds a person's movement.
	Movement(ctx context.Context, organizationID, id string) (m Movement, ok bool, err error)
	// MovementOfQuote finds the movement that carries out a quote.
	MovementOfQuote(ctx context.Context, organizationID, quoteID string) (m Movement, ok bool, err error)
	// Movements lists a person's movements that were ever signed, newest first.
	Movements(ctx context.Context, organizationID string, page Page) ([]Movement, error)
	// Running lists every movement that the engine has work with, oldest first.
	Running(ctx context.Context) ([]Movement, error)
	// Overdue lists movements that waited for a signature past their expiry.
	Overdue(ctx context.Context, now time.Time, limit int) ([]Movement, error)
}

// KeyUse is what an idempotency key was used for.
type KeyUse struct {
	BodyHash   string
	MovementID string
}

// Chains finds the adapter of a chain; false when there is none.
type Chains interface {
	Adapter(chainID int64) (chain.Adapter, bool)
}

// Observer is told of every stored change. It must return quickly.
type Observer interface {
	MovementChanged(m Movement)
	BalancesChanged(organizationID string, chainIDs []int64)
}

// nativeOf is the native coin of a chain of the catalog.
func nativeOf(chainID int64) catalog.Asset {
	c, _ := catalog.ChainByID(chainID)
	return c.NativeAsset()
}
