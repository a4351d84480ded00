package evm

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// event is a log entry, of a receipt or of a simulation.
type event struct {
	Address common.Address `json:"address"`
	Topics  []common.Hash  `json:"topics"`
	Data    hexutil.Bytes  `json:"data"`
}

// outcome is what eth_simulateV1 says of one call.
type outcome struct {
	Status     hexutil.Uint64 `json:"status"`
	GasUsed    hexutil.Uint64 `json:"gasUsed"`
	MaxUsedGas hexutil.Uint64 `json:"maxUsedGas"` // before refunds; newer nodes only
	Logs       []event        `json:"logs"`
	ReturnData hexutil.Bytes  `json:"returnData"`
	Error      *struct {
		Message string `json:"message"`
	} `json:"error"`
}

type simulatedBlock struct {
	Overrides map[string]any `json:"blockOverrides,omitempty"`
	Calls     any            `json:"calls"`
}

type simulation struct {
	Blocks         []simulatedBlock `json:"blockStateCalls"`
	TraceTransfers bool             `json:"traceTransfers"`
}

// Simulate runs the transactions one after the other on the newest state with
// eth_simulateV1 and adds up the sender's token and coin movements from the logs.
// A call that fails is a fault simulation_failed or insufficient_balance with
// the message that a person may see.
func (a *Adapter) Simulate(ctx context.Context, txs []chain.Unsigned) ([]chain.Change, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	messages := make([]callMessage, len(txs))
	from, err := parseAddress(txs[0].From)
	if err != nil {
		return nil, err
	}
	for i, u := range txs {
		d, err := decodeDraft(u.Bytes)
		if err != nil || u.From != txs[0].From {
			return nil, fault.Wrap(fault.UnsafeTransaction, messageMissingData, fmt.Errorf("transaction %d: %w", i, err))
		}
		messages[i] = callMessage{From: from, To: d.to, Value: (*hexutil.Big)(d.value), Input: d.data, Gas: (*hexutil.Uint64)(&d.gas)}
	}
	var outcomes []outcome
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		outcomes, err = simulate(ctx, n, messages)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("simulate on %s: %w", a.chain.Name, err))
	}
	moved := a.newTally(from)
	for _, o := range outcomes {
		moved.add(o.Logs)
	}
	return moved.changes(), nil
}

func simulate(ctx context.Context, n node.Caller, messages []callMessage) ([]outcome, error) {
	outcomes, err := runSimulation(ctx, n, simulatedBlock{Calls: messages}, "latest")
	if err != nil {
		return nil, err
	}
	for i, o := range outcomes {
		if o.Status != 1 {
			raw := revertText(o)
			code := fault.SimulationFailed
			if strings.Contains(strings.ToLower(raw), "insufficient funds") {
				code = fault.InsufficientBalance
			}
			return nil, fault.Wrap(code, fault.FriendlyMessage(raw), fmt.Errorf("call %d of %d fails: %s", i+1, len(outcomes), raw))
		}
	}
	return outcomes, nil
}

func runSimulation(ctx context.Context, n node.Caller, b simulatedBlock, tag string) ([]outcome, error) {
	var blocks []struct {
		Calls []outcome `json:"calls"`
	}
	err := n.Call(ctx, &blocks, "eth_simulateV1", simulation{[]simulatedBlock{b}, true}, tag)
	var refusal *node.RefusalError
	switch {
	case errors.As(err, &refusal) && refusal.MethodMissing():
		return nil, fmt.Errorf("%w: %s", chain.ErrSimulationUnavailable, refusal.Message)
	case err != nil:
		return nil, refused("simulate", err)
	}
	want := 0
	switch calls := b.Calls.(type) {
	case []callMessage:
		want = len(calls)
	case []any:
		want = len(calls)
	}
	if len(blocks) != 1 || len(blocks[0].Calls) != want {
		return nil, node.Broken(fmt.Errorf("it simulated %d blocks", len(blocks)))
	}
	return blocks[0].Calls, nil
}

// revertText is the contract's own words where it gave any.
func revertText(o outcome) string {
	if reason, err := abi.UnpackRevert(o.ReturnData); err == nil {
		return "execution reverted: " + reason
	}
	if o.Error != nil && o.Error.Message != "" {
		return o.Error.Message
	}
	return "execution reverted"
}

// reasonOf is the same for a refusal of eth_call or eth_estimateGas.
func reasonOf(r *node.RefusalError) string {
	text, _ := r.Data.(string)
	if data, err := hexutil.Decode(text); err == nil {
		if reason, err := abi.UnpackRevert(data); err == nil {
			return "execution reverted: " + reason
		}
	}
	return r.Message
}

// tally adds up what logs did to one owner. It must be given the logs of whole
// transactions.
type tally struct {
	owner          common.Address
	native, wraps  string
	wrappedAddress common.Address
	order          []string
	sums           map[string]*big.Int
}

func (a *Adapter) newTally(owner common.Address) *tally {
	w := common.HexToAddress(a.chain.WrappedToken.Address)
	return &tally{owner: owner, native: a.chain.TokenAddress, wraps: w.Hex(), wrappedAddress: w, sums: map[string]*big.Int{}}
}

// add counts Transfer events (ERC-20, and the node's own for the native coin)
// and the Deposit and Withdrawal events by which wrapped coins are made and
// unmade. Some wrapped tokens also emit a Transfer from or to the zero address
// for the same act: such a pair is counted once.
func (t *tally) add(logs []event) {
	minted, burned := map[string]int{}, map[string]int{}
	for _, l := range logs {
		from, to, amount, ok := transferIn(l)
		if !ok {
			continue
		}
		asset := l.Address.Hex()
		if l.Address == nodeTransferLog {
			asset = t.native
		}
		t.move(asset, from, to, amount)
		if l.Address == t.wrappedAddress && from == (common.Address{}) {
			minted[to.Hex()+amount.String()]++
		}
		if l.Address == t.wrappedAddress && to == (common.Address{}) {
			burned[from.Hex()+amount.String()]++
		}
	}
	for _, l := range logs {
		if l.Address != t.wrappedAddress || len(l.Topics) != 2 || len(l.Data) != common.HashLength {
			continue
		}
		party, amount := common.BytesToAddress(l.Topics[1][:]), new(big.Int).SetBytes(l.Data)
		key := party.Hex() + amount.String()
		switch l.Topics[0] {
		case wrapped.Events["Deposit"].ID:
			if minted[key]--; minted[key] < 0 {
				t.move(t.wraps, common.Address{}, party, amount)
			}
		case wrapped.Events["Withdrawal"].ID:
			if burned[key]--; burned[key] < 0 {
				t.move(t.wraps, party, common.Address{}, amount)
			}
		}
	}
}

// transferIn reads a fungible Transfer; an ERC-721 one has four topics.
func transferIn(l event) (from, to common.Address, amount *big.Int, ok bool) {
	if len(l.Topics) != 3 || l.Topics[0] != erc20.Events["Transfer"].ID || len(l.Data) != common.HashLength {
		return
	}
	return common.BytesToAddress(l.Topics[1][:]), common.BytesToAddress(l.Topics[2][:]), new(big.Int).SetBytes(l.Data), true
}

func (t *tally) move(asset string, from, to common.Address, amount *big.Int) {
	if t.sums[asset] == nil {
		if from != t.owner && to != t.owner {
			return
		}
		t.sums[asset], t.order = new(big.Int), append(t.order, asset)
	}
	if from == t.owner {
		t.sums[asset].Sub(t.sums[asset], amount)
	}
	if to == t.owner {
		t.sums[asset].Add(t.sums[asset], amount)
	}
}

// of is the sum for one asset.
func (t *tally) of(asset string) *big.Int {
	if v := t.sums[asset]; v != nil {
		return v
	}
	return new(big.Int)
}

// changes lists the assets that moved, without those that came out even.
func (t *tally) changes() []chain.Change {
	var list []chain.Change
	for _, asset := range t.order {
		if d := t.sums[asset]; d.Sign() != 0 {
			list = append(list, chain.Change{Owner: t.owner.Hex(), Asset: asset, Delta: d})
		}
	}
	return slices.Clip(list)
}
