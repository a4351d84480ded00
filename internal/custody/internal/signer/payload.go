package signer

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"tenfold/internal/custody/wire"
	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

// The provider's names of payload encodings and hash functions.
const (
	EncodingHexadecimal = "PAYLOAD_ENCODING_HEXADECIMAL"
	EncodingText        = "PAYLOAD_ENCODING_TEXT_UTF8"

	HashNone          = "HASH_FUNCTION_NO_OP"
	HashSHA256        = "HASH_FUNCTION_SHA256"
	HashKeccak256     = "HASH_FUNCTION_KECCAK256"
	HashNotApplicable = "HASH_FUNCTION_NOT_APPLICABLE"
)

// ErrEncoding marks an unknown payload encoding, or a payload that is not in it.
var ErrEncoding = errors.New("invalid payload encoding")

// DecodePayload reads a payload in its encoding.
func DecodePayload(payload, encoding string) ([]byte, error) {
	switch encoding {
	case EncodingText:
		return []byte(payload), nil
	case EncodingHexadecimal:
		decoded, err := decodeHex(payload)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrEncoding, err)
		}
		return decoded, nil
	}
	return nil, ErrEncoding
}

// decodeHex reads hex with or without 0x: official clients send both.
func decodeHex(text string) ([]byte, error) {
	return hex.DecodeString(strings.TrimPrefix(text, "0x"))
}

// SignPayload signs a payload. On secp256k1 the hash function makes the digest;
// Ed25519 hashes inside and takes HashNotApplicable only. v is the recovery id.
func SignPayload(curve hd.Curve, key secret.Bytes, payload []byte, hashFunction string) (wire.SignRawPayloadResult, error) {
	if curve == hd.Ed25519 {
		if hashFunction != HashNotApplicable {
			return wire.SignRawPayloadResult{}, ErrHash
		}
		signature := signEd25519(key, payload)
		half := len(signature) / 2
		return wire.SignRawPayloadResult{R: hex.EncodeToString(signature[:half]), S: hex.EncodeToString(signature[half:]), V: "00"}, nil
	}
	digest, err := digestOf(payload, hashFunction)
	if err != nil {
		return wire.SignRawPayloadResult{}, err
	}
	signature, err := signDigest(key, digest)
	if err != nil {
		return wire.SignRawPayloadResult{}, err
	}
	return wire.SignRawPayloadResult{
		R: hex.EncodeToString(signature.r), S: hex.EncodeToString(signature.s), V: hex.EncodeToString([]byte{signature.v}),
	}, nil
}

func digestOf(payload []byte, hashFunction string) ([]byte, error) {
	switch hashFunction {
	case HashNone:
		if len(payload) != sha256.Size {
			return nil, ErrDigest
		}
		return payload, nil
	case HashSHA256:
		digest := sha256.Sum256(payload)
		return digest[:], nil
	case HashKeccak256:
		return keccak256(payload), nil
	}
	return nil, ErrHash
}

func signEd25519(key secret.Bytes, message []byte) []byte {
	private := ed25519.NewKeyFromSeed(key.Expose())
	defer clear(private)
	return ed25519.Sign(private, message)
}
