package evm

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// script is what a scripted node answers: the result by method, or by method and
// first parameter ("eth_getBlockByNumber 0x5"). An error value is a refusal.
type script map[string]any

type refusalOf struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// honestly is a quiet chain with one rich account and a base fee of 100 wei.
func honestly() script {
	return script{
		"eth_chainId": "0x1", "eth_getBalance": "0x56bc75e2d63100000", "eth_getTransactionCount": "0x7", "eth_estimateGas": "0x5208",
		"eth_maxPriorityFeePerGas": "0x3b9aca00", "eth_getCode": "0x", "eth_getBlockByNumber": blockJSON(9, 0xaa, "0x64"),
		"eth_getTransactionReceipt": nil, "eth_getTransactionByHash": nil,
	}
}

func blockJSON(number uint64, hash byte, baseFee any, transactions ...string) map[string]any {
	return map[string]any{
		"number": hexutil.EncodeUint64(number), "hash": common.Hash{31: hash}, "timestamp": "0x1", "baseFeePerGas": baseFee,
		"transactions": append([]string{}, transactions...),
	}
}

// on makes an adapter over one node that follows the script with the changes.
func (s script) on(t *testing.T, chainID int64, changes script) *Adapter {
	t.Helper()
	return over(t, chainID, s.server(t, chainID, changes))
}

// over makes an adapter over nodes.
func over(t *testing.T, chainID int64, urls ...string) *Adapter {
	t.Helper()
	c, _ := catalog.ChainByID(chainID)
	a, err := New(c, urls)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// server starts a node that follows the script with the changes; its URL.
func (s script) server(t *testing.T, chainID int64, changes script) string {
	t.Helper()
	answers := maps.Clone(s)
	answers["eth_chainId"] = hexutil.EncodeUint64(uint64(chainID))
	maps.Copy(answers, changes)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     json.RawMessage
			Method string
			Params []json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		answer, known := answers[q.Method]
		for i := range q.Params {
			if special, there := answers[q.Method+" "+strings.Trim(string(q.Params[i]), `"`)]; there {
				answer, known = special, true
			}
		}
		if !known {
			answer = refusalOf{-32601, "the method " + q.Method + " does not exist/is not available"}
		}
		member := "result"
		if _, refused := answer.(refusalOf); refused {
			member = "error"
		}
		raw, err := json.Marshal(answer)
		if err != nil {
			t.Error(err)
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"%s":%s}`, q.ID, member, raw)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const (
	alice = "0x52908400098527886E0F7030069857D2E4169EE7"
	bob   = "0x8617E340B3D01FA5F11F306F4090FD50E238070D"
)

func oneCoin(a *Adapter) chain.Transfer {
	return chain.Transfer{From: alice, Recipient: bob, Asset: a.chain.NativeAsset(), Amount: coin}
}

func TestALyingNodeMakesNoTransaction(t *testing.T) {
	t.Parallel()
	for name, lie := range map[string]script{
		"another chain":      {"eth_chainId": "0x38"},
		"an absurd tip":      {"eth_maxPriorityFeePerGas": "0xde0b6b3a7640000"},
		"an absurd base fee": {"eth_getBlockByNumber": blockJSON(9, 0xaa, "0xde0b6b3a7640000")},
		"absurd gas":         {"eth_estimateGas": "0xffffffff"},
		"too little gas":     {"eth_estimateGas": "0x1"},
		"no block":           {"eth_getBlockByNumber": nil},
		"a nonce of no form": {"eth_getTransactionCount": "seven"},
		"a balance of text":  {"eth_getBalance": "rich"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := honestly().on(t, ethereum, lie)
			u, err := a.BuildTransfer(t.Context(), oneCoin(a))
			if f := fault.Of(err); err == nil || f.Code != fault.ChainUnavailable || f.Message != "Ethereum can't be reached right now. Please try again in a moment." {
				t.Errorf("built %+v, %v", u, err)
			}
		})
	}
	a := honestly().on(t, ethereum, nil)
	if u, err := a.BuildTransfer(t.Context(), oneCoin(a)); err != nil || *u.Nonce != 7 {
		t.Errorf("an honest node: %+v, %v", u, err)
	}
}

func TestAnUnreadableBalanceIsNotZero(t *testing.T) {
	t.Parallel()
	results := func(list ...subresult) string {
		raw, err := multicall.Methods["aggregate3"].Outputs.Pack(list)
		if err != nil {
			t.Fatal(err)
		}
		return hexutil.Encode(raw)
	}
	word := common.LeftPadBytes([]byte{9}, 32)
	two := func(a *Adapter) []catalog.Asset { return a.chain.Assets()[:2] }
	for name, answer := range map[string]string{
		"nothing":              "0x",
		"noise":                "0x1234",
		"one of two":           results(subresult{true, word}),
		"a failing token":      results(subresult{true, word}, subresult{false, nil}),
		"a token without code": results(subresult{true, word}, subresult{true, nil}),
		"half a word":          results(subresult{true, word}, subresult{true, word[:16]}),
		"more than was asked":  results(subresult{true, word}, subresult{true, word}, subresult{true, word}),
	} {
		a := honestly().on(t, ethereum, script{"eth_call": answer})
		if got, err := a.Balances(t.Context(), alice, two(a)); err == nil {
			t.Errorf("%s is read as %v", name, got)
		}
	}
	a := honestly().on(t, ethereum, script{"eth_call": results(subresult{true, word}, subresult{true, append(word, 1)})})
	if got, err := a.Balances(t.Context(), alice, two(a)); err != nil || got[0].Int64() != 9 || got[1].Int64() != 9 {
		t.Errorf("read as %v, %v", got, err)
	}
}

func TestAChainWithoutABaseFeeIsPaidTheOldWay(t *testing.T) {
	t.Parallel()
	a := honestly().on(t, bsc, script{"eth_getBlockByNumber": blockJSON(9, 0xaa, nil), "eth_gasPrice": "0xb2d05e00"})
	u, err := a.BuildTransfer(t.Context(), oneCoin(a))
	if err != nil {
		t.Fatal(err)
	}
	d, err := decodeDraft(u.Bytes)
	if err != nil || !d.legacy || d.cap.Int64() != 3_000_000_000 || u.MaximumFee.Int64() != 21_000*3_000_000_000 {
		t.Errorf("%+v, %v", d, err)
	}
}

// Base bills for layer 1 on top of gas; its fee oracle says how much.
func TestTheLayerOneFeeIsKeptBack(t *testing.T) {
	t.Parallel()
	oracle := script{"eth_getCode": "0x60", "eth_call": hexutil.Encode(common.LeftPadBytes(big.NewInt(4_000_000).Bytes(), 32))}
	with, without := honestly().on(t, base, oracle), honestly().on(t, base, nil)
	amount, fee, _, err := with.MaximumTransfer(t.Context(), alice, bob, with.chain.NativeAsset())
	if err != nil {
		t.Fatal(err)
	}
	plainAmount, plainFee, _, err := without.MaximumTransfer(t.Context(), alice, bob, with.chain.NativeAsset())
	if err != nil {
		t.Fatal(err)
	}
	if new(big.Int).Sub(fee, plainFee).Int64() != 5_000_000 || new(big.Int).Sub(plainAmount, amount).Int64() != 5_000_000 {
		t.Errorf("fee %s and amount %s, without the oracle %s and %s", fee, amount, plainFee, plainAmount)
	}
	u, err := with.BuildTransfer(t.Context(), chain.Transfer{From: alice, Recipient: bob, Asset: with.chain.NativeAsset(), Amount: amount})
	if err != nil || u.MaximumFee.Cmp(fee) != 0 {
		t.Errorf("built with a fee of %s, %v", u.MaximumFee, err)
	}
}

// A second signature is allowed only when the first can't land: a node that lags
// behind or has forgotten must not be believed.
func TestAMissingReceiptProvesNothing(t *testing.T) {
	t.Parallel()
	hash := common.Hash{0xcc}
	nonce := uint64(7)
	u := chain.Unsigned{ChainID: base, From: alice, Nonce: &nonce}
	spentAtFive := script{
		"eth_getTransactionCount": "0x8", "eth_getTransactionCount 0x0": "0x7", "eth_getTransactionCount 0x4": "0x7",
		"eth_getTransactionCount 0x2": "0x7", "eth_getTransactionCount 0x3": "0x7",
	}
	with := func(more script) script {
		all := maps.Clone(spentAtFive)
		maps.Copy(all, more)
		return all
	}
	for name, c := range map[string]struct {
		node script
		want chain.Phase
	}{
		"the nonce is free":          {script{"eth_getTransactionCount": "0x7"}, chain.PhaseUnknown},
		"another transaction has it": {with(script{"eth_getBlockByNumber 0x5": blockJSON(5, 5, "0x1", common.Hash{1}.Hex())}), chain.PhaseImpossible},
		"this one has it, unindexed": {with(script{"eth_getBlockByNumber 0x5": blockJSON(5, 5, "0x1", hash.Hex())}), chain.PhaseUnknown},
		"the old state is gone":      {with(script{"eth_getTransactionCount 0x0": refusalOf{-32000, "missing trie node"}}), chain.PhaseUnknown},
		"the block is gone":          {with(script{"eth_getBlockByNumber 0x5": nil}), chain.PhaseUnknown},
		"it waits in the pool":       {script{"eth_getTransactionByHash": map[string]any{"hash": hash}}, chain.PhasePending},
		"its block was dropped":      {script{"eth_getTransactionReceipt": receiptJSON(hash, 5, 0xbb), "eth_getBlockByNumber 0x5": blockJSON(5, 0xaa, "0x1")}, chain.PhasePending},
		"its block stands":           {script{"eth_getTransactionReceipt": receiptJSON(hash, 5, 0xaa), "eth_getBlockByNumber 0x5": blockJSON(5, 0xaa, "0x1")}, chain.PhaseSettled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := honestly().on(t, base, c.node).Lookup(t.Context(), u, hash.Hex())
			if err != nil || found.Phase != c.want {
				t.Errorf("it is %+v, %v; want %s", found, err, c.want)
			}
		})
	}
	for name, lie := range map[string]script{
		"another's receipt":      {"eth_getTransactionReceipt": receiptJSON(common.Hash{0xdd}, 5, 0xaa)},
		"a receipt from ahead":   {"eth_getTransactionReceipt": receiptJSON(hash, 50, 0xaa), "eth_getBlockByNumber 0x32": blockJSON(50, 0xaa, "0x1")},
		"a receipt of no number": {"eth_getTransactionReceipt": map[string]any{"blockNumber": "five"}},
	} {
		if found, err := honestly().on(t, base, lie).Lookup(t.Context(), u, hash.Hex()); fault.CodeOf(err) != fault.ChainUnavailable {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

func receiptJSON(hash common.Hash, number uint64, block byte) map[string]any {
	return map[string]any{
		"transactionHash": hash, "blockNumber": hexutil.EncodeUint64(number), "blockHash": common.Hash{31: block}, "status": "0x1",
		"gasUsed": "0x5208", "effectiveGasPrice": "0x2", "l1Fee": "0x3", "transactionIndex": "0x0", "from": alice, "to": bob, "logs": []any{},
	}
}

// A block that does not hold what its receipt says is a broken node, not the end
// of the server.
func TestALyingBlockIsNoAmount(t *testing.T) {
	t.Parallel()
	hash := common.Hash{0xcc}
	transaction := map[string]any{"hash": hash, "from": alice, "to": bob, "value": "0x9", "input": "0x", "gas": "0x5208"}
	receipt := receiptJSON(hash, 5, 0xaa)
	block := map[string]any{"hash": common.Hash{31: 0xaa}, "number": "0x5", "transactions": []any{transaction}}
	without := func(from map[string]any, name string, value any) map[string]any {
		changed := maps.Clone(from)
		changed[name] = value
		return changed
	}
	for name, lie := range map[string]script{
		"no block":            {"eth_getBlockByHash": nil},
		"no such place":       {"eth_getTransactionReceipt": without(receipt, "transactionIndex", "0x1")},
		"a place beyond ints": {"eth_getTransactionReceipt": without(receipt, "transactionIndex", "0xffffffffffffffff")},
		"no value":            {"eth_getBlockByHash": without(block, "transactions", []any{without(transaction, "value", nil)})},
		"no parent":           {"eth_getBlockByHash": without(block, "number", "0x0")},
	} {
		all := script{"eth_getTransactionReceipt": receipt, "eth_getBlockByHash": block}
		maps.Copy(all, lie)
		a := honestly().on(t, base, all)
		if got, err := a.Received(t.Context(), hash.Hex(), bob, a.chain.NativeAsset()); fault.CodeOf(err) != fault.ChainUnavailable {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	a := honestly().on(t, base, script{"eth_getTransactionReceipt": receipt, "eth_getBlockByHash": block})
	if got, err := a.Received(t.Context(), hash.Hex(), bob, a.chain.NativeAsset()); err != nil || got.Int64() != 9 {
		t.Errorf("an honest block: %s, %v", got, err)
	}
}

// A node that broke off may have taken the bytes: the next one's refusal must not
// count as if they had been nowhere.
func TestARefusalAfterASilenceIsAmbiguous(t *testing.T) {
	t.Parallel()
	refusing := honestly().on(t, base, script{"eth_sendRawTransaction": refusalOf{-32000, "insufficient funds"}})
	s := chain.Signed{Bytes: []byte{1}, Hash: common.Hash{1}.Hex()}
	if err := refusing.Broadcast(t.Context(), s); fault.CodeOf(err) != fault.BroadcastRefused {
		t.Errorf("a refusal alone: %v", err)
	}
	silent := honestly().server(t, base, script{"eth_sendRawTransaction": 7}) // no hash
	second := honestly().server(t, base, script{"eth_sendRawTransaction": refusalOf{-32000, "insufficient funds"}})
	if err := over(t, base, silent, second).Broadcast(t.Context(), s); fault.CodeOf(err) != fault.ChainUnavailable {
		t.Errorf("a refusal after a silence: %v", err)
	}
}

func TestTheFeeHoldsTheLayerOnePart(t *testing.T) {
	t.Parallel()
	hash := common.Hash{0xcc}
	a := honestly().on(t, base, script{"eth_getTransactionReceipt": receiptJSON(hash, 5, 0xaa)})
	found, err := a.Lookup(t.Context(), chain.Unsigned{}, hash.Hex())
	if err != nil || found.Fee.Int64() != 21_000*2+3 || found.Confirmations != 5 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestWithoutSimulationTheVenuesGasIsTaken(t *testing.T) {
	t.Parallel()
	a := honestly().on(t, ethereum, script{"eth_estimateGas": "0x10000"})
	usdc, _ := a.chain.AssetAt("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	amount := big.NewInt(9)
	request := func(gas uint64) chain.Request {
		return chain.Request{From: alice, Calls: []chain.Call{
			{To: usdc.Address, Data: pack(erc20, "approve", localDepository, amount), Value: new(big.Int)},
			{To: localDepository.Hex(), Value: new(big.Int), GasLimit: gas, Data: pack(depository, "depositErc20", common.HexToAddress(alice), common.HexToAddress(usdc.Address), amount, [32]byte{1})},
		}}
	}
	built, err := a.BuildRequest(t.Context(), request(123_456))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint64{117_964, 123_456} { // the estimate, a fifth and a half more; the venue's
		d, err := decodeDraft(built[i].Bytes)
		if err != nil || d.gas != want {
			t.Errorf("call %d has %d gas, %v", i, d.gas, err)
		}
	}
	if _, err := a.BuildRequest(t.Context(), request(0)); fault.CodeOf(err) != fault.SimulationFailed {
		t.Errorf("without any gas limit: %v", err)
	}
	if _, err := a.Simulate(t.Context(), built); !errors.Is(err, chain.ErrSimulationUnavailable) {
		t.Errorf("simulated: %v", err)
	}
}
