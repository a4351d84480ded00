package evm

import (
	"errors"
	"maps"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/internal/chain"
)

func logged(contract common.Address, e abi.Event, amount int64, parties ...string) event {
	l := event{Address: contract, Topics: []common.Hash{e.ID}, Data: common.LeftPadBytes(big.NewInt(amount).Bytes(), 32)}
	for _, p := range parties {
		l.Topics = append(l.Topics, common.BytesToHash(common.HexToAddress(p).Bytes()))
	}
	return l
}

// Wrapped coins are made and unmade in two dialects: WETH9 logs a Deposit alone,
// others a Transfer from nobody as well.
func TestAWrapIsCountedOnce(t *testing.T) {
	t.Parallel()
	a := offline(t, ethereum)
	weth := common.HexToAddress(a.chain.WrappedToken.Address)
	usdc := common.HexToAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	const nobody = "0x0000000000000000000000000000000000000000"
	transfer, deposit, withdrawal := erc20.Events["Transfer"], wrapped.Events["Deposit"], wrapped.Events["Withdrawal"]
	for name, c := range map[string]struct {
		logs []event
		want int64
	}{
		"a deposit alone":         {[]event{logged(weth, deposit, 5, alice)}, 5},
		"with a transfer":         {[]event{logged(weth, transfer, 5, nobody, alice), logged(weth, deposit, 5, alice)}, 5},
		"after a transfer":        {[]event{logged(weth, deposit, 5, alice), logged(weth, transfer, 5, nobody, alice)}, 5},
		"twice, both dialects":    {[]event{logged(weth, transfer, 5, nobody, alice), logged(weth, deposit, 5, alice), logged(weth, deposit, 5, alice)}, 10},
		"a withdrawal alone":      {[]event{logged(weth, withdrawal, 4, alice)}, -4},
		"with its transfer":       {[]event{logged(weth, transfer, 4, alice, nobody), logged(weth, withdrawal, 4, alice)}, -4},
		"another's":               {[]event{logged(weth, deposit, 5, bob), logged(weth, transfer, 5, bob, nobody)}, 0},
		"another token's deposit": {[]event{logged(usdc, deposit, 5, alice)}, 0},
		"to oneself":              {[]event{logged(weth, transfer, 5, alice, alice)}, 0},
		"an odd event":            {[]event{{Address: weth, Topics: []common.Hash{transfer.ID}, Data: []byte{1}}}, 0},
	} {
		m := a.newTally(common.HexToAddress(alice))
		m.add(c.logs)
		if got := m.of(weth.Hex()); got.Int64() != c.want {
			t.Errorf("%s counts as %s, want %d", name, got, c.want)
		}
		if listed := len(m.changes()); (listed == 1) != (c.want != 0) || listed > 1 {
			t.Errorf("%s lists %d changes", name, listed)
		}
	}
}

// Coin that a contract moved in a shared block is read from a second run of the
// block, and only when that run went as the first.
func TestASecondRunCountsOnlyWhenItGoesTheSame(t *testing.T) {
	t.Parallel()
	hash := common.Hash{0xcc}
	usdc := common.HexToAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	mined := receiptJSON(hash, 5, 0xaa)
	mined["gasUsed"], mined["transactionIndex"] = "0x9999", "0x1"
	paid := map[string]any{"address": usdc, "topics": logged(usdc, erc20.Events["Transfer"], 7, bob, alice).Topics, "data": hexutil.Bytes(common.LeftPadBytes([]byte{7}, 32))}
	coins := map[string]any{"address": nodeTransferLog, "topics": paid["topics"], "data": hexutil.Bytes(common.LeftPadBytes([]byte{9}, 32))}
	mined["logs"] = []any{paid}
	tx := func(hash common.Hash) map[string]any {
		return map[string]any{"hash": hash, "from": bob, "to": alice, "value": "0x0", "input": "0x01", "gas": "0x9999", "gasPrice": "0x1"}
	}
	full := blockJSON(5, 0xaa, "0x1")
	full["transactions"] = []any{tx(common.Hash{1}), tx(hash)}
	run := func(gas string, logs ...any) []any {
		call := func(gas string, logs []any) map[string]any {
			return map[string]any{"status": "0x1", "gasUsed": gas, "logs": append([]any{}, logs...), "returnData": "0x"}
		}
		return []any{map[string]any{"calls": []any{call("0x1", nil), call(gas, logs)}}}
	}
	node := script{"eth_getTransactionReceipt": mined, "eth_getBlockByHash": full}
	read := func(answer any) (*big.Int, error) {
		changes := maps.Clone(node)
		changes["eth_simulateV1"] = answer
		a := honestly().on(t, ethereum, changes)
		return a.Received(t.Context(), hash.Hex(), alice, a.chain.NativeAsset())
	}
	if got, err := read(run("0x9999", paid, coins)); err != nil || got.Int64() != 9 {
		t.Errorf("the same run gives %v, %v", got, err)
	}
	for name, answer := range map[string]any{
		"other gas":           run("0x9998", paid, coins),
		"an event less":       run("0x9999", coins),
		"an event more":       run("0x9999", paid, paid, coins),
		"no simulation there": refusalOf{-32601, "the method does not exist/is not available"},
	} {
		if got, err := read(answer); !errors.Is(err, chain.ErrSimulationUnavailable) {
			t.Errorf("%s gives %v, %v", name, got, err)
		}
	}
}
