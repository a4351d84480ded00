package solana

import (
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"

	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

const temporarySeed = "00112233445566778899aabbccddeeff"

// temporaryOf is the address of an owner's temporary account.
func temporaryOf(t testing.TB, owner solana.PublicKey, seed string) solana.PublicKey {
	t.Helper()
	account, err := solana.CreateWithSeed(owner, seed, solana.TokenProgramID)
	if err != nil {
		t.Fatal(err)
	}
	return account
}

func makeTemporary(base solana.PublicKey, seed string, space uint64, program, account solana.PublicKey) solana.Instruction {
	return system.NewCreateAccountWithSeedInstruction(base, seed, 2_039_280, space, program, alice, account, base).Build()
}

func initialize(owner, account, mint solana.PublicKey) solana.Instruction {
	return token.NewInitializeAccount3Instruction(owner, account, mint).Build()
}

// trade is a swap of given amounts.
func trade(p programs, in, minimum uint64, source, target solana.PublicKey) solana.Instruction {
	s := swapVia(p, alice, source, target)
	return solana.NewInstruction(p.Pool, s.Accounts(), words("swap", in, minimum))
}

func closing(account, to, owner solana.PublicKey) solana.Instruction {
	return token.NewCloseAccountInstruction(account, to, owner, nil).Build()
}

func move(amount uint64, source, target, owner solana.PublicKey) solana.Instruction {
	return token.NewTransferInstruction(amount, source, target, owner, nil).Build()
}

// concat makes one list; each case has its own instructions, since compiling marks
// their accounts.
func concat(lists ...[]solana.Instruction) (all []solana.Instruction) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// accounts of alice that the shapes use.
type ownAccounts struct{ usdc, usdt, wrapped, temporary solana.PublicKey }

func ownOf(t testing.TB) ownAccounts {
	t.Helper()
	return ownAccounts{
		tokenAccount(alice, usdcMint), tokenAccount(alice, usdtMint), tokenAccount(alice, solana.WrappedSol),
		temporaryOf(t, alice, temporarySeed),
	}
}

func (o ownAccounts) open() []solana.Instruction {
	return []solana.Instruction{
		makeTemporary(alice, temporarySeed, tokenAccountSize, solana.TokenProgramID, o.temporary),
		initialize(alice, o.temporary, solana.WrappedSol),
	}
}

func openOwn(mint solana.PublicKey) solana.Instruction {
	return associated.NewCreateIdempotentInstruction(alice, alice, mint).Build()
}

func TestTemporaryAccountsAndTwoPoolsReadAsOneEffect(t *testing.T) {
	t.Parallel()
	a, p, own := offline(t), localPrograms(t), ownOf(t)
	usdc, usdt, wrapped, coin := usdcMint.String(), usdtMint.String(), solana.WrappedSol.String(), a.chain.TokenAddress
	swap, unwrap := chain.EffectSwap, chain.EffectUnwrap
	for name, c := range map[string]struct {
		list         []solana.Instruction
		kind         chain.EffectKind
		in, out, via string
		minimum      int64
		opened       string // mints of accounts that stay open
	}{
		"USDC to SOL, wrapped coin held": {concat(own.open(), []solana.Instruction{
			trade(p, 1_000, 150, own.usdc, own.temporary), closing(own.temporary, alice, alice),
		}), swap, usdc, coin, "", 150, ""},
		"USDC to SOL, beside it an account that stays": {concat(own.open(), []solana.Instruction{
			openOwn(solana.WrappedSol), trade(p, 1_000, 150, own.usdc, own.temporary), closing(own.temporary, alice, alice),
		}), swap, usdc, coin, "", 150, wrapped},
		"part of the wrapped coin": {concat(own.open(), []solana.Instruction{
			move(1_000, own.wrapped, own.temporary, alice), closing(own.temporary, alice, alice),
		}), unwrap, wrapped, coin, "", 1_000, ""},
		"SOL to USDT": {concat(wrapSOL(1_000), []solana.Instruction{
			openOwn(usdtMint), openOwn(usdcMint),
			trade(p, 1_000, 150, own.wrapped, own.usdc), trade(p, 150, 140, own.usdc, own.usdt), closing(own.wrapped, alice, alice),
		}), swap, coin, usdt, usdc, 140, usdt + " " + usdc},
		"wrapped SOL to USDT, less in the second pool": {[]solana.Instruction{
			trade(p, 1_000, 150, own.wrapped, own.usdc), trade(p, 149, 140, own.usdc, own.usdt),
		}, swap, wrapped, usdt, usdc, 140, ""},
		"USDT to SOL": {[]solana.Instruction{
			openOwn(solana.WrappedSol), openOwn(usdcMint),
			trade(p, 1_000, 150, own.usdt, own.usdc), trade(p, 150, 140, own.usdc, own.wrapped), closing(own.wrapped, alice, alice),
		}, swap, usdt, coin, usdc, 140, usdc},
		"USDT to SOL, wrapped coin held": {concat(own.open(), []solana.Instruction{
			trade(p, 1_000, 150, own.usdt, own.usdc), trade(p, 150, 140, own.usdc, own.temporary), closing(own.temporary, alice, alice),
		}), swap, usdt, coin, usdc, 140, ""},
	} {
		wire := compile(t, c.list...)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := a.Describe(t.Context(), wire)
			if err != nil {
				t.Fatal(err)
			}
			var opened []string
			var main []chain.Effect
			for _, e := range d.Effects {
				if e.Kind == chain.EffectCreateAccount {
					opened = append(opened, e.Asset)
				} else {
					main = append(main, e)
				}
			}
			if len(main) != 1 || strings.Join(opened, " ") != c.opened {
				t.Fatalf("described as %+v", d.Effects)
			}
			e := main[0]
			if e.Kind != c.kind || e.Asset != c.in || e.AssetOut != c.out || e.Via != c.via || e.Recipient != alice.String() ||
				e.Amount.Int64() != 1_000 || e.MinimumOut.Int64() != c.minimum {
				t.Errorf("described as %+v", e)
			}
		})
	}
}

func TestStrangeTemporaryAccountsAreUnsafe(t *testing.T) {
	t.Parallel()
	a, p, own := offline(t), localPrograms(t), ownOf(t)
	second, theirs := strings.Repeat("7", seedLength), temporaryOf(t, mallory, temporarySeed)
	buy := func() solana.Instruction { return trade(p, 1_000, 150, own.usdc, own.temporary) }
	end := func() solana.Instruction { return closing(own.temporary, alice, alice) }
	make := func(seed string, space uint64, program, account solana.PublicKey) solana.Instruction {
		return makeTemporary(alice, seed, space, program, account)
	}
	start := func() solana.Instruction { return own.open()[0] }
	// Bases other than alice would have to sign; so the bytes alone name another.
	otherBase := func() solana.Instruction {
		honest := make(temporarySeed, tokenAccountSize, solana.TokenProgramID, own.temporary)
		data, err := honest.Data()
		if err != nil {
			t.Fatal(err)
		}
		copy(data[seedBaseOffset:], mallory[:])
		return solana.NewInstruction(solana.SystemProgramID, solana.AccountMetaSlice{
			solana.Meta(alice).SIGNER().WRITE(), solana.Meta(theirs).WRITE(), solana.Meta(alice).SIGNER(),
		}, data)
	}
	// The account of another base is named, and the sender's in the bytes.
	namedBase := func() solana.Instruction {
		i := start()
		data, err := i.Data()
		if err != nil {
			t.Fatal(err)
		}
		return solana.NewInstruction(solana.SystemProgramID, solana.AccountMetaSlice{
			solana.Meta(alice).SIGNER().WRITE(), solana.Meta(own.temporary).WRITE(), solana.Meta(mallory),
		}, data)
	}
	elsewhere, err := solana.CreateWithSeed(alice, temporarySeed, mallory)
	if err != nil {
		t.Fatal(err)
	}
	other := temporaryOf(t, alice, second)
	type list = []solana.Instruction
	for name, c := range map[string]list{
		"of another owner":          {start(), initialize(mallory, own.temporary, solana.WrappedSol), buy(), end()},
		"of another mint":           {start(), initialize(alice, own.temporary, usdcMint), buy(), end()},
		"another is initialized":    {start(), initialize(alice, theirs, solana.WrappedSol), buy(), end()},
		"of another base":           {otherBase(), initialize(alice, theirs, solana.WrappedSol), trade(p, 1_000, 150, own.usdc, theirs), closing(theirs, alice, alice)},
		"with another base named":   {namedBase(), own.open()[1], buy(), end()},
		"of another program":        {make(temporarySeed, tokenAccountSize, mallory, elsewhere), initialize(alice, elsewhere, solana.WrappedSol), trade(p, 1_000, 150, own.usdc, elsewhere), closing(elsewhere, alice, alice)},
		"another one is made":       {make(temporarySeed, tokenAccountSize, solana.TokenProgramID, theirs), own.open()[1], buy(), end()},
		"initialized twice":         append(own.open(), own.open()[1], buy(), end()),
		"initialized after its end": append(own.open(), buy(), end(), own.open()[1], end()),
		"at another address":        {make(temporarySeed, tokenAccountSize, solana.TokenProgramID, theirs), initialize(alice, theirs, solana.WrappedSol), trade(p, 1_000, 150, own.usdc, theirs), closing(theirs, alice, alice)},
		"of another size":           {make(temporarySeed, tokenAccountSize+1, solana.TokenProgramID, own.temporary), own.open()[1], buy(), end()},
		"with a shorter seed":       {make("short", tokenAccountSize, solana.TokenProgramID, temporaryOf(t, alice, "short"))},
		"not closed":                append(own.open(), buy()),
		"not even initialized":      {start(), trade(p, 1_000, 150, own.usdc, own.usdt)},
		"initialized and not made":  {own.open()[1], buy(), end()},
		"used before":               {start(), buy(), own.open()[1], end()},
		"closed before":             append(own.open(), end(), buy()),
		"closed twice":              append(own.open(), buy(), end(), end()),
		"closed to a stranger":      append(own.open(), buy(), closing(own.temporary, mallory, alice)),
		"a second one": concat(own.open(), list{buy(), end()}, list{
			make(second, tokenAccountSize, solana.TokenProgramID, other), initialize(alice, other, solana.WrappedSol),
			trade(p, 1_000, 150, own.usdc, other), closing(other, alice, alice),
		}),
		"paid out of by a swap":     append(own.open(), move(9, own.wrapped, own.temporary, alice), trade(p, 9, 1, own.temporary, own.usdc), end()),
		"paid out of by a transfer": append(own.open(), move(9, own.temporary, own.wrapped, alice), end()),
		"synced":                    append(own.open(), token.NewSyncNativeInstruction(own.temporary).Build(), end()),
	} {
		wire := compile(t, c...)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := a.Describe(t.Context(), wire)
			if fault.CodeOf(err) != fault.UnsafeTransaction {
				t.Errorf("described as %+v, %v", d, err)
			}
		})
	}
}

// What looks like the known shapes and is not reads as all its effects, so that
// more than one is left for the comparison with the offer to refuse.
func TestWhatDoesNotBelongTogetherStaysApart(t *testing.T) {
	t.Parallel()
	a, p, own := offline(t), localPrograms(t), ownOf(t)
	theirUSDC := func() solana.Instruction {
		return associated.NewCreateIdempotentInstruction(alice, mallory, usdcMint).Build()
	}
	strangerUSDC := tokenAccount(mallory, usdcMint)
	first := func() solana.Instruction { return trade(p, 1_000, 150, own.wrapped, own.usdc) }
	next := func() solana.Instruction { return trade(p, 150, 140, own.usdc, own.usdt) }
	type list = []solana.Instruction
	for name, c := range map[string]list{
		"the second swap takes more":          {first(), trade(p, 151, 140, own.usdc, own.usdt)},
		"through a foreign account":           {theirUSDC(), trade(p, 1_000, 150, own.wrapped, strangerUSDC), next()},
		"through another account":             {trade(p, 1_000, 150, own.wrapped, own.usdt), next()},
		"three swaps":                         {first(), next(), trade(p, 140, 130, own.usdt, own.usdc)},
		"there and back":                      {first(), trade(p, 150, 140, own.usdc, own.wrapped)},
		"a transfer between":                  {openOwn(usdcMint), first(), move(1, own.usdc, own.usdc, alice), next()},
		"through a token that is not known":   {openOwn(mallory), trade(p, 1_000, 150, own.wrapped, tokenAccount(alice, mallory)), trade(p, 150, 140, tokenAccount(alice, mallory), own.usdt)},
		"an unused one after a wrap":          concat(own.open(), wrapSOL(1_000), list{first(), closing(own.temporary, alice, alice)}),
		"something between within an unwrap":  append(own.open(), move(9, own.wrapped, own.temporary, alice), theirUSDC(), closing(own.temporary, alice, alice)),
		"a temporary account that is unused":  append(own.open(), first(), closing(own.temporary, alice, alice)),
		"another account closed":              append(own.open(), trade(p, 1_000, 150, own.usdc, own.wrapped), closing(own.temporary, alice, alice)),
		"the ordinary one closed as well":     append(own.open(), trade(p, 1_000, 150, own.usdc, own.temporary), closing(own.temporary, alice, alice), closing(own.wrapped, alice, alice)),
		"an unwrap beside a swap":             append(own.open(), trade(p, 1_000, 150, own.usdc, own.temporary), move(9, own.wrapped, own.temporary, alice), closing(own.temporary, alice, alice)),
		"two transfers to be unwrapped":       append(own.open(), move(9, own.wrapped, own.temporary, alice), move(9, own.wrapped, own.temporary, alice), closing(own.temporary, alice, alice)),
		"coin sent to the temporary account":  append(own.open(), system.NewTransferInstruction(9, alice, own.temporary).Build(), closing(own.temporary, alice, alice)),
		"a transfer and the ordinary account": {move(9, own.wrapped, own.wrapped, alice), closing(own.wrapped, alice, alice)},
	} {
		wire := compile(t, c...)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := a.Describe(t.Context(), wire)
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			for _, e := range d.Effects {
				if e.Kind != chain.EffectCreateAccount {
					count++
				}
			}
			if count < 2 {
				t.Errorf("described as %+v", d.Effects)
			}
		})
	}
	d, err := a.Describe(t.Context(), compile(t, closing(own.wrapped, alice, alice)))
	if err != nil || d.Effects[0].Amount != nil || d.Effects[0].MinimumOut != nil {
		t.Errorf("a bare closing is described as %+v, %v: nothing in it says how much", d.Effects, err)
	}
}
