package node

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/ethereum/go-ethereum/rpc"
)

// brokenError marks what is the node's fault (it is down, lags, limits us or
// talks nonsense), as opposed to a proper refusal of what was asked.
type brokenError struct{ cause error }

// Error is the cause's text.
func (e *brokenError) Error() string { return e.cause.Error() }

// Unwrap gives the cause.
func (e *brokenError) Unwrap() error { return e.cause }

// Broken marks an error as the node's fault, so that OnOne goes on to the next
// node. Adapters use it for answers that decode but can't be true.
func Broken(cause error) error { return &brokenError{cause} }

// RefusalError is a node's proper JSON-RPC error: it understood and said no.
type RefusalError struct {
	Code    int
	Message string
	Data    any // decoded JSON, nil when there was none
}

// Error is the node's own text.
func (e *RefusalError) Error() string { return e.Message }

// MethodMissing tells that the node does not offer what was asked.
func (e *RefusalError) MethodMissing() bool {
	text := strings.ToLower(e.Message)
	return e.Code == codeMethodNotFound || strings.Contains(text, "method not found") ||
		strings.Contains(text, "does not exist/is not available") || strings.Contains(text, "unsupported method")
}

const codeMethodNotFound = -32601

// nodeTrouble are JSON-RPC codes by which a node says that it can't answer now:
// rate limit or unhealthy (-32005), behind the slot asked for (-32016), no
// long-term storage of the slot or block (-32004, -32014).
var nodeTrouble = map[int]bool{-32005: true, -32016: true, -32004: true, -32014: true, 429: true}

func classify(err error) error {
	if err == nil {
		return nil
	}
	var answer rpc.Error
	if errors.As(err, &answer) {
		refusal := &RefusalError{Code: answer.ErrorCode(), Message: answer.Error()}
		var data rpc.DataError
		if errors.As(err, &data) {
			refusal.Data = data.ErrorData()
		}
		if nodeTrouble[refusal.Code] {
			return &brokenError{refusal}
		}
		return refusal
	}
	var status rpc.HTTPError
	if errors.As(err, &status) {
		if refusal := refusalIn(status); refusal != nil {
			return refusal
		}
		return &brokenError{errors.New(status.Status)} // never the body: it may be long or hold our key
	}
	return &brokenError{withoutURL(err)}
}

// refusalIn finds a JSON-RPC error in the body of a plain client error: some
// nodes send both. 401, 403, 404, 429 speak of our access, not of the question.
func refusalIn(status rpc.HTTPError) *RefusalError {
	switch status.StatusCode {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
	default:
		return nil
	}
	var body struct {
		Error *struct {
			Code    int
			Message string
			Data    any
		}
	}
	if json.Unmarshal(status.Body, &body) != nil || body.Error == nil || nodeTrouble[body.Error.Code] {
		return nil
	}
	return &RefusalError{Code: body.Error.Code, Message: body.Error.Message, Data: body.Error.Data}
}

// withoutURL removes the URL that net/http puts into its errors.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
