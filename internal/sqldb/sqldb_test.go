package sqldb_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"tenfold/internal/sqldb"
	"tenfold/internal/sqldb/sqldbtest"
)

var migrations = fstest.MapFS{
	"00001_things.sql": {Data: []byte(`-- +goose Up
CREATE TABLE owners (id TEXT PRIMARY KEY);
CREATE TABLE things (
	id TEXT PRIMARY KEY,
	owner TEXT NOT NULL REFERENCES owners (id),
	label TEXT UNIQUE,
	amount TEXT NOT NULL,
	body BYTEA
);`)},
}

const insertThing = "INSERT INTO things (amount, body, id, owner, label) VALUES ($4, $5, $1, $2, $3)"

func insert(ctx context.Context, tx sqldb.DBTX, id string, label *string) error {
	_, err := tx.Exec(ctx, insertThing, id, "owner", label, "115792089237316195423570985008687907853269984665640564039457584007913129639935", []byte{0, 1, 255})
	return err
}

func setup(t *testing.T) *sqldb.DB {
	t.Helper()
	db := sqldbtest.Open(t, migrations)
	if err := db.Write(t.Context(), func(tx sqldb.DBTX) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO owners (id) VALUES ($1)", "owner")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestWriteThenRead(t *testing.T) {
	t.Parallel()
	db := setup(t)
	ctx := t.Context()
	if err := db.Write(ctx, func(tx sqldb.DBTX) error { return insert(ctx, tx, "a", nil) }); err != nil {
		t.Fatal(err)
	}
	var (
		amount string
		body   []byte
		label  *string
	)
	err := db.Reader().QueryRow(ctx, "SELECT amount, body, label FROM things WHERE id = $1", "a").Scan(&amount, &body, &label)
	if err != nil {
		t.Fatal(err)
	}
	if amount != "115792089237316195423570985008687907853269984665640564039457584007913129639935" {
		t.Errorf("a 78-digit amount came back as %s", amount)
	}
	if string(body) != "\x00\x01\xff" || label != nil {
		t.Errorf("body %x, label %v", body, label)
	}
}

func TestRowsAffected(t *testing.T) {
	t.Parallel()
	db := setup(t)
	ctx := t.Context()
	var hit, miss int64
	err := db.Write(ctx, func(tx sqldb.DBTX) error {
		if err := insert(ctx, tx, "a", nil); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, "UPDATE things SET amount = $2 WHERE id = $1", "a", "1")
		if err != nil {
			return err
		}
		hit = tag.RowsAffected()
		tag, err = tx.Exec(ctx, "UPDATE things SET amount = $2 WHERE id = $1", "b", "1")
		miss = tag.RowsAffected()
		return err
	})
	if err != nil || hit != 1 || miss != 0 {
		t.Fatalf("hit %d, miss %d, %v", hit, miss, err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	label := "same"
	tests := map[string]struct {
		body func(context.Context, *sqldb.DB) error
		want error
	}{
		"fail/no row": {func(ctx context.Context, db *sqldb.DB) error {
			var id string
			return db.Reader().QueryRow(ctx, "SELECT id FROM things WHERE id = 'none'").Scan(&id)
		}, sqldb.ErrNotFound},
		"fail/primary key twice": {func(ctx context.Context, db *sqldb.DB) error {
			return db.Write(ctx, func(tx sqldb.DBTX) error {
				return errors.Join(insert(ctx, tx, "a", nil), insert(ctx, tx, "a", nil))
			})
		}, sqldb.ErrUniqueViolation},
		"fail/unique column twice": {func(ctx context.Context, db *sqldb.DB) error {
			return db.Write(ctx, func(tx sqldb.DBTX) error {
				return errors.Join(insert(ctx, tx, "a", &label), insert(ctx, tx, "b", &label))
			})
		}, sqldb.ErrUniqueViolation},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := test.body(t.Context(), setup(t)); !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestForeignKeysAreEnforced(t *testing.T) {
	t.Parallel()
	db := setup(t)
	err := db.Write(t.Context(), func(tx sqldb.DBTX) error {
		_, err := tx.Exec(t.Context(), insertThing, "a", "nobody", nil, "1", nil)
		return err
	})
	if err == nil || errors.Is(err, sqldb.ErrUniqueViolation) {
		t.Fatalf("an orphan row was accepted: %v", err)
	}
}

func TestReaderCannotWrite(t *testing.T) {
	t.Parallel()
	db := setup(t)
	if _, err := db.Reader().Exec(t.Context(), "DELETE FROM owners"); err == nil {
		t.Fatal("the reader deleted rows")
	}
	var count int
	if err := db.Reader().QueryRow(t.Context(), "SELECT count(*) FROM owners").Scan(&count); err != nil || count != 1 {
		t.Fatalf("%d owners left, %v", count, err)
	}
}

func TestFailedBodyLeavesNothing(t *testing.T) {
	t.Parallel()
	failure := errors.New("later step failed")
	tests := map[string]func() error{
		"fail/error": func() error { return failure },
		"fail/panic": func() error { panic(failure) },
	}
	for name, end := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := setup(t)
			func() {
				defer func() { _ = recover() }()
				err := db.Write(t.Context(), func(tx sqldb.DBTX) error {
					if err := insert(t.Context(), tx, "a", nil); err != nil {
						return err
					}
					return end()
				})
				if !errors.Is(err, failure) {
					t.Errorf("got %v", err)
				}
			}()
			var count int
			if err := db.Reader().QueryRow(t.Context(), "SELECT count(*) FROM things").Scan(&count); err != nil || count != 0 {
				t.Fatalf("%d rows left, %v", count, err)
			}
			// The one writing connection is free again.
			if err := db.Write(t.Context(), func(tx sqldb.DBTX) error { return insert(t.Context(), tx, "b", nil) }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestConflictIsRetried runs a body that reports the conflict twice, which is
// what another process's lock looks like to it.
func TestConflictIsRetried(t *testing.T) {
	t.Parallel()
	db := setup(t)
	attempts := 0
	err := db.Write(t.Context(), func(tx sqldb.DBTX) error {
		attempts++
		if err := insert(t.Context(), tx, "a", nil); err != nil {
			return err
		}
		if attempts < 3 {
			return sqldb.ErrConflict
		}
		return nil
	})
	if err != nil || attempts != 3 {
		t.Fatalf("%d attempts, %v", attempts, err)
	}
}

func TestTwoProcessesShareTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "with space & ?.db")
	first := sqldbtest.OpenAt(t, path, migrations)
	second := sqldbtest.OpenAt(t, path, migrations)
	ctx := t.Context()
	const each = 25
	done := make(chan error, 2)
	for name, db := range map[string]*sqldb.DB{"first": first, "second": second} {
		go func() {
			for range each {
				err := db.Write(ctx, func(tx sqldb.DBTX) error {
					_, err := tx.Exec(ctx, "INSERT INTO owners (id) SELECT $1 || count(*) FROM owners", name)
					return err
				})
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	var count int
	if err := first.Reader().QueryRow(ctx, "SELECT count(*) FROM owners").Scan(&count); err != nil || count != 2*each {
		t.Fatalf("%d rows, %v", count, err)
	}
}

func TestFileIsPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "private.db")
	db := sqldbtest.OpenAt(t, path, migrations)
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", info.Name(), info.Mode().Perm())
		}
	}
}
