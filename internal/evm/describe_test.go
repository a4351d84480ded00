package evm

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// offline is an adapter that needs no node.
func offline(t testing.TB, chainID int64) *Adapter {
	t.Helper()
	c, _ := catalog.ChainByID(chainID)
	a, err := New(c, []string{"http://localhost:1"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func plainDraft() draft {
	to := common.HexToAddress("0x52908400098527886E0F7030069857D2E4169EE7")
	return draft{
		chainID: big.NewInt(1), nonce: 7, tip: big.NewInt(2), cap: big.NewInt(100), gas: 21_000, to: &to, value: big.NewInt(5),
	}
}

// The unsigned form is what go-ethereum hashes for a signature, for both types.
func TestUnsignedBytesAreThoseThatAreSigned(t *testing.T) {
	t.Parallel()
	d := plainDraft()
	for name, c := range map[string]struct {
		legacy bool
		inner  types.TxData
	}{
		"EIP-1559": {false, &types.DynamicFeeTx{ChainID: d.chainID, Nonce: d.nonce, GasTipCap: d.tip, GasFeeCap: d.cap, Gas: d.gas, To: d.to, Value: d.value}},
		"EIP-155":  {true, &types.LegacyTx{Nonce: d.nonce, GasPrice: d.cap, Gas: d.gas, To: d.to, Value: d.value}},
	} {
		d.legacy = c.legacy
		want := types.LatestSignerForChainID(d.chainID).Hash(types.NewTx(c.inner))
		if got := signingHash(d.encode()); got != want {
			t.Errorf("%s: hash %s, go-ethereum signs %s", name, got, want)
		}
		if back, err := decodeDraft(d.encode()); err != nil || back.nonce != 7 || back.value.Int64() != 5 || back.legacy != c.legacy {
			t.Errorf("%s: decoded as %+v, %v", name, back, err)
		}
	}
}

func TestUnknownShapesAreUnsafe(t *testing.T) {
	t.Parallel()
	a := offline(t, ethereum)
	someone := common.HexToAddress("0x8617E340B3D01FA5F11F306F4090FD50E238070D")
	weth := common.HexToAddress(a.chain.WrappedToken.Address)
	usdc := common.HexToAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	with := func(change func(*draft)) []byte {
		d := plainDraft()
		change(&d)
		return d.encode()
	}
	call := func(to common.Address, value int64, data []byte) []byte {
		return with(func(d *draft) { d.to, d.value, d.data = &to, big.NewInt(value), data })
	}
	pay := pack(erc20, "transfer", someone, big.NewInt(9))
	swap := func(path ...common.Address) []byte {
		return pack(router, "swapExactETHForTokens", big.NewInt(1), path, someone, big.NewInt(9))
	}
	listed, err := rlp.EncodeToBytes(dynamicFee{
		big.NewInt(1), 0, big.NewInt(1), big.NewInt(1), 21_000, &someone, big.NewInt(1), nil, types.AccessList{{Address: someone}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, unsigned := range map[string][]byte{
		"nothing":                     {},
		"noise":                       {0x02, 0xff, 0x00},
		"another type":                {0x01, 0xc0},
		"a blob transaction":          {0x03, 0xc0},
		"a set-code transaction":      {0x04, 0xc0},
		"bytes at the end":            append(with(func(*draft) {}), 0),
		"an access list":              append([]byte{types.DynamicFeeTxType}, listed...),
		"another chain":               with(func(d *draft) { d.chainID = big.NewInt(8453) }),
		"a new contract":              with(func(d *draft) { d.to, d.data = nil, []byte{1} }),
		"three bytes":                 call(usdc, 0, []byte{1, 2, 3}),
		"transferFrom":                call(usdc, 0, append(hexutil.MustDecode("0x23b872dd"), make([]byte, 96)...)),
		"increaseAllowance":           call(usdc, 0, append(hexutil.MustDecode("0x39509351"), make([]byte, 64)...)),
		"permit":                      call(usdc, 0, append(hexutil.MustDecode("0xd505accf"), make([]byte, 224)...)),
		"a payment with coin":         call(usdc, 1, pay),
		"a payment with more bytes":   call(usdc, 0, append(bytes.Clone(pay), 0)),
		"a payment with fewer bytes":  call(usdc, 0, pay[:len(pay)-1]),
		"an address with high bits":   call(usdc, 0, append(append(bytes.Clone(pay[:4]), 0xff), pay[5:]...)),
		"a deposit of another token":  call(usdc, 1, pack(wrapped, "deposit")),
		"a withdrawal elsewhere":      call(usdc, 0, pack(wrapped, "withdraw", big.NewInt(1))),
		"a deposit of all approved":   call(localDepository, 0, append(hexutil.MustDecode("0x5a1ee3ac"), make([]byte, 96)...)),
		"a swap from nowhere":         call(localRouter, 1, swap()),
		"a swap of another coin":      call(localRouter, 1, swap(usdc, weth)),
		"a swap to another coin":      call(localRouter, 0, pack(router, "swapExactTokensForETH", big.NewInt(1), big.NewInt(1), []common.Address{weth, usdc}, someone, big.NewInt(9))),
		"a swap of tokens with coin":  call(localRouter, 1, pack(router, "swapExactTokensForTokens", big.NewInt(1), big.NewInt(1), []common.Address{weth, usdc}, someone, big.NewInt(9))),
		"a deadline beyond all times": call(localRouter, 1, pack(router, "swapExactETHForTokens", big.NewInt(1), []common.Address{weth, usdc}, someone, new(big.Int).Lsh(big.NewInt(1), 64))),
		"an odd place for the path":   call(localRouter, 1, shiftedPath(swap(weth, usdc))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := a.Describe(t.Context(), unsigned)
			if fault.CodeOf(err) != fault.UnsafeTransaction || fault.Of(err).Message != "Missing required data, aborting swap" {
				t.Errorf("described as %+v, %v", d, err)
			}
		})
	}
}

// shiftedPath moves a call's dynamic array one word on, leaving a gap that the
// decoder skips and the contract accepts.
func shiftedPath(data []byte) []byte {
	const head, word = 4 + 4*32, 32
	shifted := bytes.Clone(data[:head])
	shifted[4+word+word-1] += word
	shifted = append(shifted, make([]byte, word)...)
	return append(shifted, data[head:]...)
}

// A transaction that Relay's documents publish: approval of the depository.
func TestPublishedCallDataIsDecoded(t *testing.T) {
	t.Parallel()
	a := offline(t, base)
	data := "0x095ea7b3" + "0000000000000000000000004cd00e387622c35bddb9b4c962c136462338bc31" + strings.Repeat("0", 56) + "05f5e100"
	to := common.HexToAddress("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")
	d := plainDraft()
	d.chainID, d.to, d.value, d.data = big.NewInt(base), &to, new(big.Int), hexutil.MustDecode(data)
	got, err := a.Describe(t.Context(), d.encode())
	if err != nil {
		t.Fatal(err)
	}
	e := got.Effects[0]
	if e.Kind != chain.EffectApprove || e.Spender != localDepository.Hex() || e.Amount.Int64() != 100_000_000 || got.MaximumFee.Int64() != 2_100_000 {
		t.Errorf("described as %+v", got)
	}
}

// The selectors that Relay documents for its depository.
func TestSelectorsAreThoseOfTheContracts(t *testing.T) {
	t.Parallel()
	for want, got := range map[string][4]byte{
		"0x49290c1c": selector(depository, "depositNative"), "0xe8017952": selector(depository, "depositErc20"),
		"0x7ff36ab5": selector(router, "swapExactETHForTokens"), "0x18cbafe5": selector(router, "swapExactTokensForETH"),
		"0x38ed1739": selector(router, "swapExactTokensForTokens"), "0xa9059cbb": selector(erc20, "transfer"),
		"0x095ea7b3": selector(erc20, "approve"), "0xd0e30db0": selector(wrapped, "deposit"), "0x2e1a7d4d": selector(wrapped, "withdraw"),
		"0x82ad56cb": selector(multicall, "aggregate3"), "0x49948e0e": selector(gasOracle, "getL1Fee"),
	} {
		if hexutil.Encode(got[:]) != want {
			t.Errorf("%x, want %s", got, want)
		}
	}
}

func FuzzDescribe(f *testing.F) {
	a := offline(f, ethereum)
	usdc := common.HexToAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	d := plainDraft()
	f.Add(d.encode())
	d.to, d.value, d.data = &usdc, new(big.Int), pack(erc20, "approve", localRouter, big.NewInt(9))
	f.Add(d.encode())
	d.legacy = true
	f.Add(d.encode())
	f.Fuzz(func(t *testing.T, unsigned []byte) {
		got, err := a.Describe(t.Context(), unsigned)
		if err != nil {
			return
		}
		back, err := decodeDraft(unsigned)
		if err != nil || !bytes.Equal(back.encode(), unsigned) || len(got.Effects) != 1 {
			t.Errorf("%x is described as %+v", unsigned, got)
		}
	})
}
