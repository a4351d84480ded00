package solana

import (
	"errors"
	"math/big"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// Rent-exempt minimums of the cluster for 0 and 165 bytes of data.
const (
	emptyRent = 890_880
	tokenRent = 2_039_280
)

func TestPaymentOfSolIsExactToTheUnit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	recipient := newKey(t).PublicKey().String()
	const amount = 123_456_789
	u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: units(amount)})
	b.must(err)
	if u.Rent != nil || u.LastValidBlockHeight == 0 {
		t.Fatalf("built %+v", u)
	}
	d, err := b.Describe(t.Context(), u.Bytes)
	b.must(err)
	e := d.Effects[0]
	if d.From != b.owner || len(d.Effects) != 1 || e.Kind != chain.EffectTransfer || e.Recipient != recipient || e.Amount.Cmp(units(amount)) != 0 {
		t.Fatalf("described as %+v", d)
	}
	changes, err := b.Simulate(t.Context(), []chain.Unsigned{u})
	b.must(err)
	if len(changes) != 1 || changes[0].Asset != b.chain.TokenAddress || changes[0].Delta.Int64() != -amount {
		t.Fatalf("simulated as %+v", changes)
	}
	found, hash := b.settle(u)
	if found.Fee == nil || found.Fee.Cmp(u.MaximumFee) != 0 {
		t.Fatalf("the fee was %s, announced %s", found.Fee, u.MaximumFee)
	}
	if got := b.lamportsOf(recipient); got != amount {
		t.Fatalf("the recipient has %d", got)
	}
	if got := b.lamportsOf(b.owner); got != fundedBy-amount-found.Fee.Uint64() {
		t.Fatalf("the sender has %d", got)
	}
	for owner, want := range map[string]int64{recipient: amount, b.owner: -amount} {
		got, err := b.Received(t.Context(), hash, owner, b.chain.NativeAsset())
		b.must(err)
		if got.Int64() != want {
			t.Fatalf("%s received %s, want %d", owner, got, want)
		}
	}
}

func TestPaymentOfTokenOpensTheRecipientsAccountOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	usdc, recipient := b.asset("usdc"), newKey(t).PublicKey().String()
	const held, amount = 5_000_001, 1_234_567
	b.giveTokens(usdc, held)
	for i, rent := range []uint64{tokenRent, 0} {
		before := b.lamportsOf(b.owner)
		u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: usdc, Amount: units(amount)})
		b.must(err)
		if got := u.Rent; (got == nil) != (rent == 0) || got != nil && got.Uint64() != rent {
			t.Fatalf("payment %d announces a rent of %s", i, got)
		}
		d, err := b.Describe(t.Context(), u.Bytes)
		b.must(err)
		open, move := d.Effects[0], d.Effects[1]
		if len(d.Effects) != 2 || open.Kind != chain.EffectCreateAccount || open.Recipient != recipient ||
			move.Kind != chain.EffectTransfer || move.Asset != usdc.Address || move.Recipient != recipient || move.Amount.Int64() != amount {
			t.Fatalf("described as %+v", d.Effects)
		}
		changes, err := b.Simulate(t.Context(), []chain.Unsigned{u})
		b.must(err)
		for _, c := range changes {
			if want := map[string]int64{b.chain.TokenAddress: -int64(rent), usdc.Address: -amount}[c.Asset]; c.Delta.Int64() != want {
				t.Fatalf("simulated %s of %s, want %d", c.Delta, c.Asset, want)
			}
		}
		found, hash := b.settle(u)
		if got := b.lamportsOf(b.owner); got != before-rent-found.Fee.Uint64() {
			t.Fatalf("the sender has %d lamports, had %d", got, before)
		}
		got, err := b.Received(t.Context(), hash, recipient, usdc)
		b.must(err)
		if got.Int64() != amount {
			t.Fatalf("received %s", got)
		}
	}
	if got := b.tokensOf(recipient, usdc); got != "2469134" {
		t.Fatalf("the recipient has %s", got)
	}
	balances, err := b.Balances(t.Context(), b.owner, b.chain.Assets())
	b.must(err)
	for i, a := range b.chain.Assets() {
		want := map[string]uint64{b.chain.TokenAddress: b.lamportsOf(b.owner), usdc.Address: held - 2*amount}[a.Address]
		if balances[i].Uint64() != want {
			t.Fatalf("%s of %s, want %d", balances[i], a.Symbol, want)
		}
	}
}

func TestMaximumKeepsFeeRentAndTheAccountAlive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	recipient := newKey(t).PublicKey().String()
	amount, fee, rent, err := b.MaximumTransfer(t.Context(), b.owner, recipient, b.chain.NativeAsset())
	b.must(err)
	if amount.Uint64()+fee.Uint64()+emptyRent != fundedBy || rent.Sign() != 0 {
		t.Fatalf("maximum %s, fee %s, rent %s", amount, fee, rent)
	}
	u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: amount})
	b.must(err)
	b.settle(u)
	if got := b.lamportsOf(b.owner); got != emptyRent {
		t.Fatalf("%d lamports are left", got)
	}
	amount, _, _, err = b.MaximumTransfer(t.Context(), b.owner, recipient, b.chain.NativeAsset())
	b.must(err)
	if amount.Sign() != 0 {
		t.Fatalf("an emptied account can send %s", amount)
	}
	_, _, rent, err = b.MaximumTransfer(t.Context(), b.owner, "", b.asset("usdc"))
	b.must(err)
	if rent.Int64() != tokenRent {
		t.Fatalf("a token's rent is %s", rent)
	}
}

func TestPaymentsThatWouldGoWrongAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	native, usdc := b.chain.NativeAsset(), b.asset("usdc")
	b.giveTokens(usdc, 5)
	someone := newKey(t).PublicKey().String()
	ownTokens := tokenAccount(b.key.PublicKey(), solana.MustPublicKeyFromBase58(usdc.Address)).String()
	nobody := tokenAccount(newKey(t).PublicKey(), solana.MustPublicKeyFromBase58(usdc.Address)).String()
	for name, c := range map[string]struct {
		recipient string
		asset     catalog.Asset
		amount    *big.Int
		code      fault.Code
		message   string
	}{
		"an EVM address":             {"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", native, units(1e9), fault.InvalidAddress, messageBadAddress},
		"a letter not in base58":     {"0" + someone[1:], native, units(1e9), fault.InvalidAddress, messageBadAddress},
		"too short":                  {"11111111111111111111111111111", native, units(1e9), fault.InvalidAddress, messageBadAddress},
		"empty":                      {"", native, units(1e9), fault.InvalidAddress, messageBadAddress},
		"a token account":            {ownTokens, native, units(1e9), fault.InvalidAddress, messageBadPair},
		"a mint":                     {usdc.Address, usdc, units(1), fault.InvalidAddress, messageBadPair},
		"a program":                  {solana.TokenProgramID.String(), native, units(1e9), fault.InvalidAddress, messageBadPair},
		"an address without a key":   {nobody, native, units(1e9), fault.InvalidAddress, messageBadPair},
		"oneself":                    {b.owner, native, units(1), fault.SelfTransfer, messageSelfTransfer},
		"zero":                       {someone, native, units(0), fault.AmountZero, "Please enter a valid amount"},
		"negative":                   {someone, native, big.NewInt(-1), fault.AmountZero, "Please enter a valid amount"},
		"more SOL than there is":     {someone, native, units(fundedBy + 1), fault.InsufficientBalance, messageNoFunds},
		"beyond 64 bits":             {someone, native, new(big.Int).Lsh(big.NewInt(1), 64), fault.InsufficientBalance, messageNoFunds},
		"the rent-exempt minimum":    {someone, native, units(fundedBy - 10_000), fault.InsufficientBalance, messageNoFunds},
		"more tokens than there are": {someone, usdc, units(6), fault.InsufficientBalance, messageNoFunds},
		"too little for a new account": {
			someone, native, units(emptyRent - 1), fault.InvalidAmount, "The recipient's account is new: it must receive at least 0.00089088 SOL.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: c.recipient, Asset: c.asset, Amount: c.amount})
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != c.code || f.Message != c.message {
				t.Fatalf("got %v, want %s with %q", err, c.code, c.message)
			}
		})
	}
}
