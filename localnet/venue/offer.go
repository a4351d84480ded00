package venue

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"time"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/trade"
)

const (
	swapDeadline = 20 * time.Minute
	// maximumLossPercent is the loss of value beyond which a quote is refused.
	maximumLossPercent = 20
)

// offer is a trade with what it costs, before it is written in Relay's shapes.
type offer struct {
	intent
	trade       trade.Trade
	charge      pricing.Charge // zero on one chain: nothing there could collect it
	spend       *big.Int       // USDC that the solver pays into the destination's pools; nil when it pays from its inventory
	fillRoute   pricing.Route  // the destination's pools; nil likewise
	steps       []relaywire.Step
	networkFee  *big.Int // native coin of the origin chain, base units
	userBalance *big.Int
}

// offerFor works out what the user gets, from the pools as they are now.
func (v *Venue) offerFor(ctx context.Context, wanted intent) (*offer, error) {
	made := &offer{intent: wanted, charge: pricing.Charge{Execution: new(big.Rat), Service: new(big.Rat)}}
	made.trade = trade.Trade{
		User: wanted.user, Recipient: wanted.recipient, In: wanted.in, Out: wanted.out,
		AmountIn: wanted.amount, Deadline: v.now().Add(swapDeadline).Unix(),
	}
	if _, err := rand.Read(made.trade.ID[:]); err != nil {
		return nil, fmt.Errorf("make a request id: %w", err)
	}
	price := v.priceSameChain
	if !wanted.sameChain() {
		price = v.priceCrossChain
	}
	if err := price(ctx, made); err != nil {
		return nil, err
	}
	if err := v.checkWorth(made); err != nil {
		return nil, err
	}
	err := made.destination.chain.CheckRecipient(ctx, made.trade.Out, made.trade.Recipient, made.trade.MinimumOut)
	if err != nil {
		return nil, err
	}
	if made.userBalance, err = wanted.origin.chain.Balance(ctx, wanted.user, wanted.in); err != nil {
		return nil, err
	}
	made.steps, made.networkFee, err = wanted.origin.chain.Steps(ctx, made.trade)
	return made, err
}

// priceSameChain fills in operation, route and amounts of a trade on one chain.
func (v *Venue) priceSameChain(ctx context.Context, made *offer) error {
	t := &made.trade
	if v.book.Value(t.AmountIn, t.In.PriceSymbol, t.In.Decimals).Cmp(pricing.MinimumValue()) < 0 {
		return errAmountTooLow
	}
	t.Operation = sameChainOperation(*t)
	if t.Operation != trade.Swap {
		t.AmountOut, t.MinimumOut = t.AmountIn, t.AmountIn
		return made.checkParties()
	}
	pools, err := made.origin.chain.Pools(ctx)
	if err != nil {
		return err
	}
	t.Route, err = pricing.BestRoute(pools, made.origin.pooled(t.In), made.origin.pooled(t.Out), t.AmountIn)
	if err != nil {
		return err
	}
	t.AmountOut = t.Route.Out()
	t.MinimumOut = pricing.Minimum(t.AmountOut, made.slippageBps)
	return made.checkParties()
}

func sameChainOperation(t trade.Trade) string {
	switch {
	case t.In.Address == t.Out.Address:
		return trade.Send
	case t.In.PriceSymbol == t.Out.PriceSymbol && t.In.Native:
		return trade.Wrap
	case t.In.PriceSymbol == t.Out.PriceSymbol && t.Out.Native:
		return trade.Unwrap
	default:
		return trade.Swap
	}
}

// checkParties refuses what one transaction of the user cannot do: pay somebody
// else while wrapping or unwrapping, and send to oneself.
func (o *offer) checkParties() error {
	t := o.trade
	unwraps := t.Operation == trade.Unwrap || t.Operation == trade.Swap && t.Out.Native && !o.origin.facts.IsEVM
	switch {
	case t.Operation == trade.Send && t.User == t.Recipient:
		return errUnsupportedRoute
	case (t.Operation == trade.Wrap || unwraps) && t.User != t.Recipient:
		return errRecipientMismatch
	}
	return nil
}

// priceCrossChain values the input at the venue's prices, takes the fees off and
// buys the output: from the solver's inventory, or in the destination's pools.
func (v *Venue) priceCrossChain(ctx context.Context, made *offer) error {
	t := &made.trade
	t.Operation = trade.Bridge
	cost, err := made.destination.chain.PayoutCost(ctx, t.Out, t.Recipient)
	if err != nil {
		return err
	}
	native := made.destination.facts.NativeAsset()
	value := v.book.Value(t.AmountIn, t.In.PriceSymbol, t.In.Decimals)
	network := v.book.Value(cost, native.PriceSymbol, native.Decimals)
	made.charge = pricing.ChargeFor(value, network, pricing.ServiceBps(t.In.PriceSymbol, t.Out.PriceSymbol))
	payout, err := v.payout(ctx, made.destination, t.Out, value, made.charge)
	if err != nil {
		return err
	}
	t.AmountOut, made.spend, made.fillRoute = payout.amount, payout.spend, payout.route
	t.MinimumOut = pricing.Minimum(t.AmountOut, made.slippageBps)
	return v.checkInventory(ctx, made)
}

// checkInventory refuses what the solver could not pay as things are now.
func (v *Venue) checkInventory(ctx context.Context, made *offer) error {
	payment := trade.Payment{Method: trade.FromInventory, Asset: made.trade.Out, Amount: made.trade.AmountOut}
	if made.spend != nil {
		payment.Method, payment.Spend = trade.ThroughPools, made.spend
	}
	reason, err := v.inventoryReason(ctx, made.destination, payment)
	if err == nil && reason != "" {
		err = errLiquidity
	}
	return err
}

// checkWorth refuses an output of nothing, and a loss that nobody would want.
func (v *Venue) checkWorth(made *offer) error {
	t := made.trade
	if t.AmountOut.Sign() <= 0 || t.MinimumOut.Sign() <= 0 && made.slippageBps < 10_000 {
		return errAmountTooLow
	}
	in := v.book.Value(t.AmountIn, t.In.PriceSymbol, t.In.Decimals)
	in.Sub(in, made.charge.Total())
	in.Mul(in, big.NewRat(100-maximumLossPercent, 100))
	if !made.overrideImpact && v.book.Value(t.AmountOut, t.Out.PriceSymbol, t.Out.Decimals).Cmp(in) < 0 {
		return errImpact
	}
	return nil
}

// purchase is how the solver gets an output asset.
type purchase struct {
	amount *big.Int      // what the recipient gets
	spend  *big.Int      // USDC paid into pools; nil from the inventory
	route  pricing.Route // likewise
}

// payout says what is left for the recipient of value dollars after charge. It
// is asked twice: for the quote, and again when the deposit has come.
func (v *Venue) payout(ctx context.Context, at *site, out catalog.Asset, value *big.Rat, charge pricing.Charge) (purchase, error) {
	left, err := charge.After(value)
	if err != nil {
		return purchase{}, err
	}
	if at.paysFromInventory(out) {
		return purchase{amount: v.book.Units(left, out.PriceSymbol, out.Decimals)}, nil
	}
	pools, err := at.chain.Pools(ctx)
	if err != nil {
		return purchase{}, err
	}
	spend := v.book.Units(left, at.usdc.PriceSymbol, at.usdc.Decimals)
	if spend.Sign() == 0 {
		return purchase{}, pricing.ErrFeesExceedValue
	}
	route, err := pricing.BestRoute(pools, at.usdc.Address, out.Address, spend)
	if err != nil {
		return purchase{}, err
	}
	return purchase{amount: route.Out(), spend: spend, route: route}, nil
}
