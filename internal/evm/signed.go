package evm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// CheckSigned proves that signed is u plus u.From's signature: the same signing
// hash, the recovered sender, and no other encoding of the same thing.
func (a *Adapter) CheckSigned(u chain.Unsigned, signed []byte) (chain.Signed, error) {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(signed); err != nil {
		return chain.Signed{}, mismatch(fmt.Errorf("decode the signed transaction: %w", err))
	}
	if again, err := tx.MarshalBinary(); err != nil || !bytes.Equal(again, signed) {
		return chain.Signed{}, mismatch(errors.New("the signed transaction is not canonically encoded"))
	}
	signer := types.LatestSignerForChainID(big.NewInt(a.chain.ID))
	if signer.Hash(&tx) != signingHash(u.Bytes) {
		return chain.Signed{}, mismatch(errors.New("another transaction was signed"))
	}
	sender, err := types.Sender(signer, &tx)
	if err != nil {
		return chain.Signed{}, mismatch(fmt.Errorf("recover the signer: %w", err))
	}
	if sender != common.HexToAddress(u.From) {
		return chain.Signed{}, mismatch(fmt.Errorf("signed by %s instead of %s", sender, u.From))
	}
	return chain.Signed{Bytes: signed, Hash: tx.Hash().Hex()}, nil
}

func mismatch(cause error) error {
	return fault.Wrap(fault.SignatureMismatch, "The signature does not belong to this transaction. Nothing was sent.", cause)
}

// alreadyThere are nodes' words for a transaction that they have: go-ethereum,
// Nethermind and Besu, Erigon.
var alreadyThere = []string{"already known", "alreadyknown", "known transaction", "already_exists", "already exists", "already imported"}

// Broadcast hands the bytes to a node, and to the next one when that one fails:
// the same bytes can land only once. A refusal is a success after all when the
// node has this very transaction. Otherwise it is broadcast_refused, and no proof
// that the transaction did not land: callers settle that by Lookup. A refusal
// after another node's silence is as ambiguous as the silence, which may have
// come after that node took the bytes.
func (a *Adapter) Broadcast(ctx context.Context, s chain.Signed) error {
	var hash common.Hash
	asked := 0
	err := a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		asked++
		err := n.Call(ctx, &hash, "eth_sendRawTransaction", hexutil.Bytes(s.Bytes))
		var refusal *node.RefusalError
		if errors.As(err, &refusal) && isThere(ctx, n, refusal, s.Hash) {
			return nil
		}
		return err
	})
	var refusal *node.RefusalError
	if errors.As(err, &refusal) {
		if asked > 1 {
			return fault.Wrap(fault.ChainUnavailable, a.chain.Name+" can't be reached right now. Please try again in a moment.",
				fmt.Errorf("broadcast %s on %s: refused after a node that did not answer: %w", s.Hash, a.chain.Name, err))
		}
		return fault.Wrap(fault.BroadcastRefused, fault.FriendlyMessage(refusal.Message), fmt.Errorf("broadcast %s on %s: %w", s.Hash, a.chain.Name, err))
	}
	if err != nil {
		return a.classify(fmt.Errorf("broadcast %s on %s: %w", s.Hash, a.chain.Name, err))
	}
	return nil
}

// isThere tells whether a node refused a transaction because it has it: by its
// words, or, where it speaks of a used nonce, by knowing the hash.
func isThere(ctx context.Context, n node.Caller, refusal *node.RefusalError, hash string) bool {
	text := strings.ToLower(refusal.Message)
	for _, known := range alreadyThere {
		if strings.Contains(text, known) {
			return true
		}
	}
	if !strings.Contains(text, "nonce") {
		return false
	}
	var found *struct {
		Hash common.Hash `json:"hash"`
	}
	err := n.Call(ctx, &found, "eth_getTransactionByHash", hash)
	return err == nil && found != nil && found.Hash == common.HexToHash(hash)
}
