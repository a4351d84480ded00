// Package faucet gives new accounts of the local network their starting funds:
// native coin and USDC on every chain. It tops balances up, so that asking
// twice gives nothing more. It owns no key of its own and must never reach a
// chain that is not local.
//
// Layer: part of the local network; only localnet and tests may import it.
package faucet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// topUpTimeout bounds one account's top-up on one chain, inclusion awaited.
const topUpTimeout = 30 * time.Second

// Transaction is one payment that the faucet has made.
type Transaction struct {
	ChainID int64  `json:"chainId"`
	Hash    string `json:"hash"` // 0x hex on EVM chains, base58 signature on Solana
}

// Lane tops accounts up on one chain. Its addresses are already checked.
type Lane interface {
	// ChainID is the product's number of the chain.
	ChainID() int64
	// TopUp pays what the account lacks and returns when it is in a block.
	TopUp(ctx context.Context, address string) ([]Transaction, error)
}

// Faucet pays on all chains.
type Faucet struct {
	evm    []Lane
	solana []Lane
	flying singleflight.Group
}

// New makes a faucet of the chains' lanes; solana may be nil.
func New(evm []Lane, solana Lane) *Faucet {
	f := &Faucet{evm: evm}
	if solana != nil {
		f.solana = []Lane{solana}
	}
	return f
}

// Fund tops both accounts up on all their chains at once; an empty address is
// left out. It returns what was paid, and an error that names each chain on
// which that failed.
func (f *Faucet) Fund(ctx context.Context, evmAddress, solanaAddress string) ([]Transaction, error) {
	type job struct {
		lane    Lane
		address string
	}
	var jobs []job
	if evmAddress != "" {
		for _, lane := range f.evm {
			jobs = append(jobs, job{lane, evmAddress})
		}
	}
	if solanaAddress != "" {
		for _, lane := range f.solana {
			jobs = append(jobs, job{lane, solanaAddress})
		}
	}
	paid := make([][]Transaction, len(jobs))
	failures := make([]error, len(jobs))
	var paying sync.WaitGroup
	for i, j := range jobs {
		paying.Go(func() { paid[i], failures[i] = f.topUp(ctx, j.lane, j.address) })
	}
	paying.Wait()

	all := []Transaction{}
	for _, transactions := range paid {
		all = append(all, transactions...)
	}
	return all, errors.Join(failures...)
}

// topUp lets simultaneous requests for one account share one top-up, which goes
// on when the first asker leaves.
func (f *Faucet) topUp(ctx context.Context, lane Lane, address string) ([]Transaction, error) {
	key := fmt.Sprintf("%d/%s", lane.ChainID(), address)
	result, err, _ := f.flying.Do(key, func() (any, error) {
		detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), topUpTimeout)
		defer cancel()
		return lane.TopUp(detached, address)
	})
	transactions, _ := result.([]Transaction)
	if err != nil {
		return transactions, fmt.Errorf("chain %d: %w", lane.ChainID(), err)
	}
	return transactions, nil
}
