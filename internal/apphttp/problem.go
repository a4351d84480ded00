package apphttp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/internal/account"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
)

// Codes that only the transport gives.
const (
	codeNotFound        fault.Code = "not_found"
	codeForbiddenOrigin fault.Code = "forbidden_origin"
	codeCSRF            fault.Code = "csrf_token_wrong"
)

// statuses is the one place where codes become HTTP statuses. A code that is
// missing here is a 500, and a test fails.
var statuses = map[fault.Code]int{
	fault.InvalidRequest:      http.StatusBadRequest,
	fault.InvalidAddress:      http.StatusBadRequest,
	fault.InvalidAmount:       http.StatusBadRequest,
	fault.AmountZero:          http.StatusBadRequest,
	fault.SameAsset:           http.StatusBadRequest,
	fault.SelfTransfer:        http.StatusBadRequest,
	fault.UnsupportedChain:    http.StatusBadRequest,
	fault.UnsupportedAsset:    http.StatusBadRequest,
	fault.KeyRequired:         http.StatusBadRequest,
	fault.AmountTooLow:        http.StatusUnprocessableEntity,
	fault.InsufficientBalance: http.StatusUnprocessableEntity,
	fault.NoRoute:             http.StatusUnprocessableEntity,
	fault.LiquidityExceeded:   http.StatusUnprocessableEntity,
	fault.SignatureMismatch:   http.StatusUnprocessableEntity,
	fault.UnsafeTransaction:   http.StatusUnprocessableEntity,
	fault.SimulationFailed:    http.StatusUnprocessableEntity,
	fault.BroadcastRefused:    http.StatusUnprocessableEntity,
	fault.CustodyRefused:      http.StatusUnprocessableEntity,
	fault.QuoteNotFound:       http.StatusNotFound,
	fault.MovementNotFound:    http.StatusNotFound,
	fault.FaucetUnavailable:   http.StatusNotFound,
	codeNotFound:              http.StatusNotFound,
	fault.QuoteExpired:        http.StatusConflict,
	fault.QuoteAltered:        http.StatusConflict,
	fault.MovementExpired:     http.StatusConflict,
	movement.InProgress:       http.StatusConflict,
	fault.AlreadySigned:       http.StatusConflict,
	fault.KeyReused:           http.StatusConflict,
	fault.SessionExpired:      http.StatusUnauthorized,
	fault.UnauthorizedMethod:  http.StatusUnauthorized,
	codeForbiddenOrigin:       http.StatusForbidden,
	codeCSRF:                  http.StatusForbidden,
	fault.RateLimited:         http.StatusTooManyRequests,
	fault.CustodyUnavailable:  http.StatusServiceUnavailable,
	account.FaucetUnreachable: http.StatusServiceUnavailable,
	fault.VenueUnavailable:    http.StatusServiceUnavailable,
	fault.ChainUnavailable:    http.StatusServiceUnavailable,
	fault.Internal:            http.StatusInternalServerError,
}

// Problem is an RFC 9457 problem document. Detail is the message to show.
type Problem struct {
	Type       string         `json:"type" doc:"Always about:blank; the code tells the kind."`
	Title      string         `json:"title" doc:"The status in words."`
	Status     int            `json:"status"`
	Detail     string         `json:"detail" doc:"The message to show to the person."`
	Code       string         `json:"code" doc:"Stable code of the kind of failure."`
	FundsWhere string         `json:"fundsWhere,omitempty" doc:"Where the money is, when a movement is concerned."`
	Errors     []ProblemField `json:"errors,omitempty" doc:"The fields of the request that are wrong."`
}

// ProblemField names one wrong field.
type ProblemField struct {
	Location string `json:"location" example:"body.amount"`
	Message  string `json:"message"`
}

var _ huma.StatusError = (*Problem)(nil)

// Error implements error.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// problemOf makes the document of a failure. Causes stay out of it.
func problemOf(err error) *Problem {
	f := fault.Of(err)
	status, known := statuses[f.Code]
	if !known {
		status = http.StatusInternalServerError
	}
	return &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: f.Message, Code: string(f.Code), FundsWhere: f.FundsWhere,
	}
}

// failed is how every handler ends with an error: the cause is logged when it
// is ours, and the person gets the problem document.
func (a *API) failed(ctx context.Context, operation string, err error) *Problem {
	p := problemOf(err)
	switch {
	case errors.Is(err, context.Canceled):
		a.log.DebugContext(ctx, "request abandoned", slog.String("operation", operation))
	case p.Status >= http.StatusInternalServerError:
		a.log.ErrorContext(ctx, "request failed", slog.String("operation", operation), slog.Any("error", err))
	case p.Code == string(fault.UnsafeTransaction):
		// Somebody, most likely a venue, answered with what must not be signed.
		a.log.WarnContext(ctx, "transaction refused as unsafe", slog.String("operation", operation), slog.Any("error", err))
	default:
		a.log.DebugContext(ctx, "request refused", slog.String("operation", operation), slog.Any("error", err))
	}
	return p
}

// writeProblem answers outside huma: unknown routes, refused origins, panics.
func writeProblem(w http.ResponseWriter, err error) {
	p := problemOf(err)
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p)
}

// validationProblem is huma's own refusal of a malformed request in our form.
// It is installed once as huma.NewError, which is global to the process.
func validationProblem(status int, message string, errs ...error) huma.StatusError {
	p := &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Code: string(fault.InvalidRequest), Detail: "The request is not valid.",
	}
	switch {
	case status >= http.StatusInternalServerError:
		p.Code, p.Detail = string(fault.Internal), fault.DefaultMessage
	case status == http.StatusUnprocessableEntity:
		p.Status, p.Title = http.StatusBadRequest, http.StatusText(http.StatusBadRequest)
	case status == http.StatusRequestEntityTooLarge:
		p.Detail = "The request is too large."
	}
	for _, err := range errs {
		var detail *huma.ErrorDetail
		if errors.As(err, &detail) {
			p.Errors = append(p.Errors, ProblemField{Location: detail.Location, Message: detail.Message})
		}
	}
	if len(p.Errors) == 0 && status < http.StatusInternalServerError && strings.TrimSpace(message) != "" {
		p.Errors = append(p.Errors, ProblemField{Location: "request", Message: message})
	}
	return p
}
