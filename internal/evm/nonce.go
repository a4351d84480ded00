package evm

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
)

// deepestSearch is how many blocks back the search for a spent nonce goes.
const deepestSearch = 1 << 16

// spentByOther tells whether the transaction can provably never land: its nonce
// is used up at a settled height, and the block in which that happened does not
// contain it. A missing receipt alone proves nothing, since nodes lag and stand
// behind load balancers; a second signature on such evidence could pay twice.
// When the node no longer has the old state, the answer is "not proven".
func (a *Adapter) spentByOther(ctx context.Context, n node.Caller, u chain.Unsigned, hash common.Hash) (bool, error) {
	if u.Nonce == nil {
		return false, nil
	}
	from, err := parseAddress(u.From)
	if err != nil {
		return false, err
	}
	settled, err := a.settledHeight(ctx, n)
	if err != nil {
		return false, err
	}
	used := func(height uint64) (bool, error) {
		count, err := nonceAt(ctx, n, from, hexutil.EncodeUint64(height))
		return count > *u.Nonce, err
	}
	spent, err := used(settled)
	if err != nil || !spent {
		return false, notProven(err)
	}
	at, found, err := firstUsed(settled, used)
	if err != nil || !found {
		return false, notProven(err)
	}
	var b *struct {
		Transactions []common.Hash `json:"transactions"`
	}
	if err := n.Call(ctx, &b, "eth_getBlockByNumber", hexutil.EncodeUint64(at), false); err != nil {
		return false, notProven(err)
	}
	if b == nil {
		return false, nil
	}
	for _, h := range b.Transactions {
		if h == hash {
			return false, nil // it did land; the node's index is behind
		}
	}
	return true, nil
}

// settledHeight is the newest height that meets the finality rule.
func (a *Adapter) settledHeight(ctx context.Context, n node.Caller) (uint64, error) {
	head, err := blockAt(ctx, n, "latest")
	if err != nil {
		return 0, err
	}
	depth := max(a.chain.Finality.Blocks, 1) - 1
	return uint64(head.Number) - min(depth, uint64(head.Number)), nil
}

// firstUsed finds the lowest height at which used is true, knowing that it is at
// top: first by ever longer steps down, then by halving.
func firstUsed(top uint64, used func(uint64) (bool, error)) (height uint64, found bool, err error) {
	low, high := top, top
	for step := uint64(16); ; step *= 2 {
		if step > deepestSearch {
			return 0, false, nil
		}
		low = top - min(step, top)
		yes, err := used(low)
		if err != nil {
			return 0, false, err
		}
		if !yes {
			break
		}
		if high = low; low == 0 {
			return 0, true, nil
		}
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		yes, err := used(middle)
		if err != nil {
			return 0, false, err
		}
		if yes {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true, nil
}

// notProven swallows a node's refusal to look into the past.
func notProven(err error) error {
	var refusal *node.RefusalError
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}
