package relay

import (
	"math/big"
	"strings"

	"tenfold/internal/quote"
)

// addFees lists the network's fee on the origin chain and what the venue keeps.
// "relayer" is the sum of the venue's two parts, which are listed when both are
// there. A fee in an asset that the catalog does not know counts in the sum only.
func (a quoteAnswer) addFees(o *quote.Offer) {
	venue := []amountOf{a.Fees.RelayerGas, a.Fees.RelayerService}
	if venue[0].Amount == "" || venue[1].Amount == "" {
		venue = []amountOf{a.Fees.Relayer}
	}
	total, complete := new(big.Rat), true
	add := func(kind quote.FeeKind, fee amountOf) {
		amount, err := fee.Amount.integer()
		if err != nil || amount.Sign() == 0 {
			return
		}
		usd := fee.usd()
		if value, ok := new(big.Rat).SetString(usd); ok && usd != "" {
			total.Add(total, value)
		} else {
			complete = false
		}
		if asset, known := assetOf(fee.Currency); known {
			o.Fees = append(o.Fees, quote.Fee{Kind: kind, Asset: asset, Amount: amount, USD: usd})
		}
	}
	add(quote.FeeNetwork, a.Fees.Gas)
	for _, fee := range append(venue, a.Fees.App) {
		add(quote.FeeVenue, fee)
	}
	if complete {
		o.FeesUSD = plain(total)
	}
}

// plain writes a value with up to six decimals, as Relay does.
func plain(v *big.Rat) string {
	text := v.FloatString(6)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// wholeSeconds rounds a decimal of seconds up; zero for nonsense.
func wholeSeconds(text string) int64 {
	v, ok := new(big.Rat).SetString(text)
	if !ok || v.Sign() < 0 {
		return 0
	}
	up := new(big.Int).Div(new(big.Int).Add(v.Num(), new(big.Int).Sub(v.Denom(), big.NewInt(1))), v.Denom())
	if !up.IsInt64() {
		return 0
	}
	return up.Int64()
}
