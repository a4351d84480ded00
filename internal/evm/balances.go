package evm

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/catalog"
	"tenfold/internal/chain/node"
)

// subcall and subresult are Multicall3's Call3 and Result.
type subcall struct {
	Target       common.Address `abi:"target"`
	AllowFailure bool           `abi:"allowFailure"`
	CallData     []byte         `abi:"callData"`
}

type subresult struct {
	Success    bool   `abi:"success"`
	ReturnData []byte `abi:"returnData"`
}

// Balances reads all balances by one eth_call through Multicall3. A token that
// does not answer is an error: an unknown balance must not be shown as zero.
func (a *Adapter) Balances(ctx context.Context, owner string, assets []catalog.Asset) ([]*big.Int, error) {
	address, err := parseAddress(owner)
	if err != nil {
		return nil, err
	}
	calls := make([]subcall, len(assets))
	for i, asset := range assets {
		calls[i] = subcall{Target: multicallAddress, AllowFailure: true, CallData: pack(multicall, "getEthBalance", address)}
		if !asset.Native {
			calls[i].Target, calls[i].CallData = common.HexToAddress(asset.Address), pack(erc20, "balanceOf", address)
		}
	}
	var balances []*big.Int
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		balances, err = readBalances(ctx, n, calls)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("read balances on %s: %w", a.chain.Name, err))
	}
	return balances, nil
}

func readBalances(ctx context.Context, n node.Caller, calls []subcall) ([]*big.Int, error) {
	var answer hexutil.Bytes
	message := callMessage{To: &multicallAddress, Input: pack(multicall, "aggregate3", calls)}
	if err := n.Call(ctx, &answer, "eth_call", message, "latest"); err != nil {
		return nil, err
	}
	var results []subresult
	if err := multicall.UnpackIntoInterface(&results, "aggregate3", answer); err != nil {
		return nil, node.Broken(fmt.Errorf("decode the answer of Multicall3: %w", err))
	}
	if len(results) != len(calls) {
		return nil, node.Broken(fmt.Errorf("%d balances for %d assets", len(results), len(calls)))
	}
	balances := make([]*big.Int, len(calls))
	for i, r := range results {
		// A contract may return more than a word; the first is the balance.
		if !r.Success || len(r.ReturnData) < common.HashLength {
			return nil, fmt.Errorf("balance of %s: %w", calls[i].Target, errNoAnswer)
		}
		balances[i] = new(big.Int).SetBytes(r.ReturnData[:common.HashLength])
	}
	return balances, nil
}

var errNoAnswer = errors.New("the contract gave no answer")
