package sqldb

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Migrate applies the migrations in files (goose's "00001_name.sql" format, at
// the top of the file system) that have not run yet, each in its transaction.
// It is safe to call at every start.
func (db *DB) Migrate(ctx context.Context, files fs.FS) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, db.writer, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("sqldb: read migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("sqldb: migrate: %w", translate(err))
	}
	return nil
}
