// Package sqldb opens the relational store and runs transactions on it.
//
// It owns the connection settings, the translation of driver errors into the
// two neutral ones that domains test for, the retry of transactions that lost a
// race for the write lock, and the migration runner. It knows no table: each
// domain brings its own migrations and its own generated queries.
//
// It must never hold a secret, build SQL, or import a domain.
//
// Layer: mechanism.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	_ "modernc.org/sqlite" // registers the "sqlite" driver
)

// ErrNotFound is what a generated ":one" query returns when no row matches. It
// is the standard library's value, so that both engines' own errors match it
// under errors.Is.
var ErrNotFound = sql.ErrNoRows

// DBTX is the interface that sqlc's pgx/v5 code asks for. A value handed out by
// this package runs that code on SQLite.
type DBTX interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// busyTimeoutMillis is how long a connection waits inside SQLite for another
// process's write lock before it reports a conflict.
const busyTimeoutMillis = 5000

// readConnections bounds the read pool. SQLite in WAL mode lets readers run
// beside the writer; more than a handful gain nothing on one disk.
const readConnections = 8

// DB is an open store: one writing connection, because SQLite has one write
// lock, and a pool of connections that cannot write.
type DB struct {
	writer *sql.DB
	reader *sql.DB
}

// Open opens the SQLite file at path and creates it, readable by its owner
// only, when it does not exist. The folder must exist. Close releases it.
//
// A commit that returned nil is on disk: the journal is a write-ahead log synced
// at every commit.
func Open(ctx context.Context, path string) (*DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqldb: locate database: %w", err)
	}
	if err := createPrivate(absolute); err != nil {
		return nil, err
	}
	writer, err := openPool(ctx, absolute, false)
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	reader, err := openPool(ctx, absolute, true)
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(readConnections)
	reader.SetMaxIdleConns(readConnections)
	return &DB{writer: writer, reader: reader}, nil
}

// createPrivate makes the file before SQLite does, since SQLite would apply the
// umask's mode; the log and index files copy the mode of the main file.
func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("sqldb: create database: %w", err)
	}
	return file.Close()
}

func openPool(ctx context.Context, path string, readOnly bool) (*sql.DB, error) {
	pool, err := sql.Open("sqlite", dataSource(path, readOnly))
	if err != nil {
		return nil, fmt.Errorf("sqldb: open %s: %w", filepath.Base(path), err)
	}
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("sqldb: open %s: %w", filepath.Base(path), translate(err)), pool.Close())
	}
	return pool, nil
}

// dataSource writes the driver's URI. The driver runs busy_timeout before every
// other pragma, which matters: switching to WAL needs the lock.
func dataSource(path string, readOnly bool) string {
	settings := url.Values{}
	settings.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyTimeoutMillis))
	settings.Add("_pragma", "journal_mode(WAL)")
	settings.Add("_pragma", "synchronous(FULL)")
	settings.Add("_pragma", "foreign_keys(1)")
	if readOnly {
		settings.Add("_pragma", "query_only(1)")
	} else {
		// A deferred transaction that starts with a read and then writes can be
		// refused at the upgrade; taking the lock at once cannot.
		settings.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: settings.Encode()}).String()
}

// Close waits for running queries and closes every connection.
func (db *DB) Close() error {
	return errors.Join(db.reader.Close(), db.writer.Close())
}

// Reader returns a handle for single reads outside a transaction. Writing
// through it fails. Reads that must agree with each other belong in View.
func (db *DB) Reader() DBTX {
	return adapter{db.reader}
}

// Ping reports whether the store answers.
func (db *DB) Ping(ctx context.Context) error {
	return translate(db.reader.PingContext(ctx))
}
