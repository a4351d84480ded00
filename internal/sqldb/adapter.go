package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// querier is what *sql.DB and *sql.Tx share.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// adapter runs pgx-flavoured generated code on database/sql. SQLite accepts the
// $1 placeholders as they are; the driver binds them by number.
type adapter struct{ target querier }

var _ DBTX = adapter{}

// Exec implements DBTX. The tag carries the number of rows and nothing else.
func (a adapter) Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error) {
	result, err := a.target.ExecContext(ctx, query, args...)
	if err != nil {
		return pgconn.CommandTag{}, translate(err)
	}
	affected, err := result.RowsAffected()
	if err != nil {
		return pgconn.CommandTag{}, translate(err)
	}
	return pgconn.NewCommandTag(fmt.Sprintf("EXEC %d", affected)), nil
}

// Query implements DBTX.
func (a adapter) Query(ctx context.Context, query string, args ...any) (pgx.Rows, error) {
	result, err := a.target.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, translate(err)
	}
	return rows{result}, nil
}

// QueryRow implements DBTX.
func (a adapter) QueryRow(ctx context.Context, query string, args ...any) pgx.Row {
	result, err := a.target.QueryContext(ctx, query, args...)
	return row{result, translate(err)}
}

// rows gives *sql.Rows the shape of pgx.Rows. Generated code calls Next, Scan,
// Err and Close; the rest of pgx's interface has no meaning here.
type rows struct{ *sql.Rows }

func (r rows) Close()                                       { _ = r.Rows.Close() }
func (r rows) Err() error                                   { return translate(r.Rows.Err()) }
func (r rows) CommandTag() pgconn.CommandTag                { return pgconn.CommandTag{} }
func (r rows) FieldDescriptions() []pgconn.FieldDescription { return nil }
func (r rows) Values() ([]any, error)                       { return nil, errors.ErrUnsupported }
func (r rows) RawValues() [][]byte                          { return nil }
func (r rows) Conn() *pgx.Conn                              { return nil }
func (r rows) TypeMap() *pgtype.Map                         { return nil }

// row delays the error of a one-row query until Scan, as pgx does.
type row struct {
	result *sql.Rows
	err    error
}

// Scan implements pgx.Row: the first row, or ErrNotFound.
func (r row) Scan(destinations ...any) error {
	if r.err != nil {
		return r.err
	}
	defer func() { _ = r.result.Close() }()
	if !r.result.Next() {
		if err := r.result.Err(); err != nil {
			return translate(err)
		}
		return ErrNotFound
	}
	if err := r.result.Scan(destinations...); err != nil {
		return err
	}
	return translate(r.result.Close())
}
