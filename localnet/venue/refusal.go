package venue

import (
	"encoding/json"
	"errors"
	"net/http"

	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/trade"
)

// refusal is an answer that is not 200: Relay's error code and message.
type refusal struct {
	status  int
	code    string // empty where Relay sends a message alone
	message string
}

// Error implements error.
func (r *refusal) Error() string { return r.code + ": " + r.message }

func refuse(code, message string) *refusal {
	return &refusal{http.StatusBadRequest, code, message}
}

// The refusals that need no detail. Messages are those that Relay's
// documentation and SDK show for the code, where they show one.
var (
	errAmountTooLow      = refuse("AMOUNT_TOO_LOW", "Swap output amount is too small")
	errUnsupportedChain  = refuse("UNSUPPORTED_CHAIN", "Unsupported chain")
	errUnsupportedToken  = refuse("UNSUPPORTED_CURRENCY", "Invalid input or output currency")
	errUnsupportedRoute  = refuse("UNSUPPORTED_ROUTE", "No routes found")
	errNoRoutes          = refuse("NO_SWAP_ROUTES_FOUND", "No routes found")
	errLiquidity         = refuse("INSUFFICIENT_LIQUIDITY", "Amount is higher than the available liquidity")
	errSlippage          = refuse("INVALID_SLIPPAGE_TOLERANCE", "Slippage tolerance must be a whole number of basis points between 0 and 10000")
	errImpact            = refuse("SWAP_IMPACT_TOO_HIGH", "Swap impact is too high")
	errRecipientMismatch = refuse("USER_RECIPIENT_MISMATCH", "User and recipient must be the same for this route")
	errInvalidRecipient  = refuse("INVALID_RECIPIENT", "Recipient cannot receive this token")
	errTransactionSize   = refuse("SOLANA_TX_TOO_LARGE", "Generated Solana transaction is over Solana's 1232 byte limit, so it cannot be signed or broadcast.")
	errTradeType         = refuse("UNSUPPORTED_EXECUTION_TYPE", "Only EXACT_INPUT is supported")
	errExtraTransactions = refuse("EXTRA_TXS_NOT_SUPPORTED", "Extra transactions are not supported")
	errTooManyRequests   = &refusal{http.StatusTooManyRequests, "", "Too many requests"}
	errNoAnswer          = &refusal{http.StatusInternalServerError, "RPC_HTTP_ERROR", "The request could not be processed"}
	errUnavailable       = &refusal{http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "Service unavailable"}
)

// malformed is the answer to a body that breaks the published schema, for which
// Relay publishes no code of its own.
func malformed(message string) *refusal { return refuse("UNKNOWN_ERROR", message) }

func invalidAddress(field string) *refusal {
	return refuse("INVALID_ADDRESS", "Invalid address "+field)
}

// asRefusal turns any error into an answer. What is not a refusal is a node that
// did not answer: the cause is for the log, not for the client.
func asRefusal(err error) *refusal {
	var known *refusal
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, pricing.ErrNoRoute):
		return errNoRoutes
	case errors.Is(err, pricing.ErrLiquidity):
		return errLiquidity
	case errors.Is(err, trade.ErrAmountTooLarge):
		return errLiquidity
	case errors.Is(err, trade.ErrTransactionTooLarge):
		return errTransactionSize
	case errors.Is(err, pricing.ErrFeesExceedValue), errors.Is(err, trade.ErrBelowRent):
		return errAmountTooLow
	default:
		return errNoAnswer
	}
}

func (v *Venue) answerError(w http.ResponseWriter, r *http.Request, err error) {
	answer := asRefusal(err)
	if answer == errNoAnswer {
		v.log.Error("venue request failed", "path", r.URL.Path, "error", err)
	}
	answerJSON(w, answer.status, relaywire.Error{Message: answer.message, ErrorCode: answer.code})
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The client has gone when this fails; there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(body)
}
