package server

import (
	"fmt"
	"strconv"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/evm"
	"tenfold/internal/solana"
)

// closableAdapter is what both implementations are.
type closableAdapter interface {
	chain.Adapter
	Close()
}

// chainRegistry holds one adapter per catalog chain.
type chainRegistry map[int64]closableAdapter

// openChains makes the adapters. It contacts no node.
func openChains(rpc map[string][]string) (chainRegistry, error) {
	registry := chainRegistry{}
	for _, c := range catalog.Chains() {
		urls := rpc[strconv.FormatInt(c.ID, 10)]
		var (
			adapter closableAdapter
			err     error
		)
		if c.IsEVM {
			adapter, err = evm.New(c, urls)
		} else {
			adapter, err = solana.New(c, urls)
		}
		if err != nil {
			registry.Close()
			return nil, fmt.Errorf("open %s: %w", c.Name, err)
		}
		registry[c.ID] = adapter
	}
	return registry, nil
}

// Adapter finds the adapter of a chain.
func (r chainRegistry) Adapter(chainID int64) (chain.Adapter, bool) {
	a, ok := r[chainID]
	return a, ok
}

// Close drops all connections.
func (r chainRegistry) Close() {
	for _, a := range r {
		a.Close()
	}
}
