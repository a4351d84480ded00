// Package wire is the custody provider's language: request envelopes, entities,
// results, enumerations and error bodies, byte-compatible with the provider's
// public API.
//
// It owns names and shapes only. It must never decide, store or sign.
//
// Layer: domain (custody).
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"tenfold/internal/strictjson"
)

// Query is the envelope of a read; the rest of the body are its parameters.
type Query struct {
	OrganizationID string `json:"organizationId"`
}

// Submit is the envelope of a write.
type Submit struct {
	Type           string          `json:"type"`
	TimestampMs    Int64           `json:"timestampMs"`
	OrganizationID string          `json:"organizationId"`
	Parameters     json.RawMessage `json:"parameters"`
}

// Decode reads a body or a part of one into target. Unknown fields and nulls are
// accepted, ambiguous text is not. The error is an *Error.
func Decode(data []byte, target any) error {
	if err := strictjson.Unmarshal(data, target); err != nil {
		return Invalid("bad request body").Because(err)
	}
	return nil
}

// CheckOrganizationID reports an *Error unless id is written like an
// organization's id. It says nothing about whether one exists.
func CheckOrganizationID(id string) error {
	parsed, err := uuid.Parse(id)
	if err != nil || parsed.String() != id {
		return Invalid("malformed organization ID provided").Named("INVALID_ORGANIZATION_ID")
	}
	return nil
}

// Encode writes a response. Unlike json.Marshal it leaves <, > and & as they are.
func Encode(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode response: %w", err)
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// Int64 is a 64-bit integer, which protobuf's JSON writes as a string and reads
// as a string or a number.
type Int64 int64

// MarshalJSON implements json.Marshaler.
func (i Int64) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatInt(int64(i), 10)), nil
}

// UnmarshalJSON implements json.Unmarshaler. Null leaves the value as it is.
func (i *Int64) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	if unquoted, err := strconv.Unquote(text); err == nil {
		text = unquoted
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strings.HasPrefix(text, "+") {
		return fmt.Errorf("not a 64-bit integer")
	}
	*i = Int64(value)
	return nil
}

// Timestamp is an instant in the provider's form: both fields are strings.
type Timestamp struct {
	Seconds string `json:"seconds"`
	Nanos   string `json:"nanos"`
}

// TimestampOf converts milliseconds since 1970. Like the provider it shows whole
// seconds.
func TimestampOf(milliseconds int64) Timestamp {
	return Timestamp{Seconds: strconv.FormatInt(milliseconds/time.Second.Milliseconds(), 10), Nanos: "0"}
}

// DropNulls rewrites a JSON value without the object members that are null, as
// the provider shows an activity's intent. The value must have passed Decode.
func DropNulls(data json.RawMessage) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("read intent: %w", err)
	}
	return Encode(dropNulls(value))
}

func dropNulls(value any) any {
	switch typed := value.(type) {
	case map[string]any:
		for key, member := range typed {
			if member == nil {
				delete(typed, key)
				continue
			}
			typed[key] = dropNulls(member)
		}
	case []any:
		for i, member := range typed {
			typed[i] = dropNulls(member)
		}
	}
	return value
}
