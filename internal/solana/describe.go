package solana

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
)

// Describe decodes an unsigned Solana transaction. It asks a node only when the
// message uses lookup tables. Instructions belong to programs that it knows, each
// in a known shape, and the only signer is the fee payer; anything else is a
// fault unsafe_transaction.
//
// Wrapping coin around a pool swap is folded away: "wrap, swap, close" reads as
// one swap of SOL, also when a temporary account takes what is bought, and two
// swaps of which the second spends what the first bought read as one. Which venue programs may be called is for the caller to judge
// by Effect.Contract.
func (a *Adapter) Describe(ctx context.Context, unsigned []byte) (chain.Description, error) {
	m, err := decodeMessage(unsigned)
	if err != nil {
		return chain.Description{}, unsafe(err)
	}
	tables, err := a.tables(ctx, m.GetAddressTableLookups().GetTableIDs())
	if err != nil {
		return chain.Description{}, err
	}
	d, err := a.describe(unsigned, tables)
	if err != nil {
		return chain.Description{}, unsafe(err)
	}
	return d, nil
}

// describe is Describe without a node: the lookup tables are given.
func (a *Adapter) describe(unsigned []byte, tables map[solana.PublicKey]solana.PublicKeySlice) (chain.Description, error) {
	m, err := decodeMessage(unsigned)
	if err != nil {
		return chain.Description{}, err
	}
	if m.NumLookups() > 0 {
		if err := m.SetAddressTables(tables); err != nil {
			return chain.Description{}, fmt.Errorf("use the lookup tables: %w", err)
		}
		if err := m.ResolveLookups(); err != nil {
			return chain.Description{}, fmt.Errorf("use the lookup tables: %w", err)
		}
	}
	b, err := messageBudget(m)
	if err != nil {
		return chain.Description{}, err
	}
	steps, err := resolve(m)
	if err != nil {
		return chain.Description{}, err
	}
	r := reader{chain: a.chain, from: m.AccountKeys[0], owners: map[solana.PublicKey]holder{}}
	effects, err := r.effects(steps)
	if err != nil {
		return chain.Description{}, err
	}
	return chain.Description{
		ChainID: a.chain.ID, From: r.from.String(), MaximumFee: lamports(b.maximumFee()), Effects: effects,
	}, nil
}

func (a *Adapter) tables(ctx context.Context, named []solana.PublicKey) (map[solana.PublicKey]solana.PublicKeySlice, error) {
	if len(named) == 0 {
		return nil, nil
	}
	var tables map[solana.PublicKey]solana.PublicKeySlice
	err := a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) (err error) {
		tables, err = readTables(ctx, n, named)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("read lookup tables on %s: %w", a.chain.Name, err))
	}
	return tables, nil
}

// holder is whose a token account is, and of which mint.
type holder struct{ owner, mint solana.PublicKey }

// reader collects the effects of a transaction's instructions.
type reader struct {
	chain  catalog.Chain
	from   solana.PublicKey
	owners map[solana.PublicKey]holder // token accounts that the bytes themselves tie to an owner
	list   []entry
	// temporary is the wrapped account that the transaction makes for itself.
	temporary temporary
	// wrapping is the place in list of a coin transfer into the sender's own
	// wrapped account that no syncNative has followed yet; -1 for none.
	wrapping int
}

func (r *reader) effects(steps []step) ([]chain.Effect, error) {
	r.wrapping = -1
	for _, asset := range r.chain.Assets() {
		if !asset.Native {
			mint := solana.MustPublicKeyFromBase58(asset.Address)
			r.owners[tokenAccount(r.from, mint)] = holder{r.from, mint}
		}
	}
	for i, s := range steps {
		if err := r.read(s); err != nil {
			return nil, fmt.Errorf("instruction %d: %w", i, err)
		}
	}
	if r.wrapping >= 0 {
		return nil, errors.New("coin is sent to the wrapped account and not synced")
	}
	if !r.temporary.gone() {
		return nil, errors.New("the temporary account is not closed")
	}
	if len(r.list) == 0 {
		return nil, errors.New("the transaction does nothing")
	}
	return r.fold(), nil
}

func (r *reader) read(s step) error {
	switch s.program {
	case solana.ComputeBudget:
		return nil // messageBudget has read it
	case solana.SystemProgramID:
		return r.system(s)
	case solana.SPLAssociatedTokenAccountProgramID:
		return r.associated(s)
	case solana.TokenProgramID:
		return r.token(s)
	}
	kind, known := catalog.KindAt(r.chain.ID, s.program.String())
	switch {
	case known && kind == catalog.Pool && s.is(poolSwap):
		return r.swap(s)
	case known && kind == catalog.Depository && s.is(depositNative):
		return r.depositNative(s)
	case known && kind == catalog.Depository && s.is(depositToken):
		return r.depositToken(s)
	}
	return fmt.Errorf("it calls an unknown instruction of %s", s.program)
}

func (r *reader) add(e chain.Effect) { r.list = append(r.list, entry{Effect: e}) }

func (r *reader) addBetween(source, target solana.PublicKey, e chain.Effect) {
	r.list = append(r.list, entry{e, source, target})
}

func (r *reader) system(s step) error {
	if bytes.HasPrefix(s.data, []byte{systemCreateWithSeed, 0, 0, 0}) {
		return r.createTemporary(s)
	}
	if err := s.expect(2, 12); err != nil {
		return err
	}
	if !bytes.Equal(s.data[:4], []byte{systemTransfer, 0, 0, 0}) || s.accounts[0] != r.from {
		return errors.New("it is no transfer from the sender")
	}
	e := chain.Effect{
		Kind: chain.EffectTransfer, Asset: r.chain.TokenAddress, Amount: lamports(s.u64(4)), Recipient: s.accounts[1].String(),
	}
	if s.accounts[1] == tokenAccount(r.from, solana.WrappedSol) {
		e.Kind, e.AssetOut, e.MinimumOut, e.Recipient = chain.EffectWrap, r.chain.WrappedToken.Address, e.Amount, r.from.String()
		if r.wrapping >= 0 {
			return errors.New("coin is wrapped twice")
		}
		r.wrapping = len(r.list)
	}
	r.add(e)
	return nil
}

// associated reads the creation of a token account: payer, account, owner, mint,
// system program, token program.
func (r *reader) associated(s step) error {
	createdOld := len(s.data) == 0
	if !createdOld && (len(s.data) != 1 || s.data[0] != associatedCreate && s.data[0] != associatedCreateIdempotent) {
		return errors.New("it does not create a token account")
	}
	if err := s.expect(6, len(s.data)); err != nil {
		return err
	}
	account, owner, mint := s.accounts[1], s.accounts[2], s.accounts[3]
	if s.accounts[0] != r.from || account != tokenAccount(owner, mint) ||
		s.accounts[4] != solana.SystemProgramID || s.accounts[5] != solana.TokenProgramID {
		return errors.New("it creates another account than its owner's")
	}
	r.owners[account] = holder{owner, mint}
	r.add(chain.Effect{Kind: chain.EffectCreateAccount, Asset: mint.String(), Recipient: owner.String(), Contract: s.program.String()})
	return nil
}

func (r *reader) token(s step) error {
	if len(s.data) == 0 {
		return errors.New("it is empty")
	}
	switch s.data[0] {
	case tokenTransferChecked: // source, mint, destination, owner; amount u64, decimals u8
		if err := s.expect(4, 10); err != nil {
			return err
		}
		return r.tokenTransfer(s, s.accounts[0], s.accounts[2], s.accounts[3], s.accounts[1])
	case tokenTransfer: // source, destination, owner; amount u64
		if err := s.expect(3, 9); err != nil {
			return err
		}
		return r.tokenTransfer(s, s.accounts[0], s.accounts[1], s.accounts[2], r.owners[s.accounts[0]].mint)
	case tokenSyncNative: // account
		if err := s.expect(1, 1); err != nil {
			return err
		}
		if s.accounts[0] != tokenAccount(r.from, solana.WrappedSol) {
			return errors.New("it syncs another's account")
		}
		r.wrapping = -1
		return nil
	case tokenClose: // account, destination, owner
		if err := s.expect(3, 1); err != nil {
			return err
		}
		return r.close(s)
	case tokenInitialize3: // account, mint; owner
		if err := s.expect(2, 1+solana.PublicKeyLength); err != nil {
			return err
		}
		return r.initializeTemporary(s)
	}
	return fmt.Errorf("it is token instruction %d", s.data[0])
}

// close reads the closing of the sender's own wrapped account or of the temporary
// one, in his favour.
func (r *reader) close(s step) error {
	account := s.accounts[0]
	temporary := r.temporary.close(account)
	if !temporary && account != tokenAccount(r.from, solana.WrappedSol) || s.accounts[1] != r.from || s.accounts[2] != r.from {
		return errors.New("it closes another account than the sender's wrapped coin, or pays it to another")
	}
	if temporary {
		delete(r.owners, account)
	}
	r.addBetween(account, solana.PublicKey{}, chain.Effect{
		Kind: chain.EffectUnwrap, Asset: r.chain.WrappedToken.Address, AssetOut: r.chain.TokenAddress, Recipient: r.from.String(),
	})
	return nil
}

// tokenTransfer wants both ends tied to an owner by the bytes themselves.
func (r *reader) tokenTransfer(s step, source, target, owner, mint solana.PublicKey) error {
	to, known := r.owners[target]
	if owner != r.from || source != tokenAccount(r.from, mint) {
		return errors.New("it moves tokens from another account than the sender's")
	}
	if !known || to.mint != mint {
		return fmt.Errorf("nothing says whose account %s is", target)
	}
	r.addBetween(source, target, chain.Effect{
		Kind: chain.EffectTransfer, Asset: mint.String(), Amount: lamports(s.u64(1)), Recipient: to.owner.String(), Contract: s.program.String(),
	})
	return nil
}

// swap reads the pool program's swap: pool, user, source, target, vault in, vault
// out, token program; amount in u64, minimum out u64. The pool's own accounts are
// checked by the program.
func (r *reader) swap(s step) error {
	if err := s.expect(7, 24); err != nil {
		return err
	}
	in, fromKnown := r.owners[s.accounts[2]]
	out, toKnown := r.owners[s.accounts[3]]
	if s.accounts[1] != r.from || !fromKnown || s.accounts[2] != tokenAccount(r.from, in.mint) || !toKnown || s.accounts[6] != solana.TokenProgramID {
		return errors.New("the swap takes from or gives to an account that is not known")
	}
	r.addBetween(s.accounts[2], s.accounts[3], chain.Effect{
		Kind: chain.EffectSwap, Contract: s.program.String(), Asset: in.mint.String(), Amount: lamports(s.u64(8)),
		AssetOut: out.mint.String(), MinimumOut: lamports(s.u64(16)), Recipient: out.owner.String(),
	})
	return nil
}

// depositNative reads: state, sender, depositor, vault, system program.
func (r *reader) depositNative(s step) error {
	if err := s.expect(5, 48); err != nil {
		return err
	}
	if s.accounts[1] != r.from || s.accounts[4] != solana.SystemProgramID {
		return errors.New("the deposit is paid by another")
	}
	r.deposit(s, r.chain.TokenAddress)
	return nil
}

// depositToken reads: state, sender, depositor, vault, mint, sender's account,
// vault's account, token program, associated token program, system program.
func (r *reader) depositToken(s step) error {
	if err := s.expect(10, 48); err != nil {
		return err
	}
	mint := s.accounts[4]
	if s.accounts[1] != r.from || s.accounts[5] != tokenAccount(r.from, mint) || s.accounts[6] != tokenAccount(s.accounts[3], mint) ||
		s.accounts[7] != solana.TokenProgramID || s.accounts[8] != solana.SPLAssociatedTokenAccountProgramID || s.accounts[9] != solana.SystemProgramID {
		return errors.New("the deposit is paid by another")
	}
	r.deposit(s, mint.String())
	return nil
}

func (r *reader) deposit(s step, asset string) {
	r.add(chain.Effect{
		Kind: chain.EffectDeposit, Contract: s.program.String(), Recipient: s.program.String(), Asset: asset,
		Amount: lamports(s.u64(8)), Depositor: s.accounts[2].String(), RequestID: "0x" + hex.EncodeToString(s.data[16:48]),
	})
}
