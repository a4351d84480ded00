package venue

import (
	"math/big"
	"strconv"
	"strings"

	"tenfold/catalog"
	"tenfold/internal/amount"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/relaywire"
)

// Seconds that the venue says a trade takes.
const (
	sameChainSeconds  = 1
	crossChainSeconds = 2
)

// answer writes an offer in Relay's shapes.
func (v *Venue) answer(o *offer) relaywire.Quote {
	return relaywire.Quote{Steps: o.steps, Fees: v.fees(o), Details: v.details(o)}
}

func (v *Venue) details(o *offer) relaywire.Details {
	t := o.trade
	in := v.book.Value(t.AmountIn, t.In.PriceSymbol, t.In.Decimals)
	out := v.book.Value(t.AmountOut, t.Out.PriceSymbol, t.Out.Decimals)
	total := new(big.Rat).Sub(out, in)
	swap := new(big.Rat).Add(total, o.charge.Total())
	details := relaywire.Details{
		Operation: t.Operation, Sender: o.origin.wireAddress(t.User), Recipient: o.destination.wireAddress(t.Recipient),
		CurrencyIn:     v.amount(t.In, t.AmountIn, t.AmountIn),
		CurrencyOut:    v.amount(t.Out, t.AmountOut, t.MinimumOut),
		RefundCurrency: v.amount(t.In, t.AmountIn, t.AmountIn),
		TotalImpact:    relaywire.Impact{USD: pricing.Dollars(total), Percent: pricing.Percent(total, in)},
		SwapImpact:     relaywire.Impact{USD: pricing.Dollars(swap), Percent: pricing.Percent(swap, in)},
		ExpandedPriceImpact: relaywire.ExpandedPriceImpact{
			Swap:      relaywire.DollarPart{USD: pricing.Dollars(swap)},
			Execution: relaywire.DollarPart{USD: pricing.Dollars(new(big.Rat).Neg(o.charge.Execution))},
			Relay:     relaywire.DollarPart{USD: pricing.Dollars(new(big.Rat).Neg(o.charge.Service))},
			App:       relaywire.DollarPart{USD: "0"}, Sponsored: relaywire.DollarPart{USD: "0"},
		},
		Rate:         pricing.Rate(t.AmountIn, t.In.Decimals, t.AmountOut, t.Out.Decimals),
		TimeEstimate: sameChainSeconds, UserBalance: o.userBalance.String(),
		SlippageTolerance: v.tolerance(o), Route: v.routes(o),
	}
	if !o.sameChain() {
		details.TimeEstimate = crossChainSeconds
	}
	return details
}

// tolerance puts the slippage on the side on which the output is bought.
func (v *Venue) tolerance(o *offer) relaywire.SlippageTolerance {
	t := o.trade
	none := relaywire.SlippagePart{USD: "0", Value: "0", Percent: "0.00"}
	loss := new(big.Int).Sub(t.AmountOut, t.MinimumOut)
	whole := v.book.Value(t.AmountOut, t.Out.PriceSymbol, t.Out.Decimals)
	dollars := v.book.Value(loss, t.Out.PriceSymbol, t.Out.Decimals)
	part := relaywire.SlippagePart{USD: pricing.Dollars(dollars), Value: loss.String(), Percent: pricing.Percent(dollars, whole)}
	tolerance := relaywire.SlippageTolerance{Total: strconv.FormatInt(o.slippageBps, 10), Origin: none, Destination: none}
	if o.sameChain() {
		tolerance.Origin = part
	} else {
		tolerance.Destination = part
	}
	return tolerance
}

func (v *Venue) routes(o *offer) relaywire.Routes {
	t := o.trade
	switch {
	case len(t.Route) > 0:
		return relaywire.Routes{Origin: &relaywire.RoutePart{
			InputCurrency: v.amount(t.In, t.AmountIn, t.AmountIn), OutputCurrency: v.amount(t.Out, t.AmountOut, t.MinimumOut),
			Router: o.origin.exchange, IncludedSwapSources: []string{o.origin.exchange},
		}}
	case len(o.fillRoute) > 0:
		return relaywire.Routes{Destination: &relaywire.RoutePart{
			InputCurrency:  v.amount(o.destination.usdc, o.spend, o.spend),
			OutputCurrency: v.amount(t.Out, t.AmountOut, t.MinimumOut),
			Router:         o.destination.exchange, IncludedSwapSources: []string{o.destination.exchange},
		}}
	default:
		return relaywire.Routes{}
	}
}

// fees are in the origin's assets: gas in the native coin, since the user pays
// it there, and the venue's own in the input, since they are taken from it.
func (v *Venue) fees(o *offer) relaywire.Fees {
	t, native := o.trade, o.origin.facts.NativeAsset()
	inInput := func(dollars *big.Rat) relaywire.Amount {
		units := v.book.Units(dollars, t.In.PriceSymbol, t.In.Decimals)
		fee := v.amount(t.In, units, units)
		fee.AmountUSD = pricing.Dollars(dollars)
		return fee
	}
	return relaywire.Fees{
		Gas:        v.amount(native, o.networkFee, o.networkFee),
		Relayer:    inInput(o.charge.Total()),
		RelayerGas: inInput(o.charge.Execution), RelayerService: inInput(o.charge.Service),
		App: inInput(new(big.Rat)), Subsidized: inInput(new(big.Rat)),
	}
}

func (v *Venue) amount(asset catalog.Asset, units, minimum *big.Int) relaywire.Amount {
	return relaywire.Amount{
		Currency: v.currency(asset), Amount: units.String(), AmountFormatted: amount.Format(units, asset.Decimals),
		AmountUSD:     pricing.Dollars(v.book.Value(units, asset.PriceSymbol, asset.Decimals)),
		MinimumAmount: minimum.String(),
	}
}

func (v *Venue) currency(asset catalog.Asset) relaywire.Currency {
	at := v.byChain[asset.ChainID]
	return relaywire.Currency{
		ChainID: at.venueID, Address: at.wireAddress(asset.Address), Symbol: asset.Symbol, Name: asset.Name, Decimals: asset.Decimals,
		Metadata: relaywire.Metadata{LogoURI: asset.Icon, Verified: true, IsNative: asset.Native},
	}
}

// wireAddress is an address as the API writes it: lower case on EVM chains.
func (s *site) wireAddress(address string) string {
	if s.facts.IsEVM {
		return strings.ToLower(address)
	}
	return address
}
