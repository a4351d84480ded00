package evm

import (
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

func TestPaymentOfCoinIsExactToTheUnit(t *testing.T) {
	t.Parallel()
	for _, id := range []int64{ethereum, base, bsc, 42161, 80094, 146, 43114, 137, 999} {
		c, _ := catalog.ChainByID(id)
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, id)
			recipient, amount := newAddress(t), big.NewInt(123_456_789_012_345_678)
			u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: amount})
			b.must(err)

			d, err := b.Describe(t.Context(), u.Bytes)
			b.must(err)
			e := d.Effects[0]
			if len(d.Effects) != 1 || e.Kind != chain.EffectTransfer || e.Recipient != recipient || e.Amount.Cmp(amount) != 0 || e.Asset != b.chain.TokenAddress {
				t.Fatalf("described as %+v", d)
			}
			changes, err := b.Simulate(t.Context(), []chain.Unsigned{u})
			b.must(err)
			if len(changes) != 1 || changes[0].Asset != b.chain.TokenAddress || changes[0].Delta.Cmp(new(big.Int).Neg(amount)) != 0 {
				t.Fatalf("simulated as %+v", changes)
			}

			found, hash := b.settle(u)
			if found.Phase != chain.PhaseSettled || found.Fee == nil || found.Fee.Cmp(u.MaximumFee) > 0 {
				t.Fatalf("settled as %+v with a maximum fee of %s", found, u.MaximumFee)
			}
			if got := b.native(recipient); got.Cmp(amount) != 0 {
				t.Fatalf("the recipient has %s", got)
			}
			left := new(big.Int).Sub(new(big.Int).Sub(fundedBy, amount), found.Fee)
			if got := b.native(b.owner); got.Cmp(left) != 0 {
				t.Fatalf("the sender has %s, want %s", got, left)
			}
			got, err := b.Received(t.Context(), hash, recipient, b.chain.NativeAsset())
			b.must(err)
			if got.Cmp(amount) != 0 {
				t.Fatalf("received %s", got)
			}
		})
	}
}

func TestPaymentOfTokenIsExactToTheUnit(t *testing.T) {
	t.Parallel()
	for _, id := range []int64{ethereum, bsc} {
		for _, kind := range []string{"usdc", "usdt"} {
			c, _ := catalog.ChainByID(id)
			t.Run(c.Name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				b := newBench(t, id)
				asset, recipient := b.asset(kind), newAddress(t)
				held := big.NewInt(5_000_001)
				b.pay(common.HexToAddress(asset.Address), new(big.Int), pack(erc20, "transfer", common.HexToAddress(b.owner), held))
				amount := big.NewInt(1_234_567)
				u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: asset, Amount: amount})
				b.must(err)
				d, err := b.Describe(t.Context(), u.Bytes)
				b.must(err)
				if e := d.Effects[0]; e.Kind != chain.EffectTransfer || e.Asset != asset.Address || e.Recipient != recipient || e.Amount.Cmp(amount) != 0 {
					t.Fatalf("described as %+v", e)
				}
				if _, hash := b.settle(u); true {
					for owner, want := range map[string]*big.Int{recipient: amount, b.owner: new(big.Int).Neg(amount)} {
						got, err := b.Received(t.Context(), hash, owner, asset)
						b.must(err)
						if got.Cmp(want) != 0 {
							t.Fatalf("%s received %s, want %s", owner, got, want)
						}
					}
				}
				balances, err := b.Balances(t.Context(), b.owner, b.chain.Assets())
				b.must(err)
				for i, a := range b.chain.Assets() {
					if a.Address == asset.Address && balances[i].Cmp(new(big.Int).Sub(held, amount)) != 0 {
						t.Fatalf("the sender has %s", balances[i])
					}
					if a.Native && balances[i].Cmp(b.native(b.owner)) != 0 {
						t.Fatalf("the sender has %s coin", balances[i])
					}
				}
			})
		}
	}
}

func TestMaximumLeavesNothingBehindButTheUnspentFee(t *testing.T) {
	t.Parallel()
	b := newBench(t, base)
	recipient := newAddress(t)
	amount, fee, rent, err := b.MaximumTransfer(t.Context(), b.owner, recipient, b.chain.NativeAsset())
	b.must(err)
	if sum := new(big.Int).Add(amount, fee); sum.Cmp(fundedBy) != 0 || rent.Sign() != 0 {
		t.Fatalf("%s and a fee of %s do not make up the balance %s", amount, fee, fundedBy)
	}
	u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: amount})
	b.must(err)
	found, _ := b.settle(u)
	if got, want := b.native(b.owner), new(big.Int).Sub(new(big.Int).Sub(fundedBy, amount), found.Fee); got.Cmp(want) != 0 {
		t.Fatalf("%s is left, want %s", got, want)
	}

	if _, err = b.BuildTransfer(t.Context(), chain.Transfer{
		From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: amount,
	}); fault.CodeOf(err) != fault.InsufficientBalance || fault.Of(err).Message != "Insufficient balance" {
		t.Fatalf("an emptied account pays again: %v", err)
	}
	amount, _, _, err = b.MaximumTransfer(t.Context(), b.owner, "", b.chain.NativeAsset())
	b.must(err)
	if amount.Sign() < 0 {
		t.Fatalf("the maximum is %s", amount)
	}
}

func TestPaymentsThatWouldGoWrongAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, ethereum)
	usdc, native, someone := b.asset("usdc"), b.chain.NativeAsset(), newAddress(t)
	one := big.NewInt(1)
	for name, c := range map[string]struct {
		recipient string
		asset     catalog.Asset
		amount    *big.Int
		code      fault.Code
		message   string
	}{
		"a Solana address":         {"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", native, one, fault.InvalidAddress, messageBadRecipient},
		"a wrong checksum":         {"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756CC2", native, one, fault.InvalidAddress, messageBadRecipient},
		"39 digits":                {someone[:41], native, one, fault.InvalidAddress, messageBadRecipient},
		"no prefix":                {someone[2:], native, one, fault.InvalidAddress, messageBadRecipient},
		"the zero address":         {"0x0000000000000000000000000000000000000000", native, one, fault.InvalidAddress, messageBadPair},
		"the token's own contract": {usdc.Address, usdc, one, fault.InvalidAddress, messageBadPair},
		"oneself":                  {b.owner, native, one, fault.SelfTransfer, messageSelfTransfer},
		"zero":                     {someone, native, new(big.Int), fault.AmountZero, "Please enter a valid amount"},
		"negative":                 {someone, native, big.NewInt(-1), fault.AmountZero, "Please enter a valid amount"},
		"no amount":                {someone, native, nil, fault.AmountZero, "Please enter a valid amount"},
		"more coin than there is":  {someone, native, new(big.Int).Lsh(coin, 10), fault.InsufficientBalance, "Insufficient balance"},
		"all coin, nothing for the fee": {
			someone, native, fundedBy, fault.InsufficientBalance, "Insufficient balance",
		},
		"more token than there is": {someone, usdc, one, fault.InsufficientBalance, "Insufficient balance"},
		"beyond 256 bits":          {someone, native, new(big.Int).Lsh(one, 256), fault.InsufficientBalance, "Insufficient balance"},
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

func TestAddressesComeOutInTheirCanonicalForm(t *testing.T) {
	t.Parallel()
	b := newBench(t, ethereum)
	// EIP-55's own examples: all capitals, all small, mixed.
	for in, want := range map[string]string{
		"0x52908400098527886E0F7030069857D2E4169EE7": "0x52908400098527886E0F7030069857D2E4169EE7",
		"0xde709f2102306220921060314715629080e2fb77": "0xde709f2102306220921060314715629080e2fb77",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		"0xD1220A0CF47C7B9BE7A2E6BA89F429762E7B9ADB": "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
	} {
		if got, err := b.ParseAddress(in); err != nil || got != want {
			t.Errorf("%s gives %s, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"", "0x", "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n", "0x5aAeb6053f3E94C9b9A09f33669435E7Ef1BeAed"} {
		if _, err := b.ParseAddress(in); fault.CodeOf(err) != fault.InvalidAddress {
			t.Errorf("%q is accepted: %v", in, err)
		}
	}
}
