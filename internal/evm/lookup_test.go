package evm

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// payment builds one wei to somebody.
func (b bench) payment() chain.Unsigned {
	b.t.Helper()
	u, err := b.BuildTransfer(b.t.Context(), chain.Transfer{From: b.owner, Recipient: newAddress(b.t), Asset: b.chain.NativeAsset(), Amount: big.NewInt(1)})
	b.must(err)
	return u
}

func TestOnlyTheOwnersSignatureOfTheVeryTransactionPasses(t *testing.T) {
	t.Parallel()
	b := newBench(t, base)
	u := b.payment()
	d, err := decodeDraft(u.Bytes)
	b.must(err)
	inner := func() *types.DynamicFeeTx {
		return &types.DynamicFeeTx{Nonce: d.nonce, GasTipCap: d.tip, GasFeeCap: d.cap, Gas: d.gas, To: d.to, Value: d.value, Data: d.data}
	}
	stranger, err := crypto.GenerateKey()
	b.must(err)
	raw := func(tx *types.Transaction) []byte {
		bytes, err := tx.MarshalBinary()
		b.must(err)
		return bytes
	}
	honest := raw(b.sign(b.key, inner()))
	more := inner()
	more.Value = new(big.Int).Add(d.value, big.NewInt(1))
	elsewhere, err := types.SignNewTx(b.key, types.LatestSignerForChainID(big.NewInt(1)), func() *types.DynamicFeeTx {
		tx := inner()
		tx.ChainID = big.NewInt(1)
		return tx
	}())
	b.must(err)
	for name, signed := range map[string][]byte{
		"nothing":           nil,
		"noise":             {2, 1, 2, 3},
		"no signature":      u.Bytes,
		"a byte at the end": append(bytes.Clone(honest), 0),
		"half of it":        honest[:len(honest)/2],
		"another's":         raw(b.sign(stranger, inner())),
		"another amount":    raw(b.sign(b.key, more)),
		"another chain":     raw(elsewhere),
		"the mirrored one":  raw(mirrored(t, b.sign(b.key, inner()))),
	} {
		if _, err := b.CheckSigned(u, signed); fault.CodeOf(err) != fault.SignatureMismatch {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := b.CheckSigned(u, honest); err != nil || !bytes.Equal(s.Bytes, honest) {
		t.Errorf("the honest one: %v", err)
	}
}

// mirrored gives the other signature that the curve allows for the same message
// and key: chains refuse it, and its hash differs.
func mirrored(t *testing.T, tx *types.Transaction) *types.Transaction {
	t.Helper()
	v, r, s := tx.RawSignatureValues()
	half := make([]byte, 65)
	r.FillBytes(half[:32])
	new(big.Int).Sub(crypto.S256().Params().N, s).FillBytes(half[32:64])
	half[64] = byte(1 - v.Uint64())
	changed, err := tx.WithSignature(types.LatestSignerForChainID(tx.ChainId()), half)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func TestATransactionIsImpossibleOnceAnotherHasItsNonce(t *testing.T) {
	t.Parallel()
	for _, id := range []int64{base, ethereum} { // settled at 1 and at 2 blocks
		b := newBench(t, id)
		first, second := b.payment(), b.payment()
		if *first.Nonce != *second.Nonce {
			t.Fatal("two drafts at rest share a nonce")
		}
		lost := b.give(second)
		found, err := b.Lookup(t.Context(), second, lost.Hash)
		b.must(err)
		if found.Phase != chain.PhaseUnknown {
			t.Fatalf("never sent, it is %s", found.Phase)
		}
		won, hash := b.settle(first)
		if won.Phase != chain.PhaseSettled || won.Confirmations < b.chain.Finality.Blocks {
			t.Fatalf("%+v", won)
		}
		b.until(func() bool {
			found, err = b.Lookup(t.Context(), second, lost.Hash)
			b.must(err)
			return found.Phase == chain.PhaseImpossible
		})
		// The winner itself is never impossible, whatever the nonce says.
		if found, err = b.Lookup(t.Context(), first, hash); err != nil || found.Phase != chain.PhaseSettled {
			t.Fatalf("the winner is %+v, %v", found, err)
		}
		err = b.Broadcast(t.Context(), lost)
		if fault.CodeOf(err) != fault.BroadcastRefused {
			t.Fatalf("the loser is broadcast: %v", err)
		}
	}
}

func TestABroadcastTransactionIsPendingOrIncluded(t *testing.T) {
	t.Parallel()
	b := newBench(t, 43114)
	u := b.payment()
	s := b.give(u)
	b.must(b.Broadcast(t.Context(), s))
	b.must(b.Broadcast(t.Context(), s))
	found, err := b.Lookup(t.Context(), u, s.Hash)
	b.must(err)
	if found.Phase == chain.PhaseUnknown || found.Phase == chain.PhaseImpossible || found.Phase == chain.PhaseFailed {
		t.Fatalf("just broadcast, it is %+v", found)
	}
	b.receipt(common.HexToHash(s.Hash))
	b.must(b.Broadcast(t.Context(), chain.Signed{Bytes: s.Bytes, Hash: s.Hash})) // already mined: known, or refused
}

// A swap whose minimum can't be met any more: it lands, reverts and costs the fee.
func TestARevertedTransactionSaysWhy(t *testing.T) {
	t.Parallel()
	b := newBench(t, 137)
	usdc := b.asset("usdc")
	d := plainDraft()
	d.chainID, d.gas, d.to, d.value = big.NewInt(137), 300_000, &localRouter, new(big.Int).Div(coin, big.NewInt(10))
	d.tip, d.cap = big.NewInt(40_000_000_000), big.NewInt(200_000_000_000)
	d.nonce = 0
	d.data = pack(router, "swapExactETHForTokens", new(big.Int).Lsh(big.NewInt(1), 90), b.path(b.chain.WrappedToken.Address, usdc.Address), common.HexToAddress(b.owner), inTenMinutes())
	nonce := d.nonce
	u := chain.Unsigned{ChainID: 137, From: b.owner, Bytes: d.encode(), Nonce: &nonce}
	if _, err := b.Simulate(t.Context(), []chain.Unsigned{u}); fault.CodeOf(err) != fault.SimulationFailed {
		t.Fatalf("its simulation gives %v", err)
	}
	found, hash := b.settle(u)
	if found.Phase != chain.PhaseFailed || found.Reason != "execution reverted: UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT" || found.Fee.Sign() <= 0 {
		t.Fatalf("%+v", found)
	}
	for _, asset := range b.chain.Assets() {
		got, err := b.Received(t.Context(), hash, b.owner, asset)
		b.must(err)
		if got.Sign() != 0 {
			t.Errorf("a failed transaction moved %s %s", got, asset.Symbol)
		}
	}
	if left := new(big.Int).Sub(fundedBy, b.native(b.owner)); left.Cmp(found.Fee) != 0 {
		t.Errorf("%s left, the fee was %s", left, found.Fee)
	}
}

func TestWhatIsNotIncludedCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, base)
	if _, err := b.Received(t.Context(), common.Hash{1}.Hex(), b.owner, b.chain.NativeAsset()); !errors.Is(err, errNotIncluded) {
		t.Errorf("got %v", err)
	}
}
