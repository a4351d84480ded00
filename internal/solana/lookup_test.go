package solana

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

func TestATransactionIsImpossibleOnceItsBlockhashIsGone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: newKey(t).PublicKey().String(), Asset: b.chain.NativeAsset(), Amount: units(1e9)})
	b.must(err)
	lost := b.give(u)
	phase := func(lastValid uint64, hash string) chain.Phase {
		u := u
		u.LastValidBlockHeight = lastValid
		found, err := b.Lookup(t.Context(), u, hash)
		b.must(err)
		return found.Phase
	}
	if got := phase(u.LastValidBlockHeight, lost.Hash); got != chain.PhaseUnknown {
		t.Errorf("never sent and still valid, it is %s", got)
	}
	if got := phase(1_000, lost.Hash); got != chain.PhaseImpossible { // the local chain starts at 2,000
		t.Errorf("never sent and long expired, it is %s", got)
	}
	b.settle(u)
	if got := phase(1_000, lost.Hash); got != chain.PhaseSettled {
		t.Errorf("landed, it is %s", got)
	}
}

func TestTheSameBytesAgainAreHarmless(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	recipient := newKey(t).PublicKey().String()
	u, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: units(1e9)})
	b.must(err)
	s := b.give(u)
	for range 3 {
		b.must(b.Broadcast(t.Context(), s))
	}
	b.settle(u)
	b.must(b.Broadcast(t.Context(), s))
	if got := b.lamportsOf(recipient); got != 1e9 {
		t.Errorf("the recipient has %d", got)
	}
	again, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: units(5e8)})
	b.must(err)
	twin, err := b.BuildTransfer(t.Context(), chain.Transfer{From: b.owner, Recipient: recipient, Asset: b.chain.NativeAsset(), Amount: units(5e8)})
	b.must(err)
	if b.give(again).Hash == b.give(twin).Hash {
		t.Error("two equal payments in one slot are one transaction")
	}
}

func TestAFailingTransactionIsRefusedOrSaysWhy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	usdc := b.asset("usdc")
	b.giveTokens(usdc, 5)
	mint := solana.MustPublicKeyFromBase58(usdc.Address)
	someone := newKey(t).PublicKey()
	list := []solana.Instruction{
		associated.NewCreateIdempotentInstruction(b.key.PublicKey(), someone, mint).Build(),
		token.NewTransferCheckedInstruction(6, 6, tokenAccount(b.key.PublicKey(), mint), mint, tokenAccount(someone, mint), b.key.PublicKey(), nil).Build(),
	}
	recent, err := b.client.GetLatestBlockhash(t.Context(), rpc.CommitmentConfirmed)
	b.must(err)
	wire, err := encode(b.key.PublicKey(), list, recent.Value.Blockhash, nil)
	b.must(err)
	u := chain.Unsigned{ChainID: b.chain.ID, From: b.owner, Bytes: wire, LastValidBlockHeight: recent.Value.LastValidBlockHeight}
	if _, err := b.Simulate(t.Context(), []chain.Unsigned{u}); fault.CodeOf(err) != fault.InsufficientBalance || fault.Of(err).Message != messageNoFunds {
		t.Fatalf("its simulation gives %v", err)
	}
	s := b.give(u)
	if err := b.Broadcast(t.Context(), s); fault.CodeOf(err) != fault.BroadcastRefused || fault.Of(err).Message != messageNoFunds {
		t.Fatalf("its broadcast gives %v", err)
	}
	tx, err := solana.TransactionFromBytes(s.Bytes)
	b.must(err)
	_, err = b.client.SendTransactionWithOpts(t.Context(), tx, rpc.TransactionOpts{SkipPreflight: true})
	b.must(err)
	var found chain.Lookup
	b.until(func() bool {
		found, err = b.Lookup(t.Context(), u, s.Hash)
		b.must(err)
		return found.Phase == chain.PhaseFailed
	})
	if fault.FriendlyMessage(found.Reason) != messageNoFunds || found.Fee == nil || found.Fee.Int64() != signatureFee {
		t.Errorf("%+v", found)
	}
	for _, asset := range b.chain.Assets() {
		got, err := b.Received(t.Context(), s.Hash, b.owner, asset)
		b.must(err)
		if got.Sign() != 0 {
			t.Errorf("a failed transaction moved %s %s", got, asset.Symbol)
		}
	}
	if _, err := b.Received(t.Context(), solana.Signature{1}.String(), b.owner, usdc); !errors.Is(err, errNotIncluded) {
		t.Errorf("of an unknown transaction: %v", err)
	}
}

// A venue's request that names its accounts through a lookup table.
func TestLookupTablesAreResolved(t *testing.T) {
	t.Parallel()
	b, p := newBench(t), localPrograms(t)
	user, usdc := b.key.PublicKey(), b.asset("usdc")
	table := b.newTable(p.Pools[0].State, p.Pools[0].VaultA, p.Pools[0].VaultB, tokenAccount(user, usdcMint), tokenAccount(user, solana.WrappedSol))
	own := tokenAccount(user, solana.WrappedSol)
	swap := solana.NewInstruction(p.Pool, solana.AccountMetaSlice{
		solana.Meta(p.Pools[0].State), solana.Meta(user).SIGNER(), solana.Meta(own).WRITE(), solana.Meta(tokenAccount(user, usdcMint)).WRITE(),
		solana.Meta(p.Pools[0].VaultA).WRITE(), solana.Meta(p.Pools[0].VaultB).WRITE(), solana.Meta(solana.TokenProgramID),
	}, words("swap", 10_000_000, 1))
	request := chain.Request{From: b.owner, LookupTables: []string{table.String()}}
	for _, i := range []solana.Instruction{
		associated.NewCreateIdempotentInstruction(user, user, solana.WrappedSol).Build(),
		associated.NewCreateIdempotentInstruction(user, user, usdcMint).Build(),
		system.NewTransferInstruction(10_000_000, user, own).Build(),
		token.NewSyncNativeInstruction(own).Build(), swap,
		token.NewCloseAccountInstruction(own, user, user, nil).Build(),
	} {
		request.Instructions = append(request.Instructions, asked(t, i))
	}
	built, err := b.BuildRequest(t.Context(), request)
	b.must(err)
	if m, err := decodeMessage(built[0].Bytes); err != nil || m.NumLookups() == 0 || built[0].Rent.Int64() != tokenRent {
		t.Fatalf("no table is used, or the rent is %s: %v", built[0].Rent, err)
	}
	d, err := b.Describe(t.Context(), built[0].Bytes)
	b.must(err)
	last := d.Effects[len(d.Effects)-1]
	if len(d.Effects) != 2 || last.Kind != chain.EffectSwap || last.Asset != b.chain.TokenAddress || last.AssetOut != usdc.Address || last.Recipient != b.owner {
		t.Fatalf("described as %+v", d.Effects)
	}
	if _, err := offline(t).Describe(t.Context(), built[0].Bytes); fault.CodeOf(err) != fault.ChainUnavailable {
		t.Errorf("without a node to read the table: %v", err)
	}
	found, hash := b.settle(built[0])
	got, err := b.Received(t.Context(), hash, b.owner, usdc)
	b.must(err)
	if found.Phase != chain.PhaseSettled || got.String() != b.tokensOf(b.owner, usdc) || got.Sign() <= 0 {
		t.Errorf("received %s, %+v", got, found)
	}
	request.LookupTables = []string{b.owner}
	if _, err := b.BuildRequest(t.Context(), request); fault.CodeOf(err) != fault.UnsafeTransaction {
		t.Errorf("a table that is none: %v", err)
	}
}

// asked is an instruction in a venue's words.
func asked(t *testing.T, i solana.Instruction) chain.Instruction {
	t.Helper()
	data, err := i.Data()
	if err != nil {
		t.Fatal(err)
	}
	out := chain.Instruction{ProgramID: i.ProgramID().String(), Data: data}
	for _, m := range i.Accounts() {
		out.Accounts = append(out.Accounts, chain.InstructionAccount{Address: m.PublicKey.String(), Signer: m.IsSigner, Writable: m.IsWritable})
	}
	return out
}

// newTable makes a lookup table with the lookup table program's own instructions:
// 0 creates (slot u64, bump u8), 2 extends (count u64, addresses).
func (b bench) newTable(addresses ...solana.PublicKey) solana.PublicKey {
	b.t.Helper()
	slot, err := b.client.GetSlot(b.t.Context(), rpc.CommitmentFinalized)
	b.must(err)
	payer := local.funder.PublicKey()
	seed := binary.LittleEndian.AppendUint64(nil, slot)
	table, bump, err := solana.FindProgramAddress([][]byte{payer[:], seed}, solana.AddressLookupTableProgramID)
	b.must(err)
	accounts := solana.AccountMetaSlice{
		solana.Meta(table).WRITE(), solana.Meta(payer).SIGNER(), solana.Meta(payer).SIGNER().WRITE(), solana.Meta(solana.SystemProgramID),
	}
	create := append(append([]byte{0, 0, 0, 0}, seed...), bump)
	extend := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, uint64(len(addresses)))
	for _, a := range addresses {
		extend = append(extend, a[:]...)
	}
	b.pay(
		solana.NewInstruction(solana.AddressLookupTableProgramID, accounts, create),
		solana.NewInstruction(solana.AddressLookupTableProgramID, accounts, extend),
	)
	extended, err := b.client.GetSlot(b.t.Context(), rpc.CommitmentConfirmed)
	b.must(err)
	b.until(func() bool { // a table can be used from the slot after
		now, err := b.client.GetSlot(b.t.Context(), rpc.CommitmentConfirmed)
		return err == nil && now > extended+1
	})
	return table
}
