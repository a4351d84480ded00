package evm

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
)

// receipt is what we need of a transaction receipt. Numbers are the node's hex.
type receipt struct {
	Hash        common.Hash     `json:"transactionHash"`
	Index       hexutil.Uint64  `json:"transactionIndex"`
	BlockHash   common.Hash     `json:"blockHash"`
	BlockNumber hexutil.Uint64  `json:"blockNumber"`
	From        common.Address  `json:"from"`
	To          *common.Address `json:"to"`
	Status      hexutil.Uint64  `json:"status"`
	GasUsed     hexutil.Uint64  `json:"gasUsed"`
	GasPrice    *hexutil.Big    `json:"effectiveGasPrice"`
	L1Fee       *hexutil.Big    `json:"l1Fee"` // OP stack: billed on top
	Logs        []event         `json:"logs"`
}

// fee is what the sender really paid, in wei.
func (r receipt) fee() *big.Int {
	fee := new(big.Int)
	if r.GasPrice != nil {
		fee.Mul(new(big.Int).SetUint64(uint64(r.GasUsed)), r.GasPrice.ToInt())
	}
	if r.L1Fee != nil {
		fee.Add(fee, r.L1Fee.ToInt())
	}
	return fee
}

// receiptOf is nil when the node has none.
func receiptOf(ctx context.Context, n node.Caller, hash string) (*receipt, error) {
	var r *receipt
	if err := n.Call(ctx, &r, "eth_getTransactionReceipt", hash); err != nil {
		return nil, err
	}
	if r != nil && r.Hash != common.HexToHash(hash) {
		return nil, node.Broken(fmt.Errorf("it gave the receipt of %s for %s", r.Hash, hash))
	}
	return r, nil
}

// Lookup says what became of the transaction with this hash, all questions put
// to one node. "Impossible" is said only on proof, see spentByOther.
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
	r, err := receiptOf(ctx, n, hash)
	if err != nil {
		return chain.Lookup{}, err
	}
	if r != nil {
		return a.included(ctx, n, u, *r)
	}
	var known *struct {
		Hash common.Hash `json:"hash"`
	}
	if err := n.Call(ctx, &known, "eth_getTransactionByHash", hash); err != nil {
		return chain.Lookup{}, err
	}
	if known != nil {
		return chain.Lookup{Phase: chain.PhasePending}, nil
	}
	impossible, err := a.spentByOther(ctx, n, u, common.HexToHash(hash))
	if err != nil {
		return chain.Lookup{}, err
	}
	if impossible {
		return chain.Lookup{Phase: chain.PhaseImpossible, Reason: "nonce too low"}, nil
	}
	return chain.Lookup{Phase: chain.PhaseUnknown}, nil
}

// included judges a transaction that has a receipt by the catalog's finality
// rule: so many blocks, the including one counted, and its block's hash must still
// be the chain's at that height. Depth alone counts: a clock would call a block
// settled on a node that stands still.
func (a *Adapter) included(ctx context.Context, n node.Caller, u chain.Unsigned, r receipt) (chain.Lookup, error) {
	at, err := blockAt(ctx, n, hexutil.EncodeUint64(uint64(r.BlockNumber)))
	if err != nil {
		return chain.Lookup{}, err
	}
	if at.Hash != r.BlockHash {
		return chain.Lookup{Phase: chain.PhasePending}, nil // it was in a block that the chain has dropped
	}
	head, err := blockAt(ctx, n, "latest")
	if err != nil {
		return chain.Lookup{}, err
	}
	if head.Number < r.BlockNumber {
		return chain.Lookup{}, node.Broken(fmt.Errorf("its head %d is below the receipt's block %d", head.Number, r.BlockNumber))
	}
	found := chain.Lookup{
		Phase: chain.PhaseIncluded, BlockNumber: uint64(r.BlockNumber),
		Confirmations: uint64(head.Number-r.BlockNumber) + 1, Fee: r.fee(),
	}
	if found.Confirmations >= a.chain.Finality.Blocks {
		found.Phase = chain.PhaseSettled
	}
	if r.Status == 1 {
		return found, nil
	}
	if found.Phase == chain.PhaseSettled {
		found.Phase = chain.PhaseFailed
	}
	found.Reason, err = a.whyReverted(ctx, n, u, r)
	return found, err
}

// whyReverted runs the call again on the state before its block. That is a good
// guess and no proof, so it only serves to word the message.
func (a *Adapter) whyReverted(ctx context.Context, n node.Caller, u chain.Unsigned, r receipt) (string, error) {
	const unknown = "execution reverted"
	d, err := decodeDraft(u.Bytes)
	if err != nil || r.BlockNumber == 0 {
		return unknown, nil
	}
	if uint64(r.GasUsed) == d.gas {
		return "out of gas", nil
	}
	message := callMessage{From: r.From, To: d.to, Value: (*hexutil.Big)(d.value), Input: d.data, Gas: (*hexutil.Uint64)(&d.gas)}
	var result hexutil.Bytes
	err = n.Call(ctx, &result, "eth_call", message, hexutil.EncodeUint64(uint64(r.BlockNumber)-1))
	var refusal *node.RefusalError
	switch {
	case errors.As(err, &refusal):
		return reasonOf(refusal), nil
	case err != nil:
		return "", err
	}
	return unknown, nil
}
