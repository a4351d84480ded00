package evm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// errNotIncluded says that there is nothing to read yet.
var errNotIncluded = errors.New("the transaction is in no block")

// Received reads exactly what a transaction moved, network fee not counted.
//
// Tokens: the sum of the receipt's events. The native coin leaves no events, so
// it is read in the first way that is exact here:
//  1. a payment that ran no code moved its value and nothing else;
//  2. when it is alone in its block, the owner's balance after the block less the
//     one before it, the fee added back;
//  3. otherwise eth_simulateV1 runs the block's transactions up to this one again
//     on the parent's state and reports every move of coin. The result counts only
//     when gas and events come out as in the receipt, which proves the same run.
//
// When none applies it is an error, never a guess.
func (a *Adapter) Received(ctx context.Context, hash, owner string, asset catalog.Asset) (*big.Int, error) {
	address, err := parseAddress(owner)
	if err != nil {
		return nil, err
	}
	var amount *big.Int
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		amount, err = a.received(ctx, n, hash, address, asset)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("read what %s moved on %s: %w", hash, a.chain.Name, err))
	}
	return amount, nil
}

func (a *Adapter) received(ctx context.Context, n node.Caller, hash string, owner common.Address, asset catalog.Asset) (*big.Int, error) {
	r, err := receiptOf(ctx, n, hash)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errNotIncluded
	}
	if r.Status != 1 {
		return new(big.Int), nil
	}
	if !asset.Native {
		moved := a.newTally(owner)
		moved.add(r.Logs)
		return moved.of(common.HexToAddress(asset.Address).Hex()), nil
	}
	return a.receivedNative(ctx, n, *r, owner)
}

// minedBlock is a block with its transactions in full.
type minedBlock struct {
	Hash         common.Hash        `json:"hash"`
	Number       hexutil.Uint64     `json:"number"`
	Timestamp    hexutil.Uint64     `json:"timestamp"`
	GasLimit     hexutil.Uint64     `json:"gasLimit"`
	Miner        common.Address     `json:"miner"`
	BaseFee      *hexutil.Big       `json:"baseFeePerGas"`
	PrevRandao   common.Hash        `json:"mixHash"`
	Withdrawals  []json.RawMessage  `json:"withdrawals"`
	Transactions []minedTransaction `json:"transactions"`
}

type minedTransaction struct {
	Hash     common.Hash     `json:"hash"`
	From     common.Address  `json:"from"`
	To       *common.Address `json:"to"`
	Value    *hexutil.Big    `json:"value"`
	Input    hexutil.Bytes   `json:"input"`
	Gas      hexutil.Uint64  `json:"gas"`
	GasPrice *hexutil.Big    `json:"gasPrice"`
}

func (a *Adapter) receivedNative(ctx context.Context, n node.Caller, r receipt, owner common.Address) (*big.Int, error) {
	var b *minedBlock
	if err := n.Call(ctx, &b, "eth_getBlockByHash", r.BlockHash, true); err != nil {
		return nil, err
	}
	if b == nil || uint64(r.Index) >= uint64(len(b.Transactions)) || b.Transactions[r.Index].Hash != r.Hash {
		return nil, node.Broken(fmt.Errorf("its block %s does not hold %s", r.BlockHash, r.Hash))
	}
	tx := b.Transactions[r.Index]
	if tx.Value == nil || b.Number == 0 {
		return nil, node.Broken(fmt.Errorf("its block %s holds %s without a value or a parent", r.BlockHash, r.Hash))
	}
	if r.GasUsed == plainGas && len(tx.Input) == 0 {
		return tx.plainMove(owner), nil
	}
	if len(b.Transactions) == 1 && len(b.Withdrawals) == 0 && b.Miner != owner {
		return difference(ctx, n, r, owner)
	}
	return a.replayed(ctx, n, *b, r, owner)
}

func (t minedTransaction) plainMove(owner common.Address) *big.Int {
	moved := new(big.Int)
	if t.To != nil && *t.To == owner {
		moved.Add(moved, t.Value.ToInt())
	}
	if t.From == owner {
		moved.Sub(moved, t.Value.ToInt())
	}
	return moved
}

func difference(ctx context.Context, n node.Caller, r receipt, owner common.Address) (*big.Int, error) {
	before, err := balanceAt(ctx, n, owner, hexutil.EncodeUint64(uint64(r.BlockNumber)-1))
	if err != nil {
		return nil, err
	}
	after, err := balanceAt(ctx, n, owner, hexutil.EncodeUint64(uint64(r.BlockNumber)))
	if err != nil {
		return nil, err
	}
	moved := new(big.Int).Sub(after, before)
	if r.From == owner {
		moved.Add(moved, r.fee())
	}
	return moved, nil
}

// longestReplay bounds what is asked of a node in one call.
const longestReplay = 64

func (a *Adapter) replayed(ctx context.Context, n node.Caller, b minedBlock, r receipt, owner common.Address) (*big.Int, error) {
	if r.Index >= longestReplay {
		return nil, fault.Wrap(fault.ChainUnavailable, "The amount can't be read from the chain right now.", fmt.Errorf("%d transactions stand before %s in its block", r.Index, r.Hash))
	}
	calls := make([]any, r.Index+1)
	for i, t := range b.Transactions[:r.Index+1] {
		calls[i] = callMessage{From: t.From, To: t.To, Value: t.Value, Input: t.Input, Gas: &t.Gas, GasPrice: t.GasPrice}
	}
	overrides := map[string]any{
		"number": b.Number, "time": b.Timestamp, "gasLimit": b.GasLimit, "feeRecipient": b.Miner, "prevRandao": b.PrevRandao,
	}
	if b.BaseFee != nil {
		overrides["baseFeePerGas"] = b.BaseFee
	}
	outcomes, err := runSimulation(ctx, n, simulatedBlock{overrides, calls}, hexutil.EncodeUint64(uint64(b.Number)-1))
	if err != nil {
		return nil, err
	}
	ours := outcomes[r.Index]
	if ours.GasUsed != r.GasUsed || !sameEvents(ours.Logs, r.Logs) {
		return nil, fmt.Errorf("%w: a second run of %s went differently", chain.ErrSimulationUnavailable, r.Hash)
	}
	moved := a.newTally(owner)
	moved.add(ours.Logs)
	return moved.of(a.chain.TokenAddress), nil
}

// sameEvents compares the events of a simulation with a receipt's, the moves of
// the native coin, which only a simulation logs, left out.
func sameEvents(simulated, mined []event) bool {
	simulated = slices.DeleteFunc(slices.Clone(simulated), func(e event) bool { return e.Address == nodeTransferLog })
	return slices.EqualFunc(simulated, mined, func(x, y event) bool {
		return x.Address == y.Address && slices.Equal(x.Topics, y.Topics) && slices.Equal(x.Data, y.Data)
	})
}
