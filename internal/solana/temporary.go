package solana

import (
	"errors"

	"github.com/gagliardetto/solana-go"
)

// temporary is a wrapped account of the sender's that lives for one transaction:
// it takes coin that is to be unwrapped while other wrapped coin of his stays as
// it is. There is at most one. It is made, initialised, paid into and closed in
// this order, and nothing is ever paid out of it.
type temporary struct {
	account solana.PublicKey
	stage   temporaryStage
}

type temporaryStage int

const (
	temporaryNone temporaryStage = iota
	temporaryMade
	temporaryReady
	temporaryClosed
)

// gone tells whether nothing is left of it after the transaction.
func (t *temporary) gone() bool { return t.stage == temporaryNone || t.stage == temporaryClosed }

// is tells whether an account is, or was, the temporary one.
func (t *temporary) is(account solana.PublicKey) bool {
	return t.stage != temporaryNone && t.account == account
}

// close tells whether an account is the temporary one, and notes its end.
func (t *temporary) close(account solana.PublicKey) bool {
	if t.stage != temporaryReady || t.account != account {
		return false
	}
	t.stage = temporaryClosed
	return true
}

// Layout of the system program's createAccountWithSeed with a seed of full length:
// u32 kind, base, u64 length of the seed, seed, u64 lamports, u64 space, owner.
const (
	seedBaseOffset   = 4
	seedLengthOffset = 36
	seedOffset       = 44
	seedSpaceOffset  = 84
	seedOwnerOffset  = 92
	seedDataSize     = 124
	seedLength       = 32
)

// createTemporary reads the making of the temporary account: payer, account, base.
// Its address must follow from the sender, the seed and the token program, which
// also owns it. The lamports need no check: they come back when it is closed.
func (r *reader) createTemporary(s step) error {
	if err := s.expect(3, seedDataSize); err != nil {
		return err
	}
	if r.temporary.stage != temporaryNone {
		return errors.New("there is a second temporary account")
	}
	base := solana.PublicKeyFromBytes(s.data[seedBaseOffset:seedLengthOffset])
	program := solana.PublicKeyFromBytes(s.data[seedOwnerOffset:])
	if s.accounts[0] != r.from || s.accounts[2] != r.from || base != r.from || program != solana.TokenProgramID ||
		s.u64(seedLengthOffset) != seedLength || s.u64(seedSpaceOffset) != tokenAccountSize {
		return errors.New("it creates another account than a temporary one of the sender's")
	}
	account, err := solana.CreateWithSeed(base, string(s.data[seedOffset:seedOffset+seedLength]), program)
	if err != nil || account != s.accounts[1] {
		return errors.New("the temporary account has another address than its seed gives")
	}
	r.temporary = temporary{account, temporaryMade}
	return nil
}

// initializeTemporary reads how the temporary account becomes the sender's account
// of wrapped coin.
func (r *reader) initializeTemporary(s step) error {
	owner := solana.PublicKeyFromBytes(s.data[1:])
	if r.temporary.stage != temporaryMade || s.accounts[0] != r.temporary.account ||
		s.accounts[1] != solana.WrappedSol || owner != r.from {
		return errors.New("it initializes another account than the sender's temporary one")
	}
	r.temporary.stage = temporaryReady
	r.owners[r.temporary.account] = holder{r.from, solana.WrappedSol}
	return nil
}
