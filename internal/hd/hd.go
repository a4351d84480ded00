// Package hd derives keys from one secret: BIP-39 mnemonics and seeds, BIP-32
// keys on secp256k1, SLIP-10 keys on Ed25519.
//
// It owns the word list, the paths and the arithmetic. It must never store a key,
// print one, or turn a mnemonic into a Go string.
//
// Layer: mechanism.
package hd

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"tenfold/internal/secret"
)

// Curve names the curve that a key is derived on.
type Curve int

// The curves of the supported chains.
const (
	Secp256k1 Curve = iota + 1
	Ed25519
)

// masterLabels are the HMAC keys that separate the curves' master keys (BIP-32,
// SLIP-10).
var masterLabels = map[Curve]string{
	Secp256k1: "Bitcoin seed",
	Ed25519:   "ed25519 seed",
}

var (
	// ErrPath marks a path that cannot be read or derived on the curve.
	ErrPath = errors.New("invalid path")
	// ErrCurve marks a curve that is not one of the constants.
	ErrCurve = errors.New("invalid curve")
	// ErrUnusable marks the one seed or index in 2^127 that yields no key. BIP-32
	// says to take the next index.
	ErrUnusable = errors.New("no key at this path")
)

const (
	keyBytes  = 32
	nodeBytes = 2 * keyBytes // key ‖ chain code, one HMAC-SHA512
)

// Derive walks path from the BIP-39 seed and returns the 32-byte private key:
// a secp256k1 scalar, or an Ed25519 seed (RFC 8032). The caller wipes it.
func Derive(seed secret.Bytes, curve Curve, path Path) (secret.Bytes, error) {
	label, known := masterLabels[curve]
	if !known {
		return secret.Bytes{}, ErrCurve
	}
	if err := path.check(curve); err != nil {
		return secret.Bytes{}, err
	}
	node := hmacSHA512([]byte(label), seed.Expose())
	if curve == Secp256k1 {
		if err := checkScalar(node[:keyBytes]); err != nil {
			return secret.Bytes{}, err
		}
	}
	for _, index := range path {
		child, err := deriveChild(node, curve, index)
		clear(node)
		if err != nil {
			return secret.Bytes{}, err
		}
		node = child
	}
	key := make([]byte, keyBytes)
	copy(key, node)
	clear(node)
	return secret.Own(key), nil
}

// deriveChild is CKDpriv of BIP-32 and SLIP-10 on a node of key ‖ chain code.
func deriveChild(parent []byte, curve Curve, index uint32) ([]byte, error) {
	key, chainCode := parent[:keyBytes], parent[keyBytes:]
	message := make([]byte, 0, 1+keyBytes+4)
	if index >= Hardened {
		message = append(append(message, 0), key...)
	} else {
		private := secp256k1.PrivKeyFromBytes(key)
		message = append(message, private.PubKey().SerializeCompressed()...)
		private.Zero()
	}
	message = binary.BigEndian.AppendUint32(message, index)
	defer clear(message)
	child := hmacSHA512(chainCode, message)
	if curve == Secp256k1 {
		if err := addScalar(child[:keyBytes], key); err != nil {
			clear(child)
			return nil, err
		}
	}
	return child, nil
}

// addScalar sets tweak to tweak + key modulo the curve's order.
func addScalar(tweak, key []byte) error {
	var sum, term secp256k1.ModNScalar
	defer sum.Zero()
	defer term.Zero()
	if overflow := sum.SetByteSlice(tweak); overflow {
		return ErrUnusable
	}
	term.SetByteSlice(key)
	if sum.Add(&term).IsZero() {
		return ErrUnusable
	}
	sum.PutBytesUnchecked(tweak)
	return nil
}

func checkScalar(key []byte) error {
	var scalar secp256k1.ModNScalar
	defer scalar.Zero()
	if overflow := scalar.SetByteSlice(key); overflow || scalar.IsZero() {
		return ErrUnusable
	}
	return nil
}

func hmacSHA512(key, message []byte) []byte {
	mac := hmac.New(sha512.New, key)
	mac.Write(message)
	return mac.Sum(make([]byte, 0, nodeBytes))
}

// String names the curve for messages.
func (c Curve) String() string {
	switch c {
	case Secp256k1:
		return "secp256k1"
	case Ed25519:
		return "ed25519"
	}
	return fmt.Sprintf("curve %d", int(c))
}
