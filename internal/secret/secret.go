// Package secret holds bytes that must not leak: seeds, private keys, data keys,
// mnemonics.
//
// It owns the one type that carries them. A Bytes cannot be compared with ==,
// printed, logged or marshalled, and is overwritten by Wipe. It must never
// convert its content to a Go string, which could not be wiped.
//
// The wiping is best effort: the garbage collector does not move heap objects,
// but the processor, libraries and the operating system may hold copies.
//
// Layer: vocabulary.
package secret

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// placeholder is all that any formatting of a secret shows.
const placeholder = "[secret]"

// ErrMarshal is returned by every attempt to encode a Bytes as text or JSON.
var ErrMarshal = errors.New("secret: a secret cannot be marshalled")

// Bytes is a secret byte string. Copies share the same memory, so Wipe on one
// wipes all. The zero value is an empty secret.
type Bytes struct {
	_     [0]func() // makes == a compile error
	value []byte
}

var (
	_ fmt.Formatter  = Bytes{}
	_ slog.LogValuer = Bytes{}
)

// Own makes a secret of value without copying it: the caller gives the slice away
// and must not keep it.
func Own(value []byte) Bytes {
	return Bytes{value: value}
}

// Random returns size bytes of the system's entropy.
func Random(size int) Bytes {
	value := make([]byte, size)
	// crypto/rand.Read never returns an error; it crashes the program when the
	// system has no entropy, which is the only safe answer.
	_, _ = rand.Read(value)
	return Bytes{value: value}
}

// Len is the number of bytes.
func (b Bytes) Len() int { return len(b.value) }

// Expose returns the secret itself for the one call that needs it. The slice is
// the secret's own memory: it must not be kept, changed or turned into a string.
func (b Bytes) Expose() []byte { return b.value }

// Equal compares two secrets in constant time for a given length.
func (b Bytes) Equal(other Bytes) bool {
	return subtle.ConstantTimeCompare(b.value, other.value) == 1
}

// Wipe overwrites the secret with zeros.
func (b Bytes) Wipe() { clear(b.value) }

// Format implements fmt.Formatter for every verb, so that no verb prints bytes.
func (Bytes) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, placeholder) }

// LogValue implements slog.LogValuer.
func (Bytes) LogValue() slog.Value { return slog.StringValue(placeholder) }

// MarshalText always fails with ErrMarshal.
func (Bytes) MarshalText() ([]byte, error) { return nil, ErrMarshal }

// MarshalJSON always fails with ErrMarshal.
func (Bytes) MarshalJSON() ([]byte, error) { return nil, ErrMarshal }

// MarshalBinary always fails with ErrMarshal.
func (Bytes) MarshalBinary() ([]byte, error) { return nil, ErrMarshal }
