// Package bundle seals a credential so that only the holder of a target key can
// open it: the provider's credential bundle, which carries a session's private
// key to the auth frame.
//
// It owns the HPKE parameters and the text form. It must never keep a key.
//
// Format: HPKE base mode with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and
// AES-256-GCM; info "turnkey_hpke"; associated data = uncompressed encapsulated
// key ‖ uncompressed target key; text = base58 of compressed encapsulated key ‖
// ciphertext ‖ first four bytes of their double SHA-256.
//
// Layer: mechanism.
package bundle

import (
	"bytes"
	"crypto/ecdh"
	"crypto/elliptic"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"

	"tenfold/internal/base58"
	"tenfold/internal/secret"
)

var (
	// ErrTarget marks a target public key that is no point of P-256.
	ErrTarget = errors.New("target public key is not a valid compressed public key")
	// ErrBundle marks a text that is no bundle, or one for another key.
	ErrBundle = errors.New("unable to decrypt bundle")
)

// info is the label that both sides put into the key schedule.
const info = "turnkey_hpke"

const (
	coordinateBytes   = 32
	compressedBytes   = 1 + coordinateBytes
	uncompressedBytes = 1 + 2*coordinateBytes
	checksumBytes     = 4
	// maxTextBytes bounds what Open decodes; a credential bundle has 117 characters.
	maxTextBytes = 512
)

// Target is the key that a bundle is sealed to.
type Target struct {
	key          hpke.PublicKey
	uncompressed []byte
}

// ParseTarget reads a P-256 public key in hex, uncompressed as the frames send
// it, or compressed. The error matches ErrTarget.
func ParseTarget(text string) (Target, error) {
	encoded, err := hex.DecodeString(text)
	if err != nil {
		return Target{}, ErrTarget
	}
	if len(encoded) == compressedBytes {
		if encoded, err = uncompress(encoded); err != nil {
			return Target{}, ErrTarget
		}
	}
	point, err := ecdh.P256().NewPublicKey(encoded)
	if err != nil {
		return Target{}, ErrTarget
	}
	key, err := hpke.NewDHKEMPublicKey(point)
	if err != nil {
		return Target{}, ErrTarget
	}
	return Target{key: key, uncompressed: encoded}, nil
}

// SealCredential seals a private key to the target and returns the bundle's text.
func SealCredential(target Target, credential secret.Bytes) (string, error) {
	encapsulated, sender, err := hpke.NewSender(target.key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info))
	if err != nil {
		return "", fmt.Errorf("bundle: set up: %w", err)
	}
	ciphertext, err := sender.Seal(associatedData(encapsulated, target.uncompressed), credential.Expose())
	if err != nil {
		return "", fmt.Errorf("bundle: seal: %w", err)
	}
	payload := append(compress(encapsulated), ciphertext...)
	return base58.Encode(append(payload, checksum(payload)...)), nil
}

// OpenCredential opens a bundle with the 32-byte private scalar of its target.
// The error matches ErrBundle and says nothing about the key.
func OpenCredential(text string, targetScalar secret.Bytes) (secret.Bytes, error) {
	if len(text) > maxTextBytes {
		return secret.Bytes{}, fmt.Errorf("%w: too long", ErrBundle)
	}
	raw, err := base58.Decode(text)
	if err != nil || len(raw) < compressedBytes+checksumBytes {
		return secret.Bytes{}, fmt.Errorf("%w: not base58 or too short", ErrBundle)
	}
	payload, sum := raw[:len(raw)-checksumBytes], raw[len(raw)-checksumBytes:]
	if !bytes.Equal(sum, checksum(payload)) {
		return secret.Bytes{}, fmt.Errorf("%w: checksum differs", ErrBundle)
	}
	encapsulated, err := uncompress(payload[:compressedBytes])
	if err != nil {
		return secret.Bytes{}, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	scalar, err := ecdh.P256().NewPrivateKey(targetScalar.Expose())
	if err != nil {
		return secret.Bytes{}, fmt.Errorf("%w: target key", ErrBundle)
	}
	key, err := hpke.NewDHKEMPrivateKey(scalar)
	if err != nil {
		return secret.Bytes{}, fmt.Errorf("%w: target key", ErrBundle)
	}
	recipient, err := hpke.NewRecipient(encapsulated, key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(info))
	if err != nil {
		return secret.Bytes{}, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	opened, err := recipient.Open(associatedData(encapsulated, scalar.PublicKey().Bytes()), payload[compressedBytes:])
	if err != nil {
		return secret.Bytes{}, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	return secret.Own(opened), nil
}

func associatedData(encapsulated, target []byte) []byte {
	return append(append(make([]byte, 0, 2*uncompressedBytes), encapsulated...), target...)
}

func compress(point []byte) []byte {
	compressed := make([]byte, compressedBytes, uncompressedBytes+compressedBytes)
	compressed[0] = 2 | point[len(point)-1]&1
	copy(compressed[1:], point[1:])
	return compressed
}

func uncompress(point []byte) ([]byte, error) {
	x, y := elliptic.UnmarshalCompressed(elliptic.P256(), point)
	if x == nil {
		return nil, errors.New("not a point of P-256")
	}
	return joinPoint(x, y), nil
}

func joinPoint(x, y *big.Int) []byte {
	point := make([]byte, uncompressedBytes)
	point[0] = 4
	x.FillBytes(point[1 : 1+coordinateBytes])
	y.FillBytes(point[1+coordinateBytes:])
	return point
}

func checksum(payload []byte) []byte {
	first := sha256.Sum256(payload)
	second := sha256.Sum256(first[:])
	return second[:checksumBytes]
}
