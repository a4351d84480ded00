package evm

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// The local network's contracts (localnet, equal addresses on every EVM chain).
var (
	localRouter     = common.HexToAddress("0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D")
	localDepository = common.HexToAddress("0x4cd00e387622c35bddb9b4c962c136462338bc31")
)

func inTenMinutes() *big.Int { return big.NewInt(time.Now().Add(10 * time.Minute).Unix()) }

func (b bench) path(assets ...string) []common.Address {
	list := make([]common.Address, len(assets))
	for i, a := range assets {
		list[i] = common.HexToAddress(a)
	}
	return list
}

func (b bench) giveToken(asset catalog.Asset, amount *big.Int) {
	b.t.Helper()
	b.pay(common.HexToAddress(asset.Address), new(big.Int), pack(erc20, "transfer", common.HexToAddress(b.owner), amount))
}

func deltas(changes []chain.Change) map[string]*big.Int {
	m := map[string]*big.Int{}
	for _, c := range changes {
		m[c.Asset] = c.Delta
	}
	return m
}

func TestSwapOfCoinArrivesAsSimulated(t *testing.T) {
	t.Parallel()
	b := newBench(t, base)
	usdc := b.asset("usdc")
	owner, amount := common.HexToAddress(b.owner), new(big.Int).Div(coin, big.NewInt(10))
	data := pack(router, "swapExactETHForTokens", big.NewInt(1), b.path(b.chain.WrappedToken.Address, usdc.Address), owner, inTenMinutes())
	built, err := b.BuildRequest(t.Context(), chain.Request{From: b.owner, Calls: []chain.Call{{To: localRouter.Hex(), Data: data, Value: amount}}})
	b.must(err)
	d, err := b.Describe(t.Context(), built[0].Bytes)
	b.must(err)
	e := d.Effects[0]
	if e.Kind != chain.EffectSwap || e.Asset != b.chain.TokenAddress || e.AssetOut != usdc.Address || e.Amount.Cmp(amount) != 0 ||
		e.Recipient != b.owner || e.Contract != localRouter.Hex() || e.MinimumOut.Int64() != 1 || e.Deadline == 0 {
		t.Fatalf("described as %+v", e)
	}
	changes, err := b.Simulate(t.Context(), built)
	b.must(err)
	expected := deltas(changes)
	if len(changes) != 2 || expected[b.chain.TokenAddress].Cmp(new(big.Int).Neg(amount)) != 0 || expected[usdc.Address].Sign() <= 0 {
		t.Fatalf("simulated as %+v", changes)
	}
	found, hash := b.settle(built[0])
	if found.Phase != chain.PhaseSettled {
		t.Fatalf("%+v", found)
	}
	for _, asset := range []catalog.Asset{b.chain.NativeAsset(), usdc} {
		got, err := b.Received(t.Context(), hash, b.owner, asset)
		b.must(err)
		if asset.Native && got.Cmp(new(big.Int).Neg(amount)) != 0 || !asset.Native && got.Sign() <= 0 {
			t.Fatalf("received %s %s", got, asset.Symbol)
		}
	}
	balances, err := b.Balances(t.Context(), b.owner, []catalog.Asset{usdc})
	b.must(err)
	if got, err := b.Received(t.Context(), hash, b.owner, usdc); err != nil || got.Cmp(balances[0]) != 0 {
		t.Fatalf("received %s, holds %s, %v", got, balances[0], err)
	}
}

// Approval and swap are built, simulated and sent together. Mostly they share a
// block, so that what the swap brought can't be told from balances alone.
func TestApprovedSwapToCoinIsReadExactlyInASharedBlock(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"usdc", "usdt"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, ethereum)
			token := b.asset(kind)
			amount := big.NewInt(750_000_001)
			if kind == "usdt" { // no direct pair with the coin: by way of USDC
				amount.SetInt64(20_000_003)
			}
			b.giveToken(token, amount)
			path := b.path(token.Address, b.chain.WrappedToken.Address)
			if kind == "usdt" {
				path = b.path(token.Address, b.asset("usdc").Address, b.chain.WrappedToken.Address)
			}
			built, err := b.BuildRequest(t.Context(), chain.Request{From: b.owner, Calls: []chain.Call{
				{To: token.Address, Data: pack(erc20, "approve", localRouter, amount), Value: new(big.Int)},
				{To: localRouter.Hex(), Data: pack(router, "swapExactTokensForETH", amount, big.NewInt(1), path, common.HexToAddress(b.owner), inTenMinutes()), Value: new(big.Int)},
			}})
			b.must(err)
			if len(built) != 2 || *built[1].Nonce != *built[0].Nonce+1 {
				t.Fatalf("built %+v", built)
			}
			changes, err := b.Simulate(t.Context(), built)
			b.must(err)
			expected := deltas(changes)
			if expected[token.Address].Cmp(new(big.Int).Neg(amount)) != 0 || expected[b.chain.TokenAddress].Sign() <= 0 {
				t.Fatalf("simulated as %+v", changes)
			}
			before := b.native(b.owner)
			approval, swap := b.give(built[0]), b.give(built[1])
			b.must(b.Broadcast(t.Context(), approval))
			b.must(b.Broadcast(t.Context(), swap))
			b.must(b.Broadcast(t.Context(), swap)) // the same bytes again are harmless
			fees := b.receipt(common.HexToHash(approval.Hash))
			r := b.receipt(common.HexToHash(swap.Hash))
			paid := new(big.Int)
			for _, x := range []struct{ gas, price *big.Int }{
				{new(big.Int).SetUint64(fees.GasUsed), fees.EffectiveGasPrice}, {new(big.Int).SetUint64(r.GasUsed), r.EffectiveGasPrice},
			} {
				paid.Add(paid, new(big.Int).Mul(x.gas, x.price))
			}
			want := new(big.Int).Add(new(big.Int).Sub(b.native(b.owner), before), paid)
			got, err := b.Received(t.Context(), swap.Hash, b.owner, b.chain.NativeAsset())
			b.must(err)
			if got.Cmp(want) != 0 || got.Sign() <= 0 {
				t.Fatalf("received %s, the balance says %s", got, want)
			}
			if left := b.allowance(common.HexToAddress(token.Address), localRouter); left.Sign() != 0 {
				t.Fatalf("an allowance of %s is left", left)
			}
		})
	}
}

func TestDepositsAndWrapsAreDescribed(t *testing.T) {
	t.Parallel()
	b := newBench(t, bsc)
	usdc, owner := b.asset("usdc"), common.HexToAddress(b.owner)
	amount := new(big.Int).Div(coin, big.NewInt(4))
	b.giveToken(usdc, amount)
	id := [32]byte{0xab, 31: 0xcd}
	const idText = "0xab000000000000000000000000000000000000000000000000000000000000cd"
	wrappedAddress := b.chain.WrappedToken.Address
	built, err := b.BuildRequest(t.Context(), chain.Request{From: b.owner, Calls: []chain.Call{
		{To: localDepository.Hex(), Data: pack(depository, "depositNative", owner, id), Value: amount},
		{To: usdc.Address, Data: pack(erc20, "approve", localDepository, amount), Value: new(big.Int)},
		{To: localDepository.Hex(), Data: pack(depository, "depositErc20", owner, common.HexToAddress(usdc.Address), amount, id), Value: new(big.Int)},
		{To: wrappedAddress, Data: pack(wrapped, "deposit"), Value: amount},
		{To: wrappedAddress, Data: pack(wrapped, "withdraw", big.NewInt(7)), Value: new(big.Int)},
	}})
	b.must(err)
	for i, want := range []chain.Effect{
		{Kind: chain.EffectDeposit, Asset: b.chain.TokenAddress, Contract: localDepository.Hex(), RequestID: idText, Depositor: b.owner},
		{Kind: chain.EffectApprove, Asset: usdc.Address, Contract: usdc.Address, Spender: localDepository.Hex()},
		{Kind: chain.EffectDeposit, Asset: usdc.Address, Contract: localDepository.Hex(), RequestID: idText, Depositor: b.owner},
		{Kind: chain.EffectWrap, Asset: b.chain.TokenAddress, AssetOut: wrappedAddress, Contract: wrappedAddress},
		{Kind: chain.EffectUnwrap, Asset: wrappedAddress, AssetOut: b.chain.TokenAddress, Contract: wrappedAddress},
	} {
		d, err := b.Describe(t.Context(), built[i].Bytes)
		b.must(err)
		e := d.Effects[0]
		if e.Kind != want.Kind || e.Asset != want.Asset || e.AssetOut != want.AssetOut || e.Contract != want.Contract ||
			e.RequestID != want.RequestID || e.Depositor != want.Depositor || e.Spender != want.Spender {
			t.Errorf("call %d is described as %+v", i, e)
		}
	}
	changes, err := b.Simulate(t.Context(), built)
	b.must(err)
	moved := deltas(changes)
	twice := new(big.Int).Add(amount, amount)
	twice.Sub(twice, big.NewInt(7))
	if moved[b.chain.TokenAddress].Cmp(twice.Neg(twice)) != 0 || moved[usdc.Address].Cmp(new(big.Int).Neg(amount)) != 0 ||
		moved[wrappedAddress].Cmp(new(big.Int).Sub(amount, big.NewInt(7))) != 0 {
		t.Fatalf("simulated as %+v", changes)
	}
	for _, u := range built[:4] {
		b.must(b.Broadcast(t.Context(), b.give(u)))
	}
	_, hash := b.settle(built[4])
	for asset, want := range map[string]int64{b.chain.TokenAddress: 7, wrappedAddress: -7} {
		a, _ := b.chain.AssetAt(asset)
		got, err := b.Received(t.Context(), hash, b.owner, a)
		b.must(err)
		if got.Int64() != want {
			t.Errorf("unwrapping moved %s of %s", got, a.Symbol)
		}
	}
}

func TestSwapThatWouldFailIsNotBuilt(t *testing.T) {
	t.Parallel()
	b := newBench(t, base)
	usdc := b.asset("usdc")
	swap := func(minimum *big.Int, value *big.Int) error {
		data := pack(router, "swapExactETHForTokens", minimum, b.path(b.chain.WrappedToken.Address, usdc.Address), common.HexToAddress(b.owner), inTenMinutes())
		_, err := b.BuildRequest(t.Context(), chain.Request{From: b.owner, Calls: []chain.Call{{To: localRouter.Hex(), Data: data, Value: value}}})
		return err
	}
	tooMuch := new(big.Int).Lsh(big.NewInt(1), 90)
	err := swap(tooMuch, big.NewInt(1_000_000))
	if f := fault.Of(err); f.Code != fault.SimulationFailed || f.Message != "execution reverted: UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT" {
		t.Errorf("a minimum out of reach: %v", err)
	}
	if err := swap(big.NewInt(1), new(big.Int).Lsh(coin, 3)); fault.CodeOf(err) != fault.InsufficientBalance {
		t.Errorf("more than there is: %v", err)
	}
	// Enough for the amount, not for the fee on top.
	if err := swap(big.NewInt(1), fundedBy); fault.CodeOf(err) != fault.InsufficientBalance {
		t.Errorf("all there is: %v", err)
	}
	for name, r := range map[string]chain.Request{
		"nothing":        {From: b.owner},
		"instructions":   {From: b.owner, Instructions: []chain.Instruction{{}}},
		"a bad address":  {From: b.owner, Calls: []chain.Call{{To: "0x12", Value: new(big.Int)}}},
		"no value":       {From: b.owner, Calls: []chain.Call{{To: localRouter.Hex()}}},
		"negative value": {From: b.owner, Calls: []chain.Call{{To: localRouter.Hex(), Value: big.NewInt(-1)}}},
	} {
		if _, err := b.BuildRequest(t.Context(), r); !errors.Is(err, fault.New(fault.UnsafeTransaction, "")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
