package quote

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

const messageMissingData = "Missing required data, aborting swap" // specification, section 8

// furthestDeadline bounds how long a signed swap may wait for a better moment to
// be carried out at its minimum. Venues set about 20 minutes.
const furthestDeadline = time.Hour

const wholeBps = 10_000

// Verify checks decoded transactions against the offer that they are to carry
// out: chain, sender, recipient, assets, amounts, contracts and spenders (only
// the venue's own in the catalog), exact approvals, minimum, deadline, the
// order's id, and that nothing else happens. It is pure; descriptions are
// positional with o.Steps. Any disagreement is a fault unsafe_transaction that
// wraps one of the errors above.
func Verify(o Offer, descriptions []chain.Description, now time.Time) error {
	v := verifier{Offer: o, now: now}
	if err := v.verify(descriptions); err != nil {
		return fault.Wrap(fault.UnsafeTransaction, messageMissingData, err)
	}
	return nil
}

type verifier struct {
	Offer
	now time.Time
	// spender is the contract that the last step calls: the only one that may be
	// approved.
	spender string
}

func (v verifier) verify(descriptions []chain.Description) error {
	if err := v.itself(); err != nil {
		return err
	}
	if len(descriptions) != len(v.Steps) || len(v.Steps) == 0 {
		return fmt.Errorf("%w: %d transactions for %d steps", ErrSteps, len(descriptions), len(v.Steps))
	}
	from := v.Ask.From.ChainID
	for i, d := range descriptions {
		if d.ChainID != from || v.Steps[i].ChainID != from {
			return fmt.Errorf("%w: %d instead of %d", ErrChain, d.ChainID, from)
		}
		if d.From != "" && d.From != v.Ask.User {
			return fmt.Errorf("%w: %s", ErrSender, d.From)
		}
	}
	last := len(descriptions) - 1
	main := StepSwap
	if v.Ask.CrossChain() {
		main = StepDeposit
	}
	if v.Steps[last].Kind != main {
		return fmt.Errorf("%w: they end with %q", ErrSteps, v.Steps[last].Kind)
	}
	contract, err := v.main(descriptions[last].Effects)
	if err != nil {
		return err
	}
	v.spender = contract
	return v.approvals(descriptions[:last])
}

// itself checks that the offer answers its ask.
func (v verifier) itself() error {
	for _, amount := range []*big.Int{v.Ask.Amount, v.AmountIn, v.AmountOut, v.MinimumOut} {
		if amount == nil || amount.Sign() <= 0 {
			return fmt.Errorf("%w: an amount is missing or zero", ErrOfferItself)
		}
	}
	if v.AmountIn.Cmp(v.Ask.Amount) != 0 {
		return fmt.Errorf("%w: it takes %s instead of %s", ErrAmount, v.AmountIn, v.Ask.Amount)
	}
	if v.MinimumOut.Cmp(v.AmountOut) > 0 {
		return fmt.Errorf("%w: the minimum is above what is expected", ErrOfferItself)
	}
	// A venue may round the minimum down by one unit.
	least := new(big.Int).Mul(v.AmountOut, big.NewInt(wholeBps-v.Ask.SlippageBps))
	least.Div(least, big.NewInt(wholeBps)).Sub(least, big.NewInt(1))
	if v.MinimumOut.Cmp(least) < 0 {
		return fmt.Errorf("%w: %s of %s is more slippage than %d bps", ErrMinimum, v.MinimumOut, v.AmountOut, v.Ask.SlippageBps)
	}
	return nil
}

// main checks the effects of the transaction that swaps or deposits and gives the
// contract that it calls. Beside its one main effect it may only open token
// accounts of the two assets for the sender and the recipient, and the sender's
// of the asset between two pools.
func (v verifier) main(effects []chain.Effect) (contract string, err error) {
	var found *chain.Effect
	var opened []chain.Effect
	for i, e := range effects {
		if e.Kind == chain.EffectCreateAccount {
			opened = append(opened, e)
			continue
		}
		if found != nil {
			return "", fmt.Errorf("%w: a %s after a %s", ErrExtra, e.Kind, found.Kind)
		}
		found = &effects[i]
	}
	if found == nil {
		return "", fmt.Errorf("%w: %w", ErrSteps, errNoSuchEffect)
	}
	for _, e := range opened {
		if err := v.opened(e, found.Via); err != nil {
			return "", err
		}
	}
	return found.Contract, v.judge(*found)
}

func (v verifier) judge(e chain.Effect) error {
	if !v.same(e.Asset, v.Ask.From.Address) {
		return fmt.Errorf("%w: %s leaves", ErrAsset, e.Asset)
	}
	if e.Amount == nil || e.Amount.Cmp(v.AmountIn) != 0 {
		return fmt.Errorf("%w: %s instead of %s", ErrAmount, e.Amount, v.AmountIn)
	}
	switch {
	case v.Ask.CrossChain() && e.Kind == chain.EffectDeposit:
		return v.deposit(e)
	case !v.Ask.CrossChain() && e.Kind == chain.EffectSwap:
		return v.swap(e)
	case !v.Ask.CrossChain() && (e.Kind == chain.EffectWrap || e.Kind == chain.EffectUnwrap):
		return v.wrap(e)
	}
	return fmt.Errorf("%w: it is a %s", ErrSteps, e.Kind)
}

func (v verifier) deposit(e chain.Effect) error {
	if !v.allows(e.Contract, catalog.Depository) {
		return fmt.Errorf("%w: %s", ErrContract, e.Contract)
	}
	if e.Depositor != v.Ask.User {
		return fmt.Errorf("%w: %s", ErrDepositor, e.Depositor)
	}
	if !strings.EqualFold(e.RequestID, v.RequestID) {
		return fmt.Errorf("%w: %s instead of %s", ErrOrder, e.RequestID, v.RequestID)
	}
	return nil
}

func (v verifier) swap(e chain.Effect) error {
	if !v.allows(e.Contract, catalog.Router, catalog.Pool) {
		return fmt.Errorf("%w: %s", ErrContract, e.Contract)
	}
	if e.Recipient != v.Ask.Recipient {
		return fmt.Errorf("%w: %s", ErrRecipient, e.Recipient)
	}
	if err := v.arrives(e); err != nil {
		return err
	}
	if e.Deadline == 0 { // Solana's end with their blockhash
		if v.onEVM() {
			return fmt.Errorf("%w: there is none", ErrDeadline)
		}
		return nil
	}
	ends := time.Unix(e.Deadline, 0)
	if !ends.After(v.now) || ends.After(v.now.Add(furthestDeadline)) {
		return fmt.Errorf("%w: %s", ErrDeadline, ends.UTC())
	}
	return nil
}

// wrap has no venue contract: the coin's own wrapped token, which the decoder has
// checked, gives to the sender and to nobody else.
func (v verifier) wrap(e chain.Effect) error {
	if v.Ask.Recipient != v.Ask.User || e.Recipient != "" && e.Recipient != v.Ask.User {
		return fmt.Errorf("%w: a wrap can't pay another", ErrRecipient)
	}
	return v.arrives(e)
}

func (v verifier) arrives(e chain.Effect) error {
	if !v.same(e.AssetOut, v.Ask.To.Address) {
		return fmt.Errorf("%w: %s arrives", ErrAsset, e.AssetOut)
	}
	if e.MinimumOut == nil || e.MinimumOut.Cmp(v.MinimumOut) < 0 {
		return fmt.Errorf("%w: %s instead of %s", ErrMinimum, e.MinimumOut, v.MinimumOut)
	}
	return nil
}

func (v verifier) opened(e chain.Effect, via string) error {
	if via != "" && e.Asset == via && e.Recipient == v.Ask.User {
		return nil
	}
	from, to := v.Ask.From, v.Ask.To
	chainOf, _ := catalog.ChainByID(from.ChainID)
	mine := e.Asset == from.Address || e.Asset == to.Address || e.Asset == chainOf.WrappedToken.Address
	if !mine || e.Recipient != v.Ask.User && e.Recipient != v.Ask.Recipient {
		return fmt.Errorf("%w: it opens an account of %s for %s", ErrExtra, e.Asset, e.Recipient)
	}
	return nil
}

// approvals checks what comes before the main step: one approval of exactly the
// amount, after one of zero where the token wants that.
func (v verifier) approvals(descriptions []chain.Description) error {
	for i, d := range descriptions {
		if v.Steps[i].Kind != StepApprove || len(d.Effects) == 0 {
			return fmt.Errorf("%w: step %d is no approval", ErrSteps, i)
		}
		if len(d.Effects) > 1 {
			return fmt.Errorf("%w: beside an approval", ErrExtra)
		}
		e := d.Effects[0]
		if e.Kind != chain.EffectApprove || v.Ask.From.Native {
			return fmt.Errorf("%w: step %d is a %s", ErrSteps, i, e.Kind)
		}
		if !v.same(e.Asset, v.Ask.From.Address) {
			return fmt.Errorf("%w: an approval of %s", ErrAsset, e.Asset)
		}
		if !v.allows(e.Spender, catalog.Router, catalog.Depository) || !v.same(e.Spender, v.spender) {
			return fmt.Errorf("%w: %s", ErrSpender, e.Spender)
		}
		if e.Amount == nil {
			return fmt.Errorf("%w: no amount is known", ErrApproval)
		}
		final := i == len(descriptions)-1
		reset := !final && v.Ask.From.ResetAllowance && e.Amount.Sign() == 0
		if !reset && (!final || e.Amount.Cmp(v.AmountIn) != 0) {
			return fmt.Errorf("%w: %s instead of %s", ErrApproval, e.Amount, v.AmountIn)
		}
	}
	return nil
}

func (v verifier) allows(address string, kinds ...catalog.ContractKind) bool {
	c, known := catalog.ContractOf(v.Venue, v.Ask.From.ChainID, address)
	if !known {
		return false
	}
	for _, kind := range kinds {
		if c.Kind == kind {
			return true
		}
	}
	return false
}

func (v verifier) onEVM() bool { return v.Ask.From.ChainID != catalog.SolanaChainID }

func (v verifier) same(x, y string) bool {
	c, known := catalog.ChainByID(v.Ask.From.ChainID)
	return known && c.SameAddress(x, y)
}
