// Package signer derives addresses and makes signatures with opened keys.
//
// It owns the reading of transactions before they are signed: a transaction whose
// canonical encoding differs from its input is refused. It must never read a
// row, keep a key after a call, or decide who may sign.
//
// Layer: domain (custody).
package signer

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/ethereum/go-ethereum/common"
	"golang.org/x/crypto/sha3"

	"tenfold/internal/base58"
	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

// The provider's names of curves and address formats.
const (
	CurveSecp256k1 = "CURVE_SECP256K1"
	CurveEd25519   = "CURVE_ED25519"

	FormatEthereum     = "ADDRESS_FORMAT_ETHEREUM"
	FormatSolana       = "ADDRESS_FORMAT_SOLANA"
	FormatCompressed   = "ADDRESS_FORMAT_COMPRESSED"
	FormatUncompressed = "ADDRESS_FORMAT_UNCOMPRESSED"
)

var (
	// ErrCurve marks an unknown curve, or one that does not fit its use.
	ErrCurve = errors.New("invalid curve")
	// ErrFormat marks an unknown address format.
	ErrFormat = errors.New("invalid address format")
	// ErrTransaction marks a transaction that cannot be signed as it is.
	ErrTransaction = errors.New("invalid transaction")
	// ErrSigner marks a transaction that does not ask for this key's signature.
	ErrSigner = errors.New("the transaction does not require this signer")
	// ErrDigest marks a payload that is not a digest although it must be one.
	ErrDigest = errors.New("expected a 32-bytes-long digest")
	// ErrHash marks an unknown hash function, or one that does not fit the curve.
	ErrHash = errors.New("invalid hash function")
)

// curves maps the provider's names to ours.
var curves = map[string]hd.Curve{CurveSecp256k1: hd.Secp256k1, CurveEd25519: hd.Ed25519}

// Curve reads the provider's name of a curve.
func Curve(name string) (hd.Curve, error) {
	curve, known := curves[name]
	if !known {
		return 0, ErrCurve
	}
	return curve, nil
}

// formats says on which curve an address format lives and how it is written.
var formats = map[string]map[hd.Curve]func(publicKey []byte) (string, error){
	FormatEthereum: {hd.Secp256k1: ethereumAddress},
	FormatSolana:   {hd.Ed25519: func(publicKey []byte) (string, error) { return base58.Encode(publicKey), nil }},
	FormatCompressed: {
		hd.Secp256k1: hexKey,
		hd.Ed25519:   hexKey,
	},
	FormatUncompressed: {hd.Secp256k1: uncompressedKey},
}

// Address derives the public key of a private key and its address. The public key
// is hex: compressed on secp256k1, 32 bytes on Ed25519.
func Address(curve hd.Curve, format string, key secret.Bytes) (address, publicKey string, err error) {
	byCurve, known := formats[format]
	if !known {
		return "", "", ErrFormat
	}
	encode, fits := byCurve[curve]
	if !fits {
		return "", "", fmt.Errorf("%w: %s has no such address", ErrCurve, curve)
	}
	public, err := PublicKey(curve, key)
	if err != nil {
		return "", "", err
	}
	if address, err = encode(public); err != nil {
		return "", "", err
	}
	return address, hex.EncodeToString(public), nil
}

// Lookup is the form in which addresses are compared: Ethereum's letter case is a
// checksum, hex has none, base58 means it.
func Lookup(address string) string {
	if strings.HasPrefix(address, "0x") || strings.HasPrefix(address, "0X") || isHexKey(address) {
		return strings.ToLower(address)
	}
	return address
}

// isHexKey recognises the hex address formats. No base58 address of 32 bytes is
// that long.
func isHexKey(address string) bool {
	if len(address) < hex.EncodedLen(ed25519.PublicKeySize) {
		return false
	}
	_, err := hex.DecodeString(address)
	return err == nil
}

// PublicKey is the public half of a private key: 33 bytes on secp256k1, 32 on
// Ed25519.
func PublicKey(curve hd.Curve, key secret.Bytes) ([]byte, error) {
	switch curve {
	case hd.Secp256k1:
		private := secp256k1.PrivKeyFromBytes(key.Expose())
		defer private.Zero()
		return private.PubKey().SerializeCompressed(), nil
	case hd.Ed25519:
		private := ed25519.NewKeyFromSeed(key.Expose())
		defer clear(private)
		return []byte(private.Public().(ed25519.PublicKey)), nil
	}
	return nil, ErrCurve
}

func hexKey(publicKey []byte) (string, error) { return hex.EncodeToString(publicKey), nil }

func uncompressedKey(publicKey []byte) (string, error) {
	point, err := secp256k1.ParsePubKey(publicKey)
	if err != nil {
		return "", fmt.Errorf("public key: %w", err)
	}
	return hex.EncodeToString(point.SerializeUncompressed()), nil
}

// ethereumAddress is the last 20 bytes of the key's Keccak-256, written with
// EIP-55's checksum.
func ethereumAddress(publicKey []byte) (string, error) {
	point, err := secp256k1.ParsePubKey(publicKey)
	if err != nil {
		return "", fmt.Errorf("public key: %w", err)
	}
	digest := keccak256(point.SerializeUncompressed()[1:])
	return common.BytesToAddress(digest[len(digest)-common.AddressLength:]).Hex(), nil
}

func keccak256(data []byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	hash.Write(data)
	return hash.Sum(nil)
}

// recoverable is a secp256k1 signature with its recovery id.
type recoverable struct {
	r, s []byte // 32 bytes each
	v    byte   // 0 or 1
}

// compactBase is what SignCompact adds to the recovery id.
const compactBase = 27

// signDigest makes a deterministic (RFC 6979) low-S signature.
func signDigest(key secret.Bytes, digest []byte) (recoverable, error) {
	if len(digest) != 32 {
		return recoverable{}, ErrDigest
	}
	private := secp256k1.PrivKeyFromBytes(key.Expose())
	defer private.Zero()
	compact := ecdsa.SignCompact(private, digest, false)
	v := compact[0] - compactBase
	if v > 1 {
		// The point's x exceeds the curve's order: one chance in 2^127, and
		// Ethereum cannot express it.
		return recoverable{}, errors.New("signature cannot be expressed")
	}
	return recoverable{r: compact[1:33], s: compact[33:65], v: v}, nil
}
