package venue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/relaywire"
)

const defaultSlippageBps = 50

var (
	wholeNumber   = regexp.MustCompile(`^[0-9]{1,78}$`)
	slippageDigit = regexp.MustCompile(`^[0-9]{1,5}$`)
)

// intent is a quote request that has been understood: chains and assets of the
// catalog, canonical addresses, an amount in base units.
type intent struct {
	origin, destination       *site
	in, out                   catalog.Asset
	user, recipient, refundTo string
	amount                    *big.Int
	slippageBps               int64
	overrideImpact            bool
	referrer                  string
}

func (i intent) sameChain() bool { return i.origin == i.destination }

// understand checks a request as Relay does; the first fault that is found is
// the answer.
func (v *Venue) understand(request relaywire.QuoteRequest) (intent, error) {
	if err := checkRequired(request); err != nil {
		return intent{}, err
	}
	understood := intent{overrideImpact: request.OverridePriceImpact, referrer: request.Referrer}
	if err := v.understandAssets(request, &understood); err != nil {
		return intent{}, err
	}
	if err := v.understandParties(request, &understood); err != nil {
		return intent{}, err
	}
	var err error
	if understood.slippageBps, err = slippage(request.SlippageTolerance); err != nil {
		return intent{}, err
	}
	understood.amount, err = quoteAmount(request.Amount)
	return understood, err
}

func checkRequired(request relaywire.QuoteRequest) error {
	for _, field := range []struct{ name, value string }{
		{"user", request.User},
		{"originCurrency", request.OriginCurrency},
		{"destinationCurrency", request.DestinationCurrency},
		{"amount", request.Amount},
		{"tradeType", request.TradeType},
	} {
		if field.value == "" {
			return malformed(fmt.Sprintf("body must have required property '%s'", field.name))
		}
	}
	switch request.TradeType {
	case "EXACT_INPUT":
	case "EXACT_OUTPUT", "EXPECTED_OUTPUT":
		return errTradeType
	default:
		return malformed("body/tradeType must be equal to one of the allowed values")
	}
	if len(request.Txs) > 0 {
		return errExtraTransactions
	}
	return nil
}

func (v *Venue) understandAssets(request relaywire.QuoteRequest, into *intent) error {
	var ok bool
	if into.origin, ok = v.sites[request.OriginChainID]; !ok {
		return errUnsupportedChain
	}
	if into.destination, ok = v.sites[request.DestinationChainID]; !ok {
		return errUnsupportedChain
	}
	if into.in, ok = into.origin.facts.AssetAt(request.OriginCurrency); !ok {
		return errUnsupportedToken
	}
	if into.out, ok = into.destination.facts.AssetAt(request.DestinationCurrency); !ok {
		return errUnsupportedToken
	}
	return nil
}

func (v *Venue) understandParties(request relaywire.QuoteRequest, into *intent) error {
	var ok bool
	if into.user, ok = into.origin.chain.ParseAddress(request.User); !ok {
		return invalidAddress(request.User)
	}
	recipient, refundTo := request.Recipient, request.RefundTo
	if recipient == "" {
		recipient = request.User
	}
	if into.recipient, ok = into.destination.chain.ParseAddress(recipient); !ok {
		return invalidAddress(recipient)
	}
	if refundTo == "" {
		refundTo = request.User
	}
	if into.refundTo, ok = into.origin.chain.ParseAddress(refundTo); !ok {
		return invalidAddress(refundTo)
	}
	if asset, isAsset := into.destination.facts.AssetAt(into.recipient); isAsset && !asset.Native {
		return errInvalidRecipient
	}
	return nil
}

// slippage reads the tolerance, which must be a JSON string of whole basis
// points from 0 to 10000; absent and null mean the venue's default.
func slippage(raw json.RawMessage) (int64, error) {
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return defaultSlippageBps, nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || !slippageDigit.MatchString(text) {
		return 0, errSlippage
	}
	bps, err := strconv.ParseInt(text, 10, 64)
	if err != nil || bps > 10_000 {
		return 0, errSlippage
	}
	return bps, nil
}

func quoteAmount(text string) (*big.Int, error) {
	if !wholeNumber.MatchString(text) {
		return nil, malformed(`body/amount must match pattern "^[0-9]+$"`)
	}
	value, ok := new(big.Int).SetString(text, 10)
	switch {
	case !ok || value.BitLen() > 256:
		return nil, malformed("body/amount must fit 256 bits")
	case value.Sign() == 0:
		return nil, errAmountTooLow
	}
	return value, nil
}
