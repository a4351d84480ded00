// Package evm runs the local EVM chains: one whole go-ethereum node for each,
// all in this process, with the real chain ids, crash-safe storage, blocks that
// are never ahead of the wall clock, and the contracts of package contracts
// from the first block on. It owns the chains' data folders and their JSON-RPC
// handler; it opens no listener and must never be linked into the product.
//
// Layer: part of the local network; only localnet and tests may import it.
package evm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/ethclient"
	gethlog "github.com/ethereum/go-ethereum/log"

	"tenfold/localnet/contracts"
)

// Config says what to run.
type Config struct {
	Dir       string // holds the chains; created when missing
	Specs     []Spec
	Contracts *contracts.Set
	Holders   []Holder       // who owns what in the first block of a new chain
	Allocator common.Address // may take deposits out of the depository
	Log       *slog.Logger   // nil: discard
}

// Network is the set of running chains.
type Network struct {
	chains []*chain
}

// Start runs every chain of the configuration, at once. On error none runs.
func Start(config Config) (*Network, error) {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(config.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the chains' folder: %w", err)
	}
	network := &Network{chains: make([]*chain, len(config.Specs))}
	failures := make([]error, len(config.Specs))
	var starting sync.WaitGroup
	for i, spec := range config.Specs {
		starting.Go(func() {
			network.chains[i], failures[i] = config.start(spec)
		})
	}
	starting.Wait()
	// What stops one chain, such as a folder in use, stops all nine alike; one
	// complaint says it.
	for _, err := range failures {
		if err != nil {
			return nil, errors.Join(err, network.Close())
		}
	}
	return network, nil
}

// start runs one chain.
func (config Config) start(spec Spec) (*chain, error) {
	path := filepath.Join(config.Dir, fmt.Sprintf("%d.genesis.json", spec.ChainID))
	genesis, err := loadOrBuildGenesis(path, func() (*core.Genesis, error) {
		return buildGenesis(spec, config.Contracts, config.Holders, config.Allocator)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	started, err := startChain(spec, config.Dir, genesis, config.Log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", spec.Name, err)
	}
	return started, nil
}

// Handler serves every chain's JSON-RPC, HTTP and WebSocket, at /<chain id>, to
// programs and pages of this machine.
func (n *Network) Handler() http.Handler { return LocalOnly(byChainID(n.chains)) }

// Client is an in-process client of one chain; nil when it does not run.
func (n *Network) Client(chainID int64) *ethclient.Client {
	for _, c := range n.chains {
		if c.spec.ChainID == chainID {
			return c.client
		}
	}
	return nil
}

// Close stops all chains and waits until their data is on disk.
func (n *Network) Close() error {
	failures := make([]error, len(n.chains))
	var closing sync.WaitGroup
	for i, c := range n.chains {
		if c != nil {
			closing.Go(func() { failures[i] = c.close() })
		}
	}
	closing.Wait()
	return errors.Join(failures...)
}

// LogNodes sends the nodes' own errors to the handler. The nodes log through a
// process-wide logger, which is silent until this is called.
func LogNodes(handler slog.Handler) {
	gethlog.SetDefault(nodeLogger{gethlog.NewLogger(errorsOnly{handler})})
}

// nodeLogger hides the concrete logger: go-ethereum would make that one the
// process's default slog logger too.
type nodeLogger struct{ gethlog.Logger }

// errorsOnly passes nothing less than an error on.
type errorsOnly struct{ next slog.Handler }

// Enabled implements slog.Handler.
func (h errorsOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h errorsOnly) Handle(ctx context.Context, record slog.Record) error {
	return h.next.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h errorsOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return errorsOnly{h.next.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h errorsOnly) WithGroup(name string) slog.Handler { return errorsOnly{h.next.WithGroup(name)} }
