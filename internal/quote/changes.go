package quote

import (
	"fmt"
	"math/big"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// VerifyChanges compares simulated balance changes of the sender with the offer:
// the amount leaves (of a native coin also the rent of new accounts, at most the
// one given, which may be nil), nothing else leaves, and on one chain at least
// the minimum arrives when the sender is the recipient. A disagreement is a fault
// unsafe_transaction that wraps ErrBalance.
func VerifyChanges(o Offer, changes []chain.Change, rent *big.Int) error {
	b := balances{verifier: verifier{Offer: o}, left: new(big.Int), arrived: new(big.Int), rent: rent}
	if rent == nil {
		b.rent = new(big.Int)
	}
	if err := b.compare(changes); err != nil {
		return fault.Wrap(fault.UnsafeTransaction, messageMissingData, fmt.Errorf("%w: %w", ErrBalance, err))
	}
	return nil
}

type balances struct {
	verifier
	left, arrived, rent *big.Int
}

func (b balances) compare(changes []chain.Change) error {
	for _, c := range changes {
		if c.Owner != b.Ask.User {
			continue
		}
		asset := b.coinFor(c.Asset)
		switch {
		case b.same(asset, b.Ask.From.Address):
			b.left.Sub(b.left, c.Delta)
		case !b.Ask.CrossChain() && b.same(asset, b.Ask.To.Address):
			b.arrived.Add(b.arrived, c.Delta)
		case c.Delta.Sign() < 0 && !b.isRent(c):
			return fmt.Errorf("%s of %s would leave", c.Delta, c.Asset)
		}
	}
	if err := b.checkLeft(); err != nil {
		return err
	}
	least := new(big.Int).Set(b.MinimumOut)
	if b.Ask.To.Native { // new accounts are paid for out of what arrives
		least.Sub(least, b.rent)
	}
	if !b.Ask.CrossChain() && b.Ask.Recipient == b.Ask.User && b.arrived.Cmp(least) < 0 {
		return fmt.Errorf("%s of %s would arrive instead of %s", b.arrived, b.Ask.To.Symbol, least)
	}
	return nil
}

// checkLeft wants exactly the amount. A Solana swap of SOL passes through the
// sender's wrapped account and closes it, which may also give back what was in it
// and its old rent: there the amount is the most that may leave.
func (b balances) checkLeft() error {
	most := new(big.Int).Set(b.AmountIn)
	if b.Ask.From.Native {
		most.Add(most, b.rent)
	}
	tooLittle := b.left.Cmp(b.AmountIn) < 0 && !(b.Ask.From.Native && !b.onEVM())
	if tooLittle || b.left.Cmp(most) > 0 {
		return fmt.Errorf("%s of %s would leave instead of %s", b.left, b.Ask.From.Symbol, b.AmountIn)
	}
	return nil
}

// coinFor counts wrapped SOL as SOL where a Solana swap wraps or unwraps on its
// way, that is when SOL is swapped and wrapped SOL is not.
func (b balances) coinFor(asset string) string {
	c, _ := catalog.ChainByID(b.Ask.From.ChainID)
	wrapped := c.WrappedToken.Address
	passing := !b.onEVM() && asset == wrapped && (b.Ask.From.Native || b.Ask.To.Native) &&
		b.Ask.From.Address != wrapped && b.Ask.To.Address != wrapped
	if passing {
		return c.TokenAddress
	}
	return asset
}

// isRent tells whether a change is no more than the rent of new accounts.
func (b balances) isRent(c chain.Change) bool {
	on, _ := catalog.ChainByID(b.Ask.From.ChainID)
	return b.same(c.Asset, on.TokenAddress) && new(big.Int).Neg(c.Delta).Cmp(b.rent) <= 0
}
