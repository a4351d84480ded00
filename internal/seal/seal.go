// Package seal encrypts fields at rest and authenticates rows, so that a stolen
// database shows no key and an edited one is noticed.
//
// It owns envelope encryption: a data key per organization, wrapped by a Keeper
// that holds the root key. The place of a field (table, row, column, owner) is
// bound to its ciphertext, so that a value copied to another row does not open.
// It must never write an opened key anywhere.
//
// Layer: mechanism.
package seal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"tenfold/internal/secret"
)

// ErrOpen marks a ciphertext that is damaged, in another place than where it was
// sealed, or sealed under another key. It says no more on purpose.
var ErrOpen = errors.New("seal: cannot open")

// ErrForged marks a row whose authentication code does not fit its content.
var ErrForged = errors.New("seal: row was not written by this program")

// Keeper holds the root key and wraps data keys with it. A wrapped key is bound
// to its owner, an organization id: unwrapping it for another fails with ErrOpen.
type Keeper interface {
	Wrap(ctx context.Context, key secret.Bytes, owner string) ([]byte, error)
	Unwrap(ctx context.Context, wrapped []byte, owner string) (secret.Bytes, error)
}

// keySize is the length of root, data and derived keys: AES-256 and HMAC-SHA256.
const keySize = 32

// formatV1 is the first byte of everything sealed: AES-256-GCM, random nonce.
const formatV1 = 1

// Place says where a sealed value or an authenticated row is stored.
type Place struct {
	Owner  string // organization id
	Table  string
	Row    string // primary key
	Column string // empty for a whole row
}

// encode writes the place so that no two places share an encoding.
func (p Place) encode() []byte {
	return appendFields(nil, []byte(p.Owner), []byte(p.Table), []byte(p.Row), []byte(p.Column))
}

// DataKey seals the fields and authenticates the rows of one organization. Wipe
// it after use.
type DataKey struct {
	encryption     secret.Bytes
	authentication secret.Bytes
}

// NewDataKey makes a data key for owner and returns it with its wrapped form,
// which is what is stored.
func NewDataKey(ctx context.Context, keeper Keeper, owner string) (DataKey, []byte, error) {
	root := secret.Random(keySize)
	defer root.Wipe()
	wrapped, err := keeper.Wrap(ctx, root, owner)
	if err != nil {
		return DataKey{}, nil, fmt.Errorf("seal: wrap data key: %w", err)
	}
	key, err := expand(root)
	if err != nil {
		return DataKey{}, nil, err
	}
	return key, wrapped, nil
}

// OpenDataKey unwraps the data key of owner.
func OpenDataKey(ctx context.Context, keeper Keeper, wrapped []byte, owner string) (DataKey, error) {
	root, err := keeper.Unwrap(ctx, wrapped, owner)
	if err != nil {
		return DataKey{}, fmt.Errorf("seal: unwrap data key: %w", err)
	}
	defer root.Wipe()
	return expand(root)
}

// expand derives one key per purpose, so that no key serves two algorithms.
func expand(root secret.Bytes) (DataKey, error) {
	encryption, err := hkdf.Expand(sha256.New, root.Expose(), "tenfold seal: encryption", keySize)
	if err != nil {
		return DataKey{}, fmt.Errorf("seal: derive: %w", err)
	}
	authentication, err := hkdf.Expand(sha256.New, root.Expose(), "tenfold seal: authentication", keySize)
	if err != nil {
		return DataKey{}, fmt.Errorf("seal: derive: %w", err)
	}
	return DataKey{encryption: secret.Own(encryption), authentication: secret.Own(authentication)}, nil
}

// Wipe overwrites the key.
func (k DataKey) Wipe() {
	k.encryption.Wipe()
	k.authentication.Wipe()
}

// Seal encrypts value for the place where it will be stored.
func (k DataKey) Seal(place Place, value secret.Bytes) ([]byte, error) {
	return encrypt(k.encryption, value, place.encode())
}

// Open decrypts what Seal made for the same place. The caller wipes the result.
// The error matches ErrOpen.
func (k DataKey) Open(place Place, sealed []byte) (secret.Bytes, error) {
	return decrypt(k.encryption, sealed, place.encode())
}

// Authenticate returns the code of a row: HMAC-SHA256 over its place and its
// fields, in the order given.
func (k DataKey) Authenticate(place Place, fields ...[]byte) []byte {
	mac := hmac.New(sha256.New, k.authentication.Expose())
	mac.Write(appendFields(place.encode(), fields...))
	return mac.Sum(nil)
}

// Check reports ErrForged unless code is the row's code.
func (k DataKey) Check(place Place, code []byte, fields ...[]byte) error {
	if !hmac.Equal(code, k.Authenticate(place, fields...)) {
		return fmt.Errorf("%w: table %s", ErrForged, place.Table)
	}
	return nil
}

// appendFields writes each field after its length, so that moving a byte from one
// field to its neighbour changes the result.
func appendFields(target []byte, fields ...[]byte) []byte {
	for _, field := range fields {
		target = binary.BigEndian.AppendUint64(target, uint64(len(field)))
		target = append(target, field...)
	}
	return target
}

func encrypt(key, value secret.Bytes, associated []byte) ([]byte, error) {
	aead, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	return aead.Seal([]byte{formatV1}, nil, value.Expose(), associated), nil
}

func decrypt(key secret.Bytes, sealed, associated []byte) (secret.Bytes, error) {
	if len(sealed) == 0 || sealed[0] != formatV1 {
		return secret.Bytes{}, ErrOpen
	}
	aead, err := newAEAD(key)
	if err != nil {
		return secret.Bytes{}, err
	}
	value, err := aead.Open(nil, nil, sealed[1:], associated)
	if err != nil {
		return secret.Bytes{}, ErrOpen
	}
	return secret.Own(value), nil
}

func newAEAD(key secret.Bytes) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key.Expose())
	if err != nil {
		return nil, fmt.Errorf("seal: cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("seal: cipher: %w", err)
	}
	return aead, nil
}
