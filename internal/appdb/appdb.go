// Package appdb is the app server's database: its schema, its queries and the
// stores that the domains ask for. Money is text of base units, times are epoch
// milliseconds.
//
// It must never decide anything: the states, moves and rules are the domains'.
//
// Layer: domain (storage); it imports the domains whose stores it implements.
package appdb

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"tenfold/internal/appdb/queries"
	"tenfold/internal/movement"
	"tenfold/internal/portfolio"
	"tenfold/internal/quote"
	"tenfold/internal/session"
	"tenfold/internal/sqldb"
)

//go:embed migrations/*.sql
var migrations embed.FS

// FileName is the database's file in the data directory.
const FileName = "app.db"

// Store is the open database.
type Store struct {
	db *sqldb.DB
}

var (
	_ session.Store   = (*Store)(nil)
	_ quote.Store     = (*Store)(nil)
	_ portfolio.Store = (*Store)(nil)
	_ movement.Store  = (*Store)(nil)
)

// Open opens or creates the database in a directory and brings its schema up to date.
func Open(ctx context.Context, directory string) (*Store, error) {
	db, err := sqldb.Open(ctx, filepath.Join(directory, FileName))
	if err != nil {
		return nil, fmt.Errorf("appdb: %w", err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("appdb: %w", err)
	}
	if err := db.Migrate(ctx, files); err != nil {
		return nil, errors.Join(fmt.Errorf("appdb: %w", err), db.Close())
	}
	return &Store{db: db}, nil
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

func (s *Store) read() *queries.Queries { return queries.New(s.db.Reader()) }

func (s *Store) write(ctx context.Context, body func(q *queries.Queries) error) error {
	return s.db.Write(ctx, func(tx sqldb.DBTX) error { return body(queries.New(tx)) })
}

// found turns "no row" into false.
func found(err error) (bool, error) {
	if errors.Is(err, sqldb.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func moment(millis int64) time.Time { return time.UnixMilli(millis) }
