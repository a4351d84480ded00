// Package sqldbtest opens throw-away stores for tests.
//
// It must never be imported by production code. Layer: mechanism (test only).
package sqldbtest

import (
	"io/fs"
	"path/filepath"
	"testing"

	"tenfold/internal/sqldb"
)

// Open returns a migrated store in a folder of its own, closed and deleted when
// the test ends.
func Open(t testing.TB, migrations fs.FS) *sqldb.DB {
	t.Helper()
	return OpenAt(t, filepath.Join(t.TempDir(), "test.db"), migrations)
}

// OpenAt is Open on a path of the caller's, for tests that reopen a store.
func OpenAt(t testing.TB, path string, migrations fs.FS) *sqldb.DB {
	t.Helper()
	db, err := sqldb.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("open store: %v", err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	if err := db.Migrate(t.Context(), migrations); err != nil {
		t.Fatalf("migrate store: %v", err)
	}
	return db
}
