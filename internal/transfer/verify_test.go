package transfer

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
)

const (
	sender    = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
	recipient = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
	stranger  = "4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA"
)

func solana(t *testing.T) (catalog.Chain, catalog.Asset) {
	t.Helper()
	c, _ := catalog.ChainByID(catalog.SolanaChainID)
	for _, a := range c.Assets() {
		if a.Symbol == "USDC" {
			return c, a
		}
	}
	t.Fatal("no USDC on Solana")
	return catalog.Chain{}, catalog.Asset{}
}

// honest is a token payment that opens the recipient's account.
func honest(t *testing.T) (chain.Transfer, chain.Unsigned, chain.Description) {
	t.Helper()
	c, usdc := solana(t)
	pay := chain.Transfer{From: sender, Recipient: recipient, Asset: usdc, Amount: big.NewInt(500)}
	return pay, chain.Unsigned{ChainID: c.ID, From: sender, MaximumFee: big.NewInt(5000), Rent: big.NewInt(2_039_280)},
		chain.Description{
			ChainID: c.ID, From: sender, MaximumFee: big.NewInt(5000),
			Effects: []chain.Effect{
				{Kind: chain.EffectCreateAccount, Asset: usdc.Address, Recipient: recipient},
				{Kind: chain.EffectTransfer, Asset: usdc.Address, Amount: big.NewInt(500), Recipient: recipient},
			},
		}
}

// TestVerify bends one fact of the decoded bytes at a time.
func TestVerify(t *testing.T) {
	t.Parallel()
	c, _ := solana(t)
	pay, u, d := honest(t)
	if err := verify(c, pay, u, d); err != nil {
		t.Fatalf("an honest payment: %v", err)
	}
	d.Effects = d.Effects[1:]
	if err := verify(c, pay, u, d); err != nil {
		t.Fatalf("without an account to open: %v", err)
	}
	for name, bend := range map[string]func(*chain.Unsigned, *chain.Description){
		"another chain":               func(_ *chain.Unsigned, d *chain.Description) { d.ChainID = 1 },
		"another signer":              func(_ *chain.Unsigned, d *chain.Description) { d.From = stranger },
		"another one to sign":         func(u *chain.Unsigned, _ *chain.Description) { u.From = stranger },
		"a higher fee":                func(_ *chain.Unsigned, d *chain.Description) { d.MaximumFee = big.NewInt(5001) },
		"no known fee":                func(_ *chain.Unsigned, d *chain.Description) { d.MaximumFee = nil },
		"another asset":               func(_ *chain.Unsigned, d *chain.Description) { d.Effects[1].Asset = c.TokenAddress },
		"another amount":              func(_ *chain.Unsigned, d *chain.Description) { d.Effects[1].Amount = big.NewInt(501) },
		"no amount":                   func(_ *chain.Unsigned, d *chain.Description) { d.Effects[1].Amount = nil },
		"another recipient":           func(_ *chain.Unsigned, d *chain.Description) { d.Effects[1].Recipient = stranger },
		"an approval":                 func(_ *chain.Unsigned, d *chain.Description) { d.Effects[1].Kind = chain.EffectApprove },
		"an account for another":      func(_ *chain.Unsigned, d *chain.Description) { d.Effects[0].Recipient = stranger },
		"an account of another token": func(_ *chain.Unsigned, d *chain.Description) { d.Effects[0].Asset = c.WrappedToken.Address },
		"an approval before":          func(_ *chain.Unsigned, d *chain.Description) { d.Effects[0].Kind = chain.EffectApprove },
		"a second payment":            func(_ *chain.Unsigned, d *chain.Description) { d.Effects = append(d.Effects, d.Effects[1]) },
		"nothing":                     func(_ *chain.Unsigned, d *chain.Description) { d.Effects = nil },
		"only an account":             func(_ *chain.Unsigned, d *chain.Description) { d.Effects = d.Effects[:1] },
		"two accounts and a payment":  func(_ *chain.Unsigned, d *chain.Description) { d.Effects = append(d.Effects[:1], d.Effects...) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pay, u, d := honest(t)
			bend(&u, &d)
			if err := verify(c, pay, u, d); err == nil {
				t.Error("it was let through")
			}
		})
	}
}

// simulating is a chain of which only a simulation is asked.
type simulating struct {
	chain.Adapter
	chain   catalog.Chain
	changes []chain.Change
	err     error
}

func (s simulating) Chain() catalog.Chain { return s.chain }

func (s simulating) Simulate(context.Context, []chain.Unsigned) ([]chain.Change, error) {
	return s.changes, s.err
}

func TestSimulation(t *testing.T) {
	t.Parallel()
	c, usdc := solana(t)
	change := func(owner, asset string, delta int64) chain.Change {
		return chain.Change{Owner: owner, Asset: asset, Delta: big.NewInt(delta)}
	}
	token, rent := change(sender, usdc.Address, -500), change(sender, c.TokenAddress, -2_039_280)
	for name, one := range map[string]struct {
		changes []chain.Change
		err     error
		want    movement.Simulation
		code    fault.Code
	}{
		"as asked":                    {[]chain.Change{token, rent, change(recipient, usdc.Address, 500)}, nil, movement.SimulationMatches, ""},
		"the account is there by now": {[]chain.Change{token}, nil, movement.SimulationMatches, ""},
		"the node can't":              {nil, chain.ErrSimulationUnavailable, movement.SimulationUnavailable, ""},
		"more leaves":                 {[]chain.Change{change(sender, usdc.Address, -501), rent}, nil, "", fault.UnsafeTransaction},
		"less leaves":                 {[]chain.Change{change(sender, usdc.Address, -499), rent}, nil, "", fault.UnsafeTransaction},
		"nothing leaves":              {nil, nil, "", fault.UnsafeTransaction},
		"more than the rent leaves":   {[]chain.Change{token, change(sender, c.TokenAddress, -2_039_281)}, nil, "", fault.UnsafeTransaction},
		"another token leaves":        {[]chain.Change{token, change(sender, c.WrappedToken.Address, -1)}, nil, "", fault.UnsafeTransaction},
		"the node is down":            {nil, fault.New(fault.ChainUnavailable, "down"), "", fault.ChainUnavailable},
		"it fails":                    {nil, fault.Wrap(fault.SimulationFailed, "no", errors.New("reverted")), "", fault.SimulationFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pay, u, _ := honest(t)
			got, err := simulate(t.Context(), simulating{chain: c, changes: one.changes, err: one.err}, pay, u)
			if got != one.want || fault.CodeOf(err) != one.code {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
