package transfer

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"tenfold/catalog"
	"tenfold/internal/amount"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
)

// Messages for a person, of the specification's sections 5 and 8.
const (
	messageAsset        = "Please select an asset"
	messageAmount       = "Please enter a valid amount"
	messageRecipient    = "Please enter a valid recipient address"
	messageSelfTransfer = "Self-transfers within the same chain are not allowed."
	messageBalance      = "Insufficient balance"
	messageUnsafe       = "The built transaction does not say what was asked. Nothing was signed."
)

// Addresses finds a person's address on a chain.
type Addresses interface {
	AddressOn(ctx context.Context, organizationID string, c catalog.Chain) (string, error)
}

// Chains finds the adapter of a chain.
type Chains interface {
	Adapter(chainID int64) (chain.Adapter, bool)
}

// Service prepares payments.
type Service struct {
	addresses Addresses
	chains    Chains
	now       func() time.Time
	valid     time.Duration
}

// New makes the service.
func New(addresses Addresses, chains Chains, now func() time.Time) *Service {
	valid := time.Duration(catalog.CurrentLimits().Draft.ValidMs) * time.Millisecond
	return &Service{addresses: addresses, chains: chains, now: now, valid: valid}
}

// Draft checks the request, builds the transaction, decodes it again and
// simulates it. Faults: unsupported_chain, unsupported_asset, invalid_address,
// invalid_amount, amount_zero, self_transfer, insufficient_balance,
// unsafe_transaction, simulation_failed, chain_unavailable.
func (s *Service) Draft(ctx context.Context, organizationID string, r Request) (movement.Draft, error) {
	adapter, t, err := s.check(ctx, organizationID, r)
	if err != nil {
		return movement.Draft{}, err
	}
	held, err := adapter.Balances(ctx, t.From, []catalog.Asset{t.Asset})
	if err != nil {
		return movement.Draft{}, err
	}
	if held[0].Cmp(t.Amount) < 0 {
		return movement.Draft{}, fault.New(fault.InsufficientBalance, messageBalance)
	}
	u, err := adapter.BuildTransfer(ctx, t)
	if err != nil {
		return movement.Draft{}, explain(ctx, adapter, t, err)
	}
	d, err := adapter.Describe(ctx, u.Bytes)
	if err != nil {
		return movement.Draft{}, err
	}
	if err := verify(adapter.Chain(), t, u, d); err != nil {
		return movement.Draft{}, fault.Wrap(fault.UnsafeTransaction, messageUnsafe, err)
	}
	simulated, err := simulate(ctx, adapter, t, u)
	if err != nil {
		return movement.Draft{}, err
	}
	return movement.Draft{
		Kind:      movement.KindTransfer,
		From:      movement.From{Asset: t.Asset, Owner: t.From, Amount: t.Amount},
		To:        movement.To{Asset: t.Asset, Recipient: t.Recipient},
		Simulated: simulated,
		Steps:     []movement.DraftStep{{Kind: movement.StepTransfer, Unsigned: u}},
		ExpiresAt: s.now().Truncate(time.Millisecond).Add(s.valid),
	}, nil
}

// explain finds the plain reason behind a node's refusal to estimate: an amount
// that leaves nothing for the fee.
func explain(ctx context.Context, adapter chain.Adapter, t chain.Transfer, refusal error) error {
	if fault.CodeOf(refusal) != fault.SimulationFailed {
		return refusal
	}
	most, _, _, err := adapter.MaximumTransfer(ctx, t.From, t.Recipient, t.Asset)
	if err == nil && most.Cmp(t.Amount) < 0 {
		return fault.Wrap(fault.InsufficientBalance, messageBalance, refusal)
	}
	return refusal
}

// check turns a request into a payment: asset, recipient, amount, in the order
// in which a person fills them in.
func (s *Service) check(ctx context.Context, organizationID string, r Request) (chain.Adapter, chain.Transfer, error) {
	adapter, asset, err := s.asset(r.ChainID, r.Asset)
	if err != nil {
		return nil, chain.Transfer{}, err
	}
	if r.Recipient == "" {
		return nil, chain.Transfer{}, fault.New(fault.InvalidAddress, messageRecipient)
	}
	recipient, err := adapter.ParseAddress(r.Recipient)
	if err != nil {
		return nil, chain.Transfer{}, err
	}
	units, err := amount.FromBaseUnits(r.Amount)
	if err != nil {
		return nil, chain.Transfer{}, fault.Wrap(fault.InvalidAmount, messageAmount, err)
	}
	if units.Sign() == 0 {
		return nil, chain.Transfer{}, fault.New(fault.AmountZero, messageAmount)
	}
	from, err := s.addresses.AddressOn(ctx, organizationID, adapter.Chain())
	if err != nil {
		return nil, chain.Transfer{}, err
	}
	if adapter.Chain().SameAddress(from, recipient) {
		return nil, chain.Transfer{}, fault.New(fault.SelfTransfer, messageSelfTransfer)
	}
	return adapter, chain.Transfer{From: from, Recipient: recipient, Asset: asset, Amount: units}, nil
}

func (s *Service) asset(chainID int64, address string) (chain.Adapter, catalog.Asset, error) {
	adapter, ok := s.chains.Adapter(chainID)
	if !ok {
		return nil, catalog.Asset{}, fault.New(fault.UnsupportedChain, messageAsset)
	}
	asset, ok := adapter.Chain().AssetAt(address)
	if !ok {
		return nil, catalog.Asset{}, fault.New(fault.UnsupportedAsset, messageAsset)
	}
	return adapter, asset, nil
}

// verify compares what the bytes say with what was asked: one payment, at most
// preceded by the opening of the recipient's own account.
func verify(c catalog.Chain, t chain.Transfer, u chain.Unsigned, d chain.Description) error {
	if d.ChainID != c.ID || u.ChainID != c.ID {
		return fmt.Errorf("it is for chain %d", d.ChainID)
	}
	if u.From != t.From || d.From != "" && d.From != t.From {
		return fmt.Errorf("%s would sign instead of %s", d.From, t.From)
	}
	if d.MaximumFee == nil || u.MaximumFee == nil || d.MaximumFee.Cmp(u.MaximumFee) > 0 {
		return errors.New("it can cost more than was said")
	}
	effects := d.Effects
	if len(effects) == 2 && effects[0].Kind == chain.EffectCreateAccount {
		if effects[0].Recipient != t.Recipient || effects[0].Asset != t.Asset.Address {
			return fmt.Errorf("it opens an account of %s", effects[0].Recipient)
		}
		effects = effects[1:]
	}
	if len(effects) != 1 || effects[0].Kind != chain.EffectTransfer {
		return fmt.Errorf("it has %d effects, not one payment", len(effects))
	}
	e := effects[0]
	switch {
	case !c.SameAddress(e.Asset, t.Asset.Address):
		return fmt.Errorf("it pays in %s", e.Asset)
	case e.Amount == nil || e.Amount.Cmp(t.Amount) != 0:
		return fmt.Errorf("it pays %v", e.Amount)
	case !c.SameAddress(e.Recipient, t.Recipient):
		return fmt.Errorf("it pays %s", e.Recipient)
	}
	return nil
}

// simulate runs the transaction and compares what leaves the sender with what
// was asked. A node that can't simulate is told, not taken for agreement.
func simulate(ctx context.Context, adapter chain.Adapter, t chain.Transfer, u chain.Unsigned) (movement.Simulation, error) {
	changes, err := adapter.Simulate(ctx, []chain.Unsigned{u})
	if errors.Is(err, chain.ErrSimulationUnavailable) {
		return movement.SimulationUnavailable, nil
	}
	if err != nil {
		return "", err
	}
	c := adapter.Chain()
	native, left := new(big.Int), new(big.Int)
	for _, change := range changes {
		switch {
		case !c.SameAddress(change.Owner, t.From):
		case c.SameAddress(change.Asset, t.Asset.Address):
			left.Sub(left, change.Delta)
		case c.SameAddress(change.Asset, c.TokenAddress):
			native.Sub(native, change.Delta)
		default:
			return "", mismatch(fmt.Errorf("it also moves %s of %s", change.Delta, change.Asset))
		}
	}
	rent := new(big.Int)
	if u.Rent != nil {
		rent = u.Rent
	}
	extra := new(big.Int).Sub(left, t.Amount)
	if !t.Asset.Native && extra.Sign() != 0 || extra.Sign() < 0 || extra.Cmp(rent) > 0 {
		return "", mismatch(fmt.Errorf("%s would leave instead of %s", left, t.Amount))
	}
	if native.Cmp(rent) > 0 {
		return "", mismatch(fmt.Errorf("%s of the native coin would leave", native))
	}
	return movement.SimulationMatches, nil
}

func mismatch(cause error) error {
	return fault.Wrap(fault.UnsafeTransaction, messageUnsafe, fmt.Errorf("simulation: %w", cause))
}

// Maximum is what can be sent after the worst fee and rent are kept back.
func (s *Service) Maximum(ctx context.Context, organizationID string, r MaximumRequest) (Maximum, error) {
	adapter, asset, err := s.asset(r.ChainID, r.Asset)
	if err != nil {
		return Maximum{}, err
	}
	recipient := r.Recipient
	if recipient != "" {
		if recipient, err = adapter.ParseAddress(r.Recipient); err != nil {
			return Maximum{}, err
		}
	}
	from, err := s.addresses.AddressOn(ctx, organizationID, adapter.Chain())
	if err != nil {
		return Maximum{}, err
	}
	most, fee, rent, err := adapter.MaximumTransfer(ctx, from, recipient, asset)
	if err != nil {
		return Maximum{}, err
	}
	m := Maximum{Amount: most, Fee: fee, Rent: rent}
	if m.Fee == nil {
		m.Fee = new(big.Int)
	}
	if m.Rent == nil {
		m.Rent = new(big.Int)
	}
	return m, nil
}
