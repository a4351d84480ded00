package solana

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// offline is an adapter that needs no node.
func offline(t testing.TB) *Adapter {
	t.Helper()
	c, _ := catalog.ChainByID(catalog.SolanaChainID)
	a, err := New(c, []string{"http://localhost:1"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// programs are the local network's addresses (localnet/solana/programs.json).
type programs struct {
	Pool, Depository                 solana.PublicKey
	DepositoryState, DepositoryVault solana.PublicKey
	Pools                            []struct{ State, VaultA, VaultB solana.PublicKey }
}

func localPrograms(t testing.TB) programs {
	t.Helper()
	raw, err := os.ReadFile("../../localnet/solana/programs.json")
	if err != nil {
		t.Fatal(err)
	}
	var p programs
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	alice    = solana.MustPublicKeyFromBase58("7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q")
	mallory  = solana.MustPublicKeyFromBase58("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g")
	usdcMint = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	usdtMint = solana.MustPublicKeyFromBase58("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")
)

func compile(t testing.TB, list ...solana.Instruction) []byte {
	t.Helper()
	wire, err := encode(alice, list, solana.Hash{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return wire
}

func words(discriminator string, values ...uint64) []byte {
	m := anchor(discriminator)
	data := m[:]
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	return data
}

// swapVia is the pool program's instruction, accounts as its README lists them.
func swapVia(p programs, user, source, target solana.PublicKey) solana.Instruction {
	return solana.NewInstruction(p.Pool, solana.AccountMetaSlice{
		solana.Meta(p.Pools[0].State), solana.Meta(user).SIGNER(), solana.Meta(source).WRITE(), solana.Meta(target).WRITE(),
		solana.Meta(p.Pools[0].VaultA).WRITE(), solana.Meta(p.Pools[0].VaultB).WRITE(), solana.Meta(solana.TokenProgramID),
	}, words("swap", 1_000, 150))
}

func wrapSOL(amount uint64) []solana.Instruction {
	own := tokenAccount(alice, solana.WrappedSol)
	return []solana.Instruction{
		associated.NewCreateIdempotentInstruction(alice, alice, solana.WrappedSol).Build(),
		system.NewTransferInstruction(amount, alice, own).Build(),
		token.NewSyncNativeInstruction(own).Build(),
	}
}

func closeSOL(to solana.PublicKey) solana.Instruction {
	return token.NewCloseAccountInstruction(tokenAccount(alice, solana.WrappedSol), to, alice, nil).Build()
}

func TestWrappingAroundASwapIsFoldedAway(t *testing.T) {
	t.Parallel()
	a, p := offline(t), localPrograms(t)
	ownUSDC, ownSOL := tokenAccount(alice, usdcMint), tokenAccount(alice, solana.WrappedSol)
	toUSDC := []solana.Instruction{associated.NewCreateIdempotentInstruction(alice, alice, usdcMint).Build(), swapVia(p, alice, ownSOL, ownUSDC)}
	usdc, wrapped, coin := usdcMint.String(), solana.WrappedSol.String(), a.chain.TokenAddress
	for name, c := range map[string]struct {
		list     []solana.Instruction
		in, out  string
		leftover []chain.EffectKind // beside the swap
	}{
		"SOL to USDC":              {append(append(wrapSOL(1_000), toUSDC...), closeSOL(alice)), coin, usdc, []chain.EffectKind{chain.EffectCreateAccount}},
		"USDC to SOL":              {[]solana.Instruction{wrapSOL(1)[0], swapVia(p, alice, ownUSDC, ownSOL), closeSOL(alice)}, usdc, coin, nil},
		"wrapped SOL to USDC":      {toUSDC, wrapped, usdc, []chain.EffectKind{chain.EffectCreateAccount}},
		"another amount wrapped":   {append(append(wrapSOL(999), toUSDC...), closeSOL(alice)), wrapped, usdc, []chain.EffectKind{chain.EffectCreateAccount, chain.EffectWrap, chain.EffectCreateAccount, chain.EffectUnwrap}},
		"wrapped twice":            {append(append(wrapSOL(1_000), wrapSOL(1_000)...), toUSDC...), wrapped, usdc, []chain.EffectKind{chain.EffectCreateAccount, chain.EffectWrap, chain.EffectCreateAccount, chain.EffectWrap, chain.EffectCreateAccount}},
		"the account is left open": {append(wrapSOL(1_000), toUSDC...), coin, usdc, []chain.EffectKind{chain.EffectCreateAccount, chain.EffectCreateAccount}},
	} {
		wire := compile(t, c.list...) // here: the cases share instructions, and compiling marks their accounts
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := a.Describe(t.Context(), wire)
			if err != nil {
				t.Fatal(err)
			}
			var beside []chain.EffectKind
			for _, e := range d.Effects {
				if e.Kind != chain.EffectSwap {
					beside = append(beside, e.Kind)
					continue
				}
				if e.Asset != c.in || e.AssetOut != c.out || e.Amount.Int64() != 1_000 || e.MinimumOut.Int64() != 150 ||
					e.Recipient != alice.String() || e.Contract != p.Pool.String() {
					t.Errorf("described as %+v", e)
				}
			}
			if len(beside) != len(c.leftover) {
				t.Fatalf("beside the swap: %v, want %v", beside, c.leftover)
			}
			for i := range beside {
				if beside[i] != c.leftover[i] {
					t.Errorf("beside the swap: %v, want %v", beside, c.leftover)
				}
			}
		})
	}
}

func TestDepositsAreDescribed(t *testing.T) {
	t.Parallel()
	a, p := offline(t), localPrograms(t)
	id := make([]byte, 32)
	id[0], id[31] = 0xab, 0xcd
	native := solana.NewInstruction(p.Depository, solana.AccountMetaSlice{
		solana.Meta(p.DepositoryState), solana.Meta(alice).SIGNER().WRITE(), solana.Meta(mallory), solana.Meta(p.DepositoryVault).WRITE(), solana.Meta(solana.SystemProgramID),
	}, append(words("deposit_native", 77), id...))
	spl := solana.NewInstruction(p.Depository, solana.AccountMetaSlice{
		solana.Meta(p.DepositoryState), solana.Meta(alice).SIGNER().WRITE(), solana.Meta(alice), solana.Meta(p.DepositoryVault), solana.Meta(usdcMint),
		solana.Meta(tokenAccount(alice, usdcMint)).WRITE(), solana.Meta(tokenAccount(p.DepositoryVault, usdcMint)).WRITE(),
		solana.Meta(solana.TokenProgramID), solana.Meta(solana.SPLAssociatedTokenAccountProgramID), solana.Meta(solana.SystemProgramID),
	}, append(words("deposit_token", 88), id...))
	for _, c := range []struct {
		instruction      solana.Instruction
		asset, depositor string
		amount           int64
	}{{native, a.chain.TokenAddress, mallory.String(), 77}, {spl, usdcMint.String(), alice.String(), 88}} {
		d, err := a.Describe(t.Context(), compile(t, c.instruction))
		if err != nil {
			t.Fatal(err)
		}
		e := d.Effects[0]
		if len(d.Effects) != 1 || e.Kind != chain.EffectDeposit || e.Asset != c.asset || e.Amount.Int64() != c.amount || e.Depositor != c.depositor ||
			e.Contract != p.Depository.String() || e.RequestID != "0xab"+strings.Repeat("0", 60)+"cd" {
			t.Errorf("described as %+v", d.Effects)
		}
	}
}

func TestUnknownShapesAreUnsafe(t *testing.T) {
	t.Parallel()
	a, p := offline(t), localPrograms(t)
	own, ownSOL, theirs := tokenAccount(alice, usdcMint), tokenAccount(alice, solana.WrappedSol), tokenAccount(mallory, usdcMint)
	open := associated.NewCreateIdempotentInstruction(alice, mallory, usdcMint).Build()
	pay := func(source, target, owner solana.PublicKey) solana.Instruction {
		return token.NewTransferCheckedInstruction(9, 6, source, usdcMint, target, owner, nil).Build()
	}
	payment := system.NewTransferInstruction(9, alice, mallory).Build()
	wire := compile(t, payment)
	signed := bytes.Clone(wire)
	signed[5] = 1
	twoSigners, err := encode(alice, []solana.Instruction{system.NewTransferInstruction(9, mallory, alice).Build()}, solana.Hash{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw := func(program solana.PublicKey, data []byte, keys ...solana.PublicKey) []byte {
		metas := make(solana.AccountMetaSlice, len(keys))
		for i, key := range keys {
			metas[i] = solana.NewAccountMeta(key, key != alice, key == alice)
		}
		return compile(t, solana.NewInstruction(program, metas, data))
	}
	misdirected := solana.NewInstruction(solana.SPLAssociatedTokenAccountProgramID, solana.AccountMetaSlice{
		solana.Meta(alice).SIGNER().WRITE(), solana.Meta(theirs).WRITE(), solana.Meta(alice), solana.Meta(usdcMint),
		solana.Meta(solana.SystemProgramID), solana.Meta(solana.TokenProgramID),
	}, []byte{1})
	limit := computebudget.NewSetComputeUnitLimitInstruction(5).Build()
	for name, unsigned := range map[string][]byte{
		"nothing":                       {},
		"noise":                         bytes.Repeat([]byte{7}, 200),
		"signed already":                signed,
		"bytes at the end":              append(bytes.Clone(wire), 0),
		"cut short":                     wire[:len(wire)-1],
		"longer than a packet":          append(bytes.Clone(wire), make([]byte, mostBytes)...),
		"a second signer":               twoSigners,
		"nothing but a budget":          compile(t, limit),
		"two limits":                    compile(t, limit, limit, payment),
		"a price beyond reason":         compile(t, computebudget.NewSetComputeUnitPriceInstruction(1<<40).Build(), payment),
		"a heap frame":                  compile(t, computebudget.NewRequestHeapFrameInstruction(1024*64).Build(), payment),
		"an assignment":                 compile(t, system.NewAssignInstruction(mallory, alice).Build()),
		"an unknown program":            raw(mallory, []byte{1}, alice),
		"a transfer with more accounts": raw(solana.SystemProgramID, append([]byte{2, 0, 0, 0}, make([]byte, 8)...), alice, mallory, own),
		"tokens to nobody known":        compile(t, pay(own, theirs, alice)),
		"tokens to another mint":        compile(t, associated.NewCreateIdempotentInstruction(alice, mallory, usdtMint).Build(), pay(own, tokenAccount(mallory, usdtMint), alice)),
		"tokens of another":             compile(t, open, pay(theirs, own, alice)),
		"an account that is not theirs": compile(t, misdirected),
		"a delegate":                    compile(t, token.NewApproveInstruction(9, own, mallory, alice, nil).Build()),
		"a new owner":                   compile(t, token.NewSetAuthorityInstruction(token.AuthorityAccountOwner, mallory, own, alice, nil).Build()),
		"a burn":                        compile(t, token.NewBurnInstruction(9, own, usdcMint, alice, nil).Build()),
		"another account closed":        compile(t, token.NewCloseAccountInstruction(own, alice, alice, nil).Build()),
		"closed in another's favour":    compile(t, closeSOL(mallory)),
		"wrapped and not synced":        compile(t, system.NewTransferInstruction(9, alice, ownSOL).Build()),
		"a swap to nobody known":        compile(t, swapVia(p, alice, own, theirs)),
		"a swap of another's tokens":    compile(t, open, swapVia(p, alice, theirs, own)),
		"a swap with fewer accounts":    raw(p.Pool, words("swap", 1, 1), p.Pools[0].State, alice, own, ownSOL),
		"a swap with more data":         raw(p.Pool, append(words("swap", 1, 1), 0), p.Pools[0].State, alice, own, ownSOL, p.Pools[0].VaultA, p.Pools[0].VaultB, solana.TokenProgramID),
		"another pool instruction":      raw(p.Pool, words("initialize_pool", 1), alice),
		"a pool's swap at a depository": raw(p.Depository, words("swap", 1, 1), p.Pools[0].State, alice, own, ownSOL, p.Pools[0].VaultA, p.Pools[0].VaultB, solana.TokenProgramID),
		"a memo":                        compile(t, payment, solana.NewInstruction(solana.MemoProgramID, nil, []byte("hello"))),
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

func TestOnlyTheOwnersSignatureOfTheVeryTransactionPasses(t *testing.T) {
	t.Parallel()
	a, key, other := offline(t), newKey(t), newKey(t)
	wire, err := encode(key.PublicKey(), []solana.Instruction{system.NewTransferInstruction(9, key.PublicKey(), mallory).Build()}, solana.Hash{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := chain.Unsigned{From: key.PublicKey().String(), Bytes: wire}
	sign := func(key solana.PrivateKey, change func([]byte)) []byte {
		signed := bytes.Clone(wire)
		change(signed)
		copy(signed[1:], ed25519.Sign(ed25519.PrivateKey(key), signed[messageOffset:]))
		return signed
	}
	same := func([]byte) {}
	honest := sign(key, same)
	tampered := bytes.Clone(honest)
	tampered[10] ^= 1
	for name, signed := range map[string][]byte{
		"nothing":           nil,
		"no signature":      wire,
		"another's":         sign(other, same),
		"another amount":    sign(key, func(b []byte) { b[len(b)-8]++ }),
		"another signature": tampered,
		"a byte at the end": append(bytes.Clone(honest), 0),
		"two signatures":    append([]byte{2}, honest[1:]...),
	} {
		if _, err := a.CheckSigned(u, signed); fault.CodeOf(err) != fault.SignatureMismatch {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, err := a.CheckSigned(u, honest)
	if err != nil || s.Hash != solana.SignatureFromBytes(honest[1:messageOffset]).String() {
		t.Errorf("the honest one: %+v, %v", s, err)
	}
}

func FuzzDescribe(f *testing.F) {
	a, p := offline(f), localPrograms(f)
	f.Add(compile(f, system.NewTransferInstruction(9, alice, mallory).Build()))
	f.Add(compile(f, append(wrapSOL(1_000), swapVia(p, alice, tokenAccount(alice, solana.WrappedSol), tokenAccount(alice, usdcMint)), closeSOL(alice))...))
	f.Fuzz(func(t *testing.T, unsigned []byte) {
		d, err := a.describe(unsigned, nil)
		if err == nil && (len(d.Effects) == 0 || d.From == "" || len(unsigned) > mostBytes) {
			t.Errorf("%x is described as %+v", unsigned, d)
		}
	})
}
