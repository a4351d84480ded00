// Package fault is the product's error type and the friendly-message table. It
// is vocabulary: it knows no transport and no store, and it must never carry a
// secret. An error has three readers: the machine reads the code, the person
// reads the message, the operator reads the cause (logs only).
package fault

import (
	"errors"
	"fmt"
)

// Code names a kind of failure. Codes are stable: clients and tests rely on them.
type Code string

// The codes, each with the HTTP status the edge gives it in internal/apphttp.
const (
	InvalidRequest      Code = "invalid_request"
	InvalidAddress      Code = "invalid_address"
	InvalidAmount       Code = "invalid_amount"
	AmountZero          Code = "amount_zero"
	InsufficientBalance Code = "insufficient_balance"
	SameAsset           Code = "same_asset"
	SelfTransfer        Code = "self_transfer"
	UnsupportedChain    Code = "unsupported_chain"
	UnsupportedAsset    Code = "unsupported_asset"
	QuoteExpired        Code = "quote_expired"
	QuoteAltered        Code = "quote_altered"
	QuoteNotFound       Code = "quote_not_found"
	NoRoute             Code = "no_route"
	AmountTooLow        Code = "amount_too_low"
	LiquidityExceeded   Code = "liquidity_exceeded"
	MovementNotFound    Code = "movement_not_found"
	MovementExpired     Code = "movement_expired"
	AlreadySigned       Code = "already_signed"
	SignatureMismatch   Code = "signature_mismatch"
	UnsafeTransaction   Code = "unsafe_transaction"
	SimulationFailed    Code = "simulation_failed"
	BroadcastRefused    Code = "broadcast_refused"
	SessionExpired      Code = "session_expired"
	UnauthorizedMethod  Code = "unauthorized_method"
	FaucetUnavailable   Code = "faucet_unavailable"
	CustodyUnavailable  Code = "custody_unavailable"
	CustodyRefused      Code = "custody_refused"
	VenueUnavailable    Code = "venue_unavailable"
	ChainUnavailable    Code = "chain_unavailable"
	KeyRequired         Code = "idempotency_key_required"
	KeyReused           Code = "idempotency_key_reused"
	RateLimited         Code = "rate_limited"
	Internal            Code = "internal"
)

// Error is a classified failure.
type Error struct {
	Code    Code
	Message string // for the person, safe to show
	// FundsWhere says where the money is, for failures in the middle of a movement.
	FundsWhere string
	cause      error
}

// New makes a failure with a message for the person.
func New(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Wrap makes a failure that keeps its cause. The cause is for logs: it is part
// of Error() and never of Message.
func Wrap(code Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, cause: cause}
}

// Error is the operator's text: code, message and cause.
func (e *Error) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is matches another *Error by code, so that errors.Is(err, fault.New(code, "")) works.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// With returns a copy that says where the money is.
func (e *Error) With(fundsWhere string) *Error {
	c := *e
	c.FundsWhere = fundsWhere
	return &c
}

// CodeOf is the code of the first *Error in err's chain, Internal when there is
// none, and the empty code for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Of finds the *Error in err's chain. An unclassified error becomes Internal
// with the default message, the original kept as its cause.
func Of(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Wrap(Internal, DefaultMessage, err)
}

// DefaultMessage is what a person sees when nothing more precise is known
// (specification, section 8).
const DefaultMessage = "Action Failed: Please try again or contact support"
