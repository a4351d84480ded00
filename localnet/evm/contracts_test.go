package evm_test

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/evm"
)

func TestTokensAreThoseOfTheCatalog(t *testing.T) {
	t.Parallel()
	for _, c := range evmChains() {
		for _, token := range catalog.TokensOn(c.ID) {
			t.Run(c.Name+"/"+token.Symbol, func(t *testing.T) {
				t.Parallel()
				reader := accountOn(t, c.ID)
				address := common.HexToAddress(token.Address)
				erc20 := artifacts.Token.ABI
				if got := reader.call(address, erc20, "name")[0]; got != token.Name {
					t.Errorf("name %q, want %q", got, token.Name)
				}
				if got := reader.call(address, erc20, "symbol")[0]; got != token.Symbol {
					t.Errorf("symbol %q, want %q", got, token.Symbol)
				}
				if got := reader.call(address, erc20, "decimals")[0]; got != uint8(token.Decimals) {
					t.Errorf("decimals %v, want %d", got, token.Decimals)
				}
			})
		}
	}
}

func TestWrappedTokenWrapsAndUnwraps(t *testing.T) {
	t.Parallel()
	a := accountOn(t, chainOfTokens)
	wrapped := tokenOf(t, chainOfTokens, "wrapped")
	before := a.balanceOf(wrapped, a.address())
	amount := big.NewInt(1_000_000_007)
	if r := a.mined(wrapped, amount, pack(t, artifacts.Wrapped.ABI, "deposit")); r.Status != types.ReceiptStatusSuccessful {
		t.Fatal("deposit failed")
	}
	if got := new(big.Int).Sub(a.balanceOf(wrapped, a.address()), before); got.Cmp(amount) != 0 {
		t.Errorf("wrapped %v, want %v", got, amount)
	}
	if r := a.mined(wrapped, new(big.Int), pack(t, artifacts.Wrapped.ABI, "withdraw", amount)); r.Status != types.ReceiptStatusSuccessful {
		t.Fatal("withdraw failed")
	}
	if got := a.balanceOf(wrapped, a.address()); got.Cmp(before) != 0 {
		t.Errorf("left wrapped: %v, want %v", got, before)
	}
	testTetherOf(t, a)
}

// testTetherOf runs after the wrapping on the same chain and account: their
// transactions share nonces.
func testTetherOf(t *testing.T, a account) {
	tether := tokenOf(t, chainOfTokens, "usdt")
	approve := func(amount int64) *types.Receipt {
		data := pack(t, artifacts.Tether.ABI, "approve", contracts.RouterAddress, big.NewInt(amount))
		return a.mined(tether, new(big.Int), data)
	}
	for _, step := range []struct {
		amount int64
		status uint64
	}{
		{100, types.ReceiptStatusSuccessful},
		{200, types.ReceiptStatusFailed}, // from 100: must go through zero
		{0, types.ReceiptStatusSuccessful},
		{200, types.ReceiptStatusSuccessful},
		{0, types.ReceiptStatusSuccessful},
	} {
		if r := approve(step.amount); r.Status != step.status {
			t.Errorf("approve %d: status %d, want %d", step.amount, r.Status, step.status)
		}
	}
	recipient := common.HexToAddress("0x0000000000000000000000000000000000007e7e")
	data := pack(t, artifacts.Tether.ABI, "transfer", recipient, big.NewInt(7))
	raw, err := a.client.CallContract(t.Context(), callFrom(a, tether, data), nil)
	if err != nil || len(raw) != 0 {
		t.Errorf("transfer returns %x, %v; want nothing", raw, err)
	}
	if r := a.mined(tether, new(big.Int), data); r.Status != types.ReceiptStatusSuccessful {
		t.Error("transfer failed")
	}
	if got := a.balanceOf(tether, recipient); got.Int64() != 7 {
		t.Errorf("arrived %v, want 7", got)
	}
}

func TestSwapThroughTheRouterPaysByTheFormula(t *testing.T) {
	t.Parallel()
	a := accountOn(t, chainOfSwap)
	wrapped, usdc := tokenOf(t, chainOfSwap, "wrapped"), tokenOf(t, chainOfSwap, "usdc")
	pair := a.call(contracts.FactoryAddress, artifacts.Factory.ABI, "getPair", wrapped, usdc)[0].(common.Address)
	if want := evm.PairAddress(wrapped, usdc, artifacts); pair != want {
		t.Fatalf("pair at %s, computed %s", pair, want)
	}
	reserveIn, reserveOut := a.balanceOf(wrapped, pair), a.balanceOf(usdc, pair)
	if reserveOut.Cmp(evm.BaseUnits(10_000_000, 6)) < 0 {
		t.Fatalf("the pool holds only %v base units of USDC", reserveOut)
	}
	amountIn := evm.BaseUnits(3, 18)
	// Uniswap v2 white paper: 0.3 % of the input stays, x*y is kept.
	fed := new(big.Int).Mul(amountIn, big.NewInt(997))
	want := new(big.Int).Mul(fed, reserveOut)
	want.Quo(want, new(big.Int).Add(new(big.Int).Mul(reserveIn, big.NewInt(1000)), fed))

	before := a.balanceOf(usdc, a.address())
	deadline := big.NewInt(time.Now().Add(time.Minute).Unix())
	data := pack(t, artifacts.Router.ABI, "swapExactETHForTokens", want, []common.Address{wrapped, usdc}, a.address(), deadline)
	if r := a.mined(contracts.RouterAddress, amountIn, data); r.Status != types.ReceiptStatusSuccessful {
		t.Fatal("swap failed")
	}
	if got := new(big.Int).Sub(a.balanceOf(usdc, a.address()), before); got.Cmp(want) != 0 {
		t.Errorf("received %v, want %v", got, want)
	}
}

func TestEveryChainHasBothPoolsAtTheSeedPrice(t *testing.T) {
	t.Parallel()
	for _, c := range evmChains() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			a := accountOn(t, c.ID)
			usdc := tokenOf(t, c.ID, "usdc")
			for _, other := range []string{"wrapped", "usdt"} {
				pair := a.call(contracts.FactoryAddress, artifacts.Factory.ABI, "getPair", usdc, tokenOf(t, c.ID, other))[0].(common.Address)
				if pair == (common.Address{}) || a.balanceOf(usdc, pair).Sign() == 0 {
					t.Errorf("no liquidity in USDC/%s", other)
				}
			}
		})
	}
}

// The separator is computed here from EIP-712 and Permit2's published domain,
// {name, chainId, verifyingContract}.
func TestPermit2DomainIsTheChains(t *testing.T) {
	t.Parallel()
	permit2, err := abi.JSON(strings.NewReader(`[{"type":"function","name":"DOMAIN_SEPARATOR","stateMutability":"view","inputs":[],"outputs":[{"type":"bytes32"}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range evmChains() {
		got := common.Hash(accountOn(t, c.ID).call(contracts.Permit2Address, permit2, "DOMAIN_SEPARATOR")[0].([32]byte))
		want := crypto.Keccak256Hash(
			crypto.Keccak256([]byte("EIP712Domain(string name,uint256 chainId,address verifyingContract)")),
			crypto.Keccak256([]byte("Permit2")),
			common.BigToHash(big.NewInt(c.ID)).Bytes(),
			common.BytesToHash(contracts.Permit2Address.Bytes()).Bytes(),
		)
		if got != want {
			t.Errorf("chain %d: %s, want %s", c.ID, got, want)
		}
	}
}

func TestMulticall3ReadsManyAtOnce(t *testing.T) {
	t.Parallel()
	multicall, err := abi.JSON(strings.NewReader(`[
		{"type":"function","name":"aggregate3","stateMutability":"payable",
		 "inputs":[{"name":"calls","type":"tuple[]","components":[{"name":"target","type":"address"},{"name":"allowFailure","type":"bool"},{"name":"callData","type":"bytes"}]}],
		 "outputs":[{"name":"returnData","type":"tuple[]","components":[{"name":"success","type":"bool"},{"name":"returnData","type":"bytes"}]}]},
		{"type":"function","name":"getEthBalance","stateMutability":"view","inputs":[{"name":"addr","type":"address"}],"outputs":[{"type":"uint256"}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	type call3 struct {
		Target       common.Address
		AllowFailure bool
		CallData     []byte
	}
	a := accountOn(t, 999)
	holder := common.HexToAddress(shared.Accounts[1].Address)
	usdc := tokenOf(t, 999, "usdc")
	answers := a.call(contracts.Multicall3Address, multicall, "aggregate3", []call3{
		{contracts.Multicall3Address, false, pack(t, multicall, "getEthBalance", holder)},
		{usdc, false, pack(t, artifacts.Token.ABI, "balanceOf", holder)},
		{usdc, true, []byte{0xde, 0xad, 0xbe, 0xef}}, // no such method: reported, not fatal
	})[0].([]struct {
		Success    bool   `json:"success"`
		ReturnData []byte `json:"returnData"`
	})
	balance, err := a.client.BalanceAt(t.Context(), holder, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []*big.Int{balance, a.balanceOf(usdc, holder)} {
		if got := new(big.Int).SetBytes(answers[i].ReturnData); !answers[i].Success || want.Sign() == 0 || got.Cmp(want) != 0 {
			t.Errorf("answer %d: %v %v, want %v", i, answers[i].Success, got, want)
		}
	}
	if answers[2].Success {
		t.Error("a call that must fail succeeded")
	}
}
