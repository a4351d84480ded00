package custodyclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"tenfold/internal/fault"
)

// Refusal is an error answer of the provider in its own words.
type Refusal struct {
	Status  int    // HTTP
	Code    int    // gRPC
	Message string // the provider's text
}

// Error implements error.
func (r *Refusal) Error() string {
	return fmt.Sprintf("custody refused: status %d, code %d: %s", r.Status, r.Code, r.Message)
}

// AsFault makes the refusal the problem custody_refused with the provider's
// message. Other errors pass through.
func AsFault(err error) error {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return fault.Wrap(fault.CustodyRefused, refusal.Message, err)
	}
	return err
}

// refusalOf reads an error answer. A body that is not the provider's means that
// something else answers at its address, so the service counts as unavailable;
// so does the provider's own failure.
func refusalOf(path string, status int, body []byte) error {
	var answer struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	err := json.Unmarshal(body, &answer)
	switch {
	case err != nil || answer.Message == "":
		return unavailable(path, fmt.Errorf("status %d without the provider's error body", status))
	case status >= http.StatusInternalServerError:
		return unavailable(path, fmt.Errorf("status %d, code %d: %s", status, answer.Code, answer.Message))
	}
	return &Refusal{Status: status, Code: answer.Code, Message: answer.Message}
}
