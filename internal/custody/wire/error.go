package wire

import (
	"fmt"
	"net/http"
)

// Code is a gRPC status code, which the provider puts into error bodies.
type Code int

// The codes in use.
const (
	InvalidArgument   Code = 3
	NotFound          Code = 5
	AlreadyExists     Code = 6
	PermissionDenied  Code = 7
	ResourceExhausted Code = 8
	Unimplemented     Code = 12
	Internal          Code = 13
	Unauthenticated   Code = 16
)

var httpStatuses = map[Code]int{
	InvalidArgument:   http.StatusBadRequest,
	NotFound:          http.StatusNotFound,
	AlreadyExists:     http.StatusConflict,
	PermissionDenied:  http.StatusForbidden,
	ResourceExhausted: http.StatusTooManyRequests,
	Unimplemented:     http.StatusNotImplemented,
	Internal:          http.StatusInternalServerError,
	Unauthenticated:   http.StatusUnauthorized,
}

// Error is an answer that refuses a request: what the caller reads, and a cause
// for the operator's log.
type Error struct {
	Code    Code
	Message string
	// Name is the newer clients' turnkeyErrorCode; empty when there is none.
	Name  string
	cause error
}

var _ error = (*Error)(nil)

// Error implements error. It includes the cause: it is for logs, not callers.
func (e *Error) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("custody error %d: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("custody error %d: %s: %v", e.Code, e.Message, e.cause)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// Because returns a copy with a cause, which no caller ever sees.
func (e *Error) Because(cause error) *Error {
	copied := *e
	copied.cause = cause
	return &copied
}

// Named returns a copy with a turnkeyErrorCode.
func (e *Error) Named(name string) *Error {
	copied := *e
	copied.Name = name
	return &copied
}

// HTTPStatus is the status that goes with the code.
func (e *Error) HTTPStatus() int {
	if status, known := httpStatuses[e.Code]; known {
		return status
	}
	return http.StatusInternalServerError
}

// Body is the error's JSON form.
func (e *Error) Body() any {
	return struct {
		Code    Code   `json:"code"`
		Message string `json:"message"`
		Details []any  `json:"details"`
		Name    string `json:"turnkeyErrorCode,omitempty"`
	}{e.Code, e.Message, []any{}, e.Name}
}

func newError(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid is code 3: the request itself is wrong.
func Invalid(format string, args ...any) *Error {
	return newError(InvalidArgument, format, args...).Named("REQUEST_INVALID")
}

// Missing is code 5: there is no such thing in the caller's reach. It is also the
// answer for things of other organizations.
func Missing(format string, args ...any) *Error { return newError(NotFound, format, args...) }

// Exists is code 6.
func Exists(format string, args ...any) *Error { return newError(AlreadyExists, format, args...) }

// Denied is code 7: authenticated, but not allowed.
func Denied() *Error {
	return newError(PermissionDenied, "request not authorized").Named("REQUEST_NOT_AUTHORIZED")
}

// Exhausted is code 8: a limit is reached.
func Exhausted(format string, args ...any) *Error {
	return newError(ResourceExhausted, format, args...)
}

// Unauthorized is code 16: no stamp, or one that proves nothing here.
func Unauthorized(format string, args ...any) *Error {
	return newError(Unauthenticated, format, args...)
}
