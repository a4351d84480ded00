// Package store keeps the custody provider's rows.
//
// It owns the schema, the sealing of key material and the authentication codes
// of credential rows: what it returns was written by this program, in the row
// where it was found. It must never decide who may do what.
//
// Layer: domain (custody).
package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strconv"

	"tenfold/internal/custody/internal/store/queries"
	"tenfold/internal/seal"
	"tenfold/internal/sqldb"
)

// The rows, as the queries return them.
type (
	Organization    = queries.Organization
	User            = queries.User
	APIKey          = queries.ApiKey
	Authenticator   = queries.Authenticator
	ReadOnlySession = queries.ReadOnlySession
	Wallet          = queries.Wallet
	WalletAccount   = queries.WalletAccount
	Activity        = queries.Activity
	Vote            = queries.Vote
	SignatureAudit  = queries.SignatureAudit
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// schemaMigrations returns the schema's migrations.
func schemaMigrations() fs.FS {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return files
}

// Store is the custody provider's database with the keeper that opens it.
type Store struct {
	db     *sqldb.DB
	keeper seal.Keeper
}

// New migrates the database and returns its store.
func New(ctx context.Context, db *sqldb.DB, keeper seal.Keeper) (*Store, error) {
	if err := db.Migrate(ctx, schemaMigrations()); err != nil {
		return nil, err
	}
	return &Store{db: db, keeper: keeper}, nil
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// Write runs body in one transaction, with the rules of sqldb.DB.Write.
func (s *Store) Write(ctx context.Context, body func(tx *Tx) error) error {
	return s.db.Write(ctx, func(target sqldb.DBTX) error { return s.run(ctx, target, body) })
}

// Read runs body on one consistent state.
func (s *Store) Read(ctx context.Context, body func(tx *Tx) error) error {
	return s.db.View(ctx, func(target sqldb.DBTX) error { return s.run(ctx, target, body) })
}

func (s *Store) run(ctx context.Context, target sqldb.DBTX, body func(tx *Tx) error) error {
	tx := &Tx{ctx: ctx, queries: queries.New(target), keeper: s.keeper, keys: map[string]seal.DataKey{}}
	defer tx.wipe()
	return body(tx)
}

// Tx is one transaction. Data keys are opened on first use and wiped at its end.
type Tx struct {
	ctx     context.Context // kept because a Tx lives inside one call
	queries *queries.Queries
	keeper  seal.Keeper
	keys    map[string]seal.DataKey
}

func (tx *Tx) wipe() {
	for _, key := range tx.keys {
		key.Wipe()
	}
}

// dataKey opens an organization's data key.
func (tx *Tx) dataKey(organizationID string) (seal.DataKey, error) {
	if key, open := tx.keys[organizationID]; open {
		return key, nil
	}
	wrapped, err := tx.queries.DataKey(tx.ctx, organizationID)
	if err != nil {
		return seal.DataKey{}, fmt.Errorf("read data key: %w", err)
	}
	key, err := seal.OpenDataKey(tx.ctx, tx.keeper, wrapped, organizationID)
	if err != nil {
		return seal.DataKey{}, err
	}
	tx.keys[organizationID] = key
	return key, nil
}

// authenticate returns a row's code under its organization's key.
func (tx *Tx) authenticate(place seal.Place, fields [][]byte) ([]byte, error) {
	key, err := tx.dataKey(place.Owner)
	if err != nil {
		return nil, err
	}
	return key.Authenticate(place, fields...), nil
}

// check verifies a row's code.
func (tx *Tx) check(place seal.Place, code []byte, fields [][]byte) error {
	key, err := tx.dataKey(place.Owner)
	if err != nil {
		return err
	}
	return key.Check(place, code, fields...)
}

// The encoders of row fields for authentication codes. An absent value differs
// from an empty one.

func text(value string) []byte { return []byte(value) }

func optional(value *string) []byte {
	if value == nil {
		return nil
	}
	return append([]byte{1}, *value...)
}

func number(value int64) []byte { return strconv.AppendInt(nil, value, 10) }

func optionalNumber(value *int64) []byte {
	if value == nil {
		return nil
	}
	return number(*value)
}

func flag(value bool) []byte { return strconv.AppendBool(nil, value) }
