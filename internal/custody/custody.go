// Package custody is the embedded key-custody provider: organizations and their
// sub-organizations, users and credentials, sealed wallets, sessions, signatures,
// behind the provider's wire protocol.
//
// It owns the data folder. It must never know what its signatures are for, answer
// an unstamped request, or tell one organization about another.
//
// Layer: domain. Only its wire protocol and this package's few functions are for
// others; everything else is internal.
package custody

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"tenfold/internal/custody/internal/engine"
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/seal"
	"tenfold/internal/sqldb"
	"tenfold/internal/stamp"
)

const (
	databaseFile = "custody.db"
	rootKeyFile  = "root.key"
)

var (
	// ErrInitialised is the answer to initialising a data folder twice.
	ErrInitialised = errors.New("custody is initialised already")
	// ErrNotInitialised is the answer to serving a data folder that holds no
	// organization.
	ErrNotInitialised = errors.New("custody is not initialised; run: tenfold custody init")
	// ErrOtherKey is the answer to looking for the organization with an API key
	// that is not its own.
	ErrOtherKey = errors.New("custody is initialised with another API key")
)

// Settings say how a provider is served.
type Settings struct {
	// DataDir is the folder with the database and the root key.
	DataDir string
	// RelyingParty is the site that passkeys are valid for.
	RelyingParty stamp.RelyingParty
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// Provider is an open data folder that serves requests. Close releases it.
type Provider struct {
	db     *sqldb.DB
	keeper seal.FileKeeper
	store  *store.Store
	engine *engine.Engine
}

// Open opens an initialised data folder. The error matches ErrNotInitialised when
// it holds no organization.
func Open(ctx context.Context, settings Settings) (*Provider, error) {
	if _, err := os.Stat(filepath.Join(settings.DataDir, databaseFile)); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNotInitialised, err)
	}
	provider, err := open(ctx, settings)
	if err != nil {
		return nil, err
	}
	if _, err := provider.parent(ctx); err != nil {
		return nil, errors.Join(err, provider.Close())
	}
	return provider, nil
}

// open opens the database and the root key, and makes both in a new folder.
func open(ctx context.Context, settings Settings) (*Provider, error) {
	keeper, err := openKeeper(settings.DataDir)
	if err != nil {
		return nil, err
	}
	db, err := sqldb.Open(ctx, filepath.Join(settings.DataDir, databaseFile))
	if err != nil {
		return nil, err
	}
	s, err := store.New(ctx, db, keeper)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	now := settings.Now
	if now == nil {
		now = time.Now
	}
	return &Provider{db: db, keeper: keeper, store: s, engine: engine.New(s, settings.RelyingParty, now)}, nil
}

// openKeeper reads the root key. It makes one only where there is no database
// yet: a new key beside old rows would never open them.
func openKeeper(folder string) (seal.FileKeeper, error) {
	path := filepath.Join(folder, rootKeyFile)
	keeper, err := seal.OpenFileKeeper(path)
	if !errors.Is(err, seal.ErrNoKeyFile) {
		return keeper, err
	}
	if _, statErr := os.Stat(filepath.Join(folder, databaseFile)); !errors.Is(statErr, os.ErrNotExist) {
		return seal.FileKeeper{}, fmt.Errorf("the database is there but its root key is not; restore %s: %w", rootKeyFile, err)
	}
	return seal.CreateFileKeeper(path)
}

// Close releases the data folder.
func (p *Provider) Close() error {
	err := p.db.Close()
	p.keeper.Wipe()
	return err
}

// Ping reports whether the provider can answer.
func (p *Provider) Ping(ctx context.Context) error { return p.store.Ping(ctx) }

// Query answers a read; see the wire protocol. name is the last part of the path.
// The error is a *wire.Error, or unclassified for a failure of ours.
func (p *Provider) Query(ctx context.Context, name string, header http.Header, body []byte) ([]byte, error) {
	return p.engine.Query(ctx, name, header, body)
}

// Submit carries out a write, with the rules of Query.
func (p *Provider) Submit(ctx context.Context, name string, header http.Header, body []byte) ([]byte, error) {
	return p.engine.Submit(ctx, name, header, body)
}
