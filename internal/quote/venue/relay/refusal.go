package relay

import (
	"encoding/json"
	"fmt"
	"net/http"

	"tenfold/internal/fault"
)

// Sentences of the specification, section 8, and where it has none our own.
const (
	messageNoRoute     = "No valid swap route found. Please try again with different tokens."
	messageTooLow      = "The input amount is too small. Please increase the amount to execute the order"
	messageLiquidity   = "The amount you are trying to swap is higher than the available liquidity. Please try again with a smaller amount."
	messageNoFunds     = "Insufficient balance"
	messageBadPair     = "The specified amount is invalid or the recipient address is incorrect."
	messageMissingData = "Missing required data, aborting swap"
	messageUnavailable = "The swap venue can't be reached right now. Nothing was signed. Please try again in a moment."
	messageBusy        = "There are too many requests right now. Please try again in a moment."
)

type reaction struct {
	code    fault.Code
	message string
}

var (
	noRoute   = reaction{fault.NoRoute, messageNoRoute}
	tooLow    = reaction{fault.AmountTooLow, messageTooLow}
	tooMuch   = reaction{fault.LiquidityExceeded, messageLiquidity}
	badPair   = reaction{fault.InvalidAddress, messageBadPair}
	transient = reaction{fault.VenueUnavailable, messageUnavailable}
)

// reactions are Relay's quote error codes (reference: its errors page). A code
// that is not here is judged by its text.
var reactions = map[string]reaction{
	"AMOUNT_TOO_LOW":                 tooLow,
	"INSUFFICIENT_FUNDS":             {fault.InsufficientBalance, messageNoFunds},
	"INSUFFICIENT_LIQUIDITY":         tooMuch,
	"SWAP_IMPACT_TOO_HIGH":           tooMuch,
	"INVALID_ADDRESS":                badPair,
	"INVALID_RECIPIENT":              badPair,
	"USER_RECIPIENT_MISMATCH":        badPair,
	"CHAIN_DISABLED":                 noRoute,
	"UNSUPPORTED_CHAIN":              noRoute,
	"INVALID_INPUT_CURRENCY":         noRoute,
	"INVALID_OUTPUT_CURRENCY":        noRoute,
	"UNSUPPORTED_CURRENCY":           noRoute,
	"NO_SWAP_ROUTES_FOUND":           noRoute,
	"NO_INTERNAL_SWAP_ROUTES_FOUND":  noRoute,
	"NO_QUOTES":                      noRoute,
	"UNSUPPORTED_ROUTE":              noRoute,
	"ROUTE_TEMPORARILY_RESTRICTED":   noRoute,
	"SOLANA_TX_TOO_LARGE":            noRoute,
	"DESTINATION_TX_FAILED":          noRoute,
	"SANCTIONED_CURRENCY":            noRoute,
	"SANCTIONED_WALLET_ADDRESS":      noRoute,
	"UNAUTHORIZED":                   transient,
	"FORBIDDEN":                      transient,
	"PRICE_FETCH_FAILED":             transient,
	"SERVICE_UNAVAILABLE":            transient,
	"REQUEST_TIMED_OUT":              transient,
	"RPC_HTTP_ERROR":                 transient,
	"ERC20_ROUTER_ADDRESS_NOT_FOUND": noRoute,
}

// refusal turns an answer that is not 200 into a fault: the code first, then the
// status, then the text.
func refusal(status int, raw []byte) error {
	var body struct {
		Message   string `json:"message"`
		ErrorCode string `json:"errorCode"`
		Error     string `json:"error"` // the price endpoint's word for message
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return unavailable(fmt.Errorf("status %d without a readable body", status))
	}
	text := body.Message
	if text == "" {
		text = body.Error
	}
	cause := fmt.Errorf("relay: status %d, code %q: %s", status, body.ErrorCode, text)
	if r, known := reactions[body.ErrorCode]; known {
		return fault.Wrap(r.code, r.message, cause)
	}
	switch {
	case status == http.StatusTooManyRequests:
		return fault.Wrap(fault.RateLimited, messageBusy, cause)
	case status >= http.StatusInternalServerError || status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fault.Wrap(fault.VenueUnavailable, messageUnavailable, cause)
	}
	shown := fault.FriendlyMessage(text)
	code, known := byMessage[shown]
	if !known {
		code = fault.VenueUnavailable
	}
	return fault.Wrap(code, shown, cause)
}

// byMessage gives refusals without a known code the code of what is shown.
var byMessage = map[string]fault.Code{
	messageNoRoute:   fault.NoRoute,
	messageTooLow:    fault.AmountTooLow,
	messageLiquidity: fault.LiquidityExceeded,
	messageNoFunds:   fault.InsufficientBalance,
	messageBadPair:   fault.InvalidAddress,
}
