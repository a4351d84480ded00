package solana

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
)

// status is a node's word on a signature.
type status struct {
	Slot          uint64          `json:"slot"`
	Confirmations *uint64         `json:"confirmations"` // nil once finalized
	Err           json.RawMessage `json:"err"`
	Level         string          `json:"confirmationStatus"`
}

// levels are the commitments in order.
var levels = map[string]int{"processed": 1, "confirmed": 2, "finalized": 3}

// statusOf is nil when the node knows nothing of the signature, its stored
// history included.
func statusOf(ctx context.Context, n node.Caller, signature string) (*status, error) {
	var answer struct {
		Value []*status `json:"value"`
	}
	err := n.Call(ctx, &answer, "getSignatureStatuses", []string{signature}, map[string]bool{"searchTransactionHistory": true})
	if err != nil {
		return nil, err
	}
	if len(answer.Value) != 1 {
		return nil, node.Broken(fmt.Errorf("%d statuses for one signature", len(answer.Value)))
	}
	return answer.Value[0], nil
}

// Lookup says what became of the transaction, all questions put to one node.
// "Impossible" needs a finalized height past the transaction's last valid one,
// read before the search that does not find it, on a node whose history reaches
// back far enough.
func (a *Adapter) Lookup(ctx context.Context, u chain.Unsigned, hash string) (chain.Lookup, error) {
	var found chain.Lookup
	err := a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) (err error) {
		found, err = a.lookup(ctx, n, u, hash)
		return err
	})
	if err != nil {
		return chain.Lookup{}, a.classify(fmt.Errorf("look up %s on %s: %w", hash, a.chain.Name, err))
	}
	return found, nil
}

func (a *Adapter) lookup(ctx context.Context, n node.Caller, u chain.Unsigned, hash string) (chain.Lookup, error) {
	var finalized uint64
	if err := n.Call(ctx, &finalized, "getBlockHeight", map[string]string{"commitment": "finalized"}); err != nil {
		return chain.Lookup{}, err
	}
	s, err := statusOf(ctx, n, hash)
	if err != nil {
		return chain.Lookup{}, err
	}
	if s != nil {
		return a.included(ctx, n, *s, hash)
	}
	if u.LastValidBlockHeight == 0 || finalized <= u.LastValidBlockHeight {
		return chain.Lookup{Phase: chain.PhaseUnknown}, nil
	}
	remembers, err := reachesBack(ctx, n, finalized, u.LastValidBlockHeight)
	if err != nil || !remembers {
		return chain.Lookup{Phase: chain.PhaseUnknown}, err
	}
	return chain.Lookup{Phase: chain.PhaseImpossible, Reason: "block height exceeded"}, nil
}

// surelyKept is a number of blocks (about 11 hours) that every node keeps.
const surelyKept = 100_000

// reachesBack tells whether the node would still know a transaction that was
// valid until the given height. Slots are never fewer than blocks, so a first
// slot at or below the window's start proves it.
func reachesBack(ctx context.Context, n node.Caller, finalized, lastValid uint64) (bool, error) {
	if finalized-lastValid < surelyKept {
		return true, nil
	}
	const window = 150 // blocks for which a blockhash is good
	var first uint64
	err := n.Call(ctx, &first, "getFirstAvailableBlock")
	var refusal *node.RefusalError
	if errors.As(err, &refusal) {
		return false, nil
	}
	return first+window <= lastValid, err
}

func (a *Adapter) included(ctx context.Context, n node.Caller, s status, hash string) (chain.Lookup, error) {
	found := chain.Lookup{Phase: chain.PhaseIncluded, BlockNumber: s.Slot}
	if s.Confirmations != nil {
		found.Confirmations = *s.Confirmations
	}
	failed := len(s.Err) > 0 && string(s.Err) != "null"
	if levels[s.Level] >= levels[a.chain.Finality.Commitment] {
		if found.Phase = chain.PhaseSettled; failed {
			found.Phase = chain.PhaseFailed
		}
	}
	if failed {
		found.Reason = reason(s.Err, nil)
	}
	if levels[s.Level] < levels[commitment] {
		return found, nil // records are served from "confirmed" on
	}
	r, err := recordOf(ctx, n, hash)
	if err != nil || r == nil {
		return found, err
	}
	found.Fee = lamports(r.Meta.Fee)
	if failed {
		found.Reason = reason(s.Err, r.Meta.Logs)
	}
	return found, nil
}

// record is getTransaction's answer, encoding json.
type record struct {
	Meta struct {
		Fee       uint64          `json:"fee"`
		Err       json.RawMessage `json:"err"`
		Logs      []string        `json:"logMessages"`
		Pre       []uint64        `json:"preBalances"`
		Post      []uint64        `json:"postBalances"`
		PreToken  []tokenBalance  `json:"preTokenBalances"`
		PostToken []tokenBalance  `json:"postTokenBalances"`
		Loaded    struct {
			Writable []string `json:"writable"`
			Readonly []string `json:"readonly"`
		} `json:"loadedAddresses"`
	} `json:"meta"`
	Transaction struct {
		Message struct {
			AccountKeys []string `json:"accountKeys"`
		} `json:"message"`
	} `json:"transaction"`
}

type tokenBalance struct {
	Mint   string `json:"mint"`
	Owner  string `json:"owner"`
	Amount struct {
		Amount string `json:"amount"` // base units
	} `json:"uiTokenAmount"`
}

// recordOf is nil when the node has no record yet.
func recordOf(ctx context.Context, n node.Caller, hash string) (*record, error) {
	config := map[string]any{"encoding": "json", "commitment": commitment, "maxSupportedTransactionVersion": 0}
	var r *record
	if err := n.Call(ctx, &r, "getTransaction", hash, config); err != nil || r == nil {
		return nil, err
	}
	keys := len(r.Transaction.Message.AccountKeys) + len(r.Meta.Loaded.Writable) + len(r.Meta.Loaded.Readonly)
	if keys == 0 || len(r.Meta.Pre) != keys || len(r.Meta.Post) != keys {
		return nil, node.Broken(fmt.Errorf("its record of %s has %d keys and %d balances", hash, keys, len(r.Meta.Post)))
	}
	return r, nil
}

var errNotIncluded = errors.New("the transaction is in no block")

// Received reads what the transaction did to the owner from the balances before
// and after that the chain keeps with it. Of SOL the network fee is not counted,
// rent paid for new accounts is. A failed transaction moved nothing.
func (a *Adapter) Received(ctx context.Context, hash, owner string, asset catalog.Asset) (*big.Int, error) {
	if _, err := parseAddress(owner); err != nil {
		return nil, err
	}
	var moved *big.Int
	err := a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		r, err := recordOf(ctx, n, hash)
		if err != nil {
			return err
		}
		if r == nil {
			return errNotIncluded
		}
		moved, err = r.moved(owner, asset)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("read what %s moved on %s: %w", hash, a.chain.Name, err))
	}
	return moved, nil
}

func (r *record) moved(owner string, asset catalog.Asset) (*big.Int, error) {
	total := new(big.Int)
	if string(r.Meta.Err) != "null" && len(r.Meta.Err) > 0 {
		return total, nil
	}
	if !asset.Native {
		for _, side := range []struct {
			sign int64
			list []tokenBalance
		}{{1, r.Meta.PostToken}, {-1, r.Meta.PreToken}} {
			for _, b := range side.list {
				if b.Owner != owner || b.Mint != asset.Address {
					continue
				}
				v, ok := new(big.Int).SetString(b.Amount.Amount, 10)
				if !ok {
					return nil, node.Broken(fmt.Errorf("its token amount %q is no number", b.Amount.Amount))
				}
				total.Add(total, v.Mul(v, big.NewInt(side.sign)))
			}
		}
		return total, nil
	}
	keys := append(append(r.Transaction.Message.AccountKeys, r.Meta.Loaded.Writable...), r.Meta.Loaded.Readonly...)
	for i, key := range keys {
		if key != owner {
			continue
		}
		total.Sub(lamports(r.Meta.Post[i]), lamports(r.Meta.Pre[i]))
		if i == 0 { // the fee payer
			total.Add(total, lamports(r.Meta.Fee))
		}
	}
	return total, nil
}
