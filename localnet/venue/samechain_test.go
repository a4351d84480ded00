package venue_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gagliardetto/solana-go"
)

// What a quote promises is what the chain's own ledger shows after it was
// carried out, to the unit: for every kind of pair on every kind of chain.
func TestSameChainQuotesComeTrueOnEVM(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name            string
		chainID         int64
		in, out         string
		units           int64 // millionths of a coin
		operation, want string
	}{
		{"ETH to USDC on Ethereum", ethereum, "native", "USDC", 500_000, "swap", "swap"},
		{"ETH to USDT through two pools", ethereum, "native", "USDT", 500_000, "swap", "swap"},
		{"USDC to ETH on Base", base, "USDC", "native", 100_000_000, "swap", "approve swap"},
		{"USDC to USDT with 18 decimals", bsc, "USDC", "USDT", 100_000_000, "swap", "approve swap"},
		{"USDC to WETH", base, "USDC", "wrapped", 100_000_000, "swap", "approve swap"},
		{"wrap", base, "native", "wrapped", 1_000_000, "wrap", "swap"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			user := newEVMUser(t, test.chainID)
			in, out := asset(t, test.chainID, test.in), asset(t, test.chainID, test.out)
			units := coins(test.units, in)
			units.Quo(units, big.NewInt(1_000_000))
			before := balance(t, test.chainID, user.address, in)
			outBefore := balance(t, test.chainID, user.address, out)

			q := quote(t, pair(t, test.chainID, test.in, test.chainID, test.out, units).with(object{"user": user.address.Hex()}))
			if q.stepIDs() != test.want || q.Details.Operation != test.operation {
				t.Fatalf("steps %q of a %s, want %q of a %s", q.stepIDs(), q.Details.Operation, test.want, test.operation)
			}
			hash, gas := user.execute(t, q)
			index(t, test.chainID, hash, "")
			final(t, q, "success")

			spent, got := minus(before, balance(t, test.chainID, user.address, in)), minus(balance(t, test.chainID, user.address, out), outBefore)
			if in.Native {
				spent.Sub(spent, gas)
			}
			if out.Native {
				got.Add(got, gas)
			}
			same(t, "left", spent, units)
			if got.Cmp(q.minimum(t)) < 0 {
				t.Errorf("arrived %s, less than the minimum %s", got, q.minimum(t))
			}
		})
	}
}

func TestUnwrapGivesTheNativeCoinBack(t *testing.T) {
	t.Parallel()
	user := newEVMUser(t, base)
	amount := coins(1, asset(t, base, "native"))
	request := object{"user": user.address.Hex()}
	user.execute(t, quote(t, pair(t, base, "native", base, "wrapped", amount).with(request)))
	before := balance(t, base, user.address, asset(t, base, "native"))
	q := quote(t, pair(t, base, "wrapped", base, "native", amount).with(request))
	if q.Details.Operation != "unwrap" || q.stepIDs() != "swap" {
		t.Errorf("operation %s with steps %s", q.Details.Operation, q.stepIDs())
	}
	_, gas := user.execute(t, q)
	after := balance(t, base, user.address, asset(t, base, "native"))
	same(t, "unwrapped", minus(after, before).Add(minus(after, before), gas), amount)
}

// A quote in a quiet pool is exact, and pays whom it names.
func TestSwapPaysTheRecipientExactly(t *testing.T) {
	t.Parallel()
	user := newEVMUser(t, bsc)
	usdc, stranger := asset(t, bsc, "USDC"), newEVMUser(t).address
	q := quote(t, pair(t, bsc, "native", bsc, "USDC", coins(1, asset(t, bsc, "native"))).with(object{
		"user": user.address.Hex(), "recipient": stranger.Hex(), "slippageTolerance": "100",
	}))
	if q.Details.Recipient != strings.ToLower(stranger.Hex()) || q.Details.SlippageTolerance.Total != "100" {
		t.Errorf("recipient %s, slippage %s", q.Details.Recipient, q.Details.SlippageTolerance.Total)
	}
	minimum := new(big.Int).Quo(new(big.Int).Mul(q.out(t), big.NewInt(99)), big.NewInt(100))
	same(t, "minimum at 1 %", q.minimum(t), minimum)
	user.execute(t, q)
	got := balance(t, bsc, stranger, usdc)
	if got.Cmp(q.minimum(t)) < 0 {
		t.Errorf("recipient got %s, minimum %s", got, q.minimum(t))
	}
}

func TestSendPaysAnotherAddress(t *testing.T) {
	t.Parallel()
	user, friend := newEVMUser(t, base), newEVMUser(t)
	for _, kind := range []string{"native", "USDC"} {
		of := asset(t, base, kind)
		q := quote(t, pair(t, base, kind, base, kind, coins(2, of)).with(object{
			"user": user.address.Hex(), "recipient": friend.address.Hex(),
		}))
		if q.Details.Operation != "send" || q.stepIDs() != "send" {
			t.Errorf("operation %s with steps %s", q.Details.Operation, q.stepIDs())
		}
		user.execute(t, q)
		same(t, kind+" received", balance(t, base, friend.address, of), coins(2, of))
	}
}

// Approvals are exact, are left out when they are not needed, and take the way
// over zero for the token that insists on it.
func TestApprovals(t *testing.T) {
	t.Parallel()
	user := newEVMUser(t, ethereum)
	usdt := asset(t, ethereum, "USDT")
	user.fund(t, ethereum, usdt, coins(1000, usdt))
	request := func(whole int64) object {
		return pair(t, ethereum, "USDT", ethereum, "USDC", coins(whole, usdt)).with(object{"user": user.address.Hex()})
	}
	first := quote(t, request(10))
	if first.stepIDs() != "approve swap" {
		t.Fatalf("steps %q, want an approval", first.stepIDs())
	}
	approval := first.Steps[0].evmData(t)
	arguments, err := shared.set.Token.ABI.Methods["approve"].Inputs.Unpack(common.FromHex(approval.Data)[4:])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.EqualFold(arguments[0].(common.Address).Hex(), first.Steps[1].evmData(t).To) {
		t.Errorf("approves %v, but calls %s", arguments[0], first.Steps[1].evmData(t).To)
	}
	same(t, "approved", arguments[1].(*big.Int), coins(10, usdt))
	user.send(t, approval)

	if again := quote(t, request(10)); again.stepIDs() != "swap" {
		t.Errorf("steps %q although the allowance is enough", again.stepIDs())
	}
	larger := quote(t, request(20))
	if larger.stepIDs() != "approve approve swap" {
		t.Fatalf("steps %q, want a reset and an approval", larger.stepIDs())
	}
	user.execute(t, larger)
}

func TestSameChainQuotesComeTrueOnSolana(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in, out string
		units         int64
	}{
		{"SOL to USDC", "native", "USDC", 2_000_000_000},
		{"USDC to SOL", "USDC", "native", 100_000_000},
		{"SOL to USDT through two pools", "native", "USDT", 1_000_000_000},
		{"USDC to USDT", "USDC", "USDT", 50_000_000},
		{"wrap", "native", "wrapped", 3_000_000_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			user := newSolanaUser(t)
			in, out := asset(t, solanaID, test.in), asset(t, solanaID, test.out)
			before, outBefore := solanaBalance(t, user.address(), in), solanaBalance(t, user.address(), out)
			units := big.NewInt(test.units)
			q := quote(t, pair(t, solanaID, test.in, solanaID, test.out, units).with(object{"user": user.address().String()}))
			hash := user.execute(t, q)
			index(t, solanaID, hash, q.Steps[0].RequestID)
			final(t, q, "success")
			// The transaction's fee and the rent of accounts that stay are paid in SOL.
			spent, got := minus(before, solanaBalance(t, user.address(), in)), minus(solanaBalance(t, user.address(), out), outBefore)
			if in.Native {
				spent.Sub(spent, integer(t, q.Fees["gas"].Amount))
				spent.Sub(spent, computePrice)
			}
			if out.Native {
				got.Add(got, integer(t, q.Fees["gas"].Amount)).Add(got, computePrice)
			}
			same(t, "left", spent, units)
			if got.Cmp(q.minimum(t)) < 0 {
				t.Errorf("arrived %s, less than the minimum %s", got, q.minimum(t))
			}
		})
	}
}

// computePrice is what the test user's compute-budget instructions add to the
// fee: 400,000 units at 1,000 millionths of a lamport.
var computePrice = big.NewInt(400)

// Wrapped SOL that a user holds stays wrapped when he swaps to or from SOL.
func TestSolanaSwapLeavesWrappedTokensAlone(t *testing.T) {
	t.Parallel()
	user := newSolanaUser(t)
	wrapped := asset(t, solanaID, "wrapped")
	request := object{"user": user.address().String()}
	user.execute(t, quote(t, pair(t, solanaID, "native", solanaID, "wrapped", big.NewInt(3_000_000_000)).with(request)))
	user.execute(t, quote(t, pair(t, solanaID, "native", solanaID, "USDC", big.NewInt(1_000_000_000)).with(request)))
	same(t, "wrapped after SOL to USDC", solanaBalance(t, user.address(), wrapped), big.NewInt(3_000_000_000))
	user.execute(t, quote(t, pair(t, solanaID, "USDC", solanaID, "native", big.NewInt(10_000_000)).with(request)))
	same(t, "wrapped after USDC to SOL", solanaBalance(t, user.address(), wrapped), big.NewInt(3_000_000_000))
	user.execute(t, quote(t, pair(t, solanaID, "wrapped", solanaID, "native", big.NewInt(1_000_000_000)).with(request)))
	same(t, "wrapped after unwrapping a part", solanaBalance(t, user.address(), wrapped), big.NewInt(2_000_000_000))
	user.execute(t, quote(t, pair(t, solanaID, "wrapped", solanaID, "native", big.NewInt(2_000_000_000)).with(request)))
	same(t, "wrapped after unwrapping the rest", solanaBalance(t, user.address(), wrapped), new(big.Int))
}

func TestSolanaSwapAndSendPayTheRecipient(t *testing.T) {
	t.Parallel()
	user, friend := newSolanaUser(t), solana.NewWallet().PublicKey()
	parties := object{"user": user.address().String(), "recipient": friend.String()}
	usdc := asset(t, solanaID, "USDC")
	q := quote(t, pair(t, solanaID, "native", solanaID, "USDC", big.NewInt(1_000_000_000)).with(parties))
	user.execute(t, q)
	bought := solanaBalance(t, friend, usdc)
	if bought.Cmp(q.minimum(t)) < 0 {
		t.Errorf("recipient got %s, minimum %s", bought, q.minimum(t))
	}
	user.execute(t, quote(t, pair(t, solanaID, "USDC", solanaID, "USDC", big.NewInt(7_000_000)).with(parties)))
	same(t, "USDC sent", minus(solanaBalance(t, friend, usdc), bought), big.NewInt(7_000_000))
	user.execute(t, quote(t, pair(t, solanaID, "native", solanaID, "native", big.NewInt(1_000_000)).with(parties)))
	same(t, "SOL sent", solanaBalance(t, friend, asset(t, solanaID, "native")), big.NewInt(1_000_000))
}
