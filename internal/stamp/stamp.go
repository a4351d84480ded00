// Package stamp makes and verifies the signatures that authenticate a custody
// request: P-256 stamps of API keys and WebAuthn stamps of passkeys, both over
// the exact bytes of the request's body.
//
// It owns the header formats and the attestation check of a new passkey. It
// must never look inside the body, look a key up, or decide what a key may do.
//
// Layer: mechanism.
package stamp

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tenfold/internal/secret"
	"tenfold/internal/strictjson"
)

const (
	// Header carries an API key's stamp: base64url, unpadded, of a JSON object.
	Header = "X-Stamp"
	// SchemeP256 is ECDSA on P-256 over SHA-256 of the body, DER encoded.
	SchemeP256 = "SIGNATURE_SCHEME_TK_API_P256"
)

var (
	// ErrMalformed marks a header, key or attestation that cannot be decoded.
	ErrMalformed = errors.New("malformed stamp")
	// ErrSignature marks a well-formed stamp that does not fit the body.
	ErrSignature = errors.New("stamp does not verify")
)

// maxHeaderBytes bounds a stamp header before it is decoded.
const maxHeaderBytes = 16 << 10

// compressedKeyBytes is the length of a compressed SEC1 point on P-256.
const compressedKeyBytes = 33

// APIKey is a decoded X-Stamp header.
type APIKey struct {
	// PublicKey is the compressed SEC1 key in lower-case hex.
	PublicKey string
	// Scheme is always SchemeP256.
	Scheme string
	// Signature is the DER signature in hex, as received.
	Signature string

	key       *ecdsa.PublicKey
	signature []byte
}

// apiKeyHeader is the JSON inside an X-Stamp header.
type apiKeyHeader struct {
	PublicKey string `json:"publicKey"`
	Scheme    string `json:"scheme"`
	Signature string `json:"signature"`
}

// ParseAPIKey decodes an X-Stamp header. The error matches ErrMalformed.
func ParseAPIKey(header string) (APIKey, error) {
	if len(header) > maxHeaderBytes {
		return APIKey{}, fmt.Errorf("%w: header too long", ErrMalformed)
	}
	text, err := decodeBase64(header)
	if err != nil {
		return APIKey{}, err
	}
	var fields apiKeyHeader
	if err := strictjson.Unmarshal(text, &fields); err != nil {
		return APIKey{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if fields.Scheme != SchemeP256 {
		return APIKey{}, fmt.Errorf("%w: unsupported scheme", ErrMalformed)
	}
	key, err := parsePublicKey(fields.PublicKey)
	if err != nil {
		return APIKey{}, err
	}
	signature, err := hex.DecodeString(fields.Signature)
	if err != nil {
		return APIKey{}, fmt.Errorf("%w: signature is not hex", ErrMalformed)
	}
	return APIKey{
		PublicKey: strings.ToLower(fields.PublicKey), Scheme: fields.Scheme, Signature: fields.Signature,
		key: key, signature: signature,
	}, nil
}

// Verify reports ErrSignature unless the stamp signs exactly body. High-S
// signatures are valid: the provider's own clients make them.
func (s APIKey) Verify(body []byte) error {
	digest := sha256.Sum256(body)
	if !ecdsa.VerifyASN1(s.key, digest[:], s.signature) {
		return ErrSignature
	}
	return nil
}

// NormalisePublicKey checks a compressed P-256 key in hex and returns it in
// lower case. The error matches ErrMalformed.
func NormalisePublicKey(text string) (string, error) {
	if _, err := parsePublicKey(text); err != nil {
		return "", err
	}
	return strings.ToLower(text), nil
}

// parsePublicKey accepts the one encoding that clients send: 33 bytes, hex.
func parsePublicKey(text string) (*ecdsa.PublicKey, error) {
	point, err := hex.DecodeString(text)
	if err != nil || len(point) != compressedKeyBytes {
		return nil, fmt.Errorf("%w: public key is not %d bytes of hex", ErrMalformed, compressedKeyBytes)
	}
	x, y := elliptic.UnmarshalCompressed(elliptic.P256(), point)
	if x == nil {
		return nil, fmt.Errorf("%w: public key is not a point of P-256", ErrMalformed)
	}
	const size = compressedKeyBytes - 1
	uncompressed := make([]byte, 1+2*size)
	uncompressed[0] = 4
	x.FillBytes(uncompressed[1 : 1+size])
	y.FillBytes(uncompressed[1+size:])
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), uncompressed)
	if err != nil {
		return nil, fmt.Errorf("%w: public key: %w", ErrMalformed, err)
	}
	return key, nil
}

// Signer stamps requests with an API key.
type Signer struct {
	key       *ecdsa.PrivateKey
	publicKey string
}

// NewSigner takes the key's 32-byte private scalar. The signer keeps its own
// copy, for as long as it lives.
func NewSigner(scalar secret.Bytes) (*Signer, error) {
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar.Expose())
	if err != nil {
		return nil, fmt.Errorf("stamp: private key: %w", err)
	}
	publicKey, err := compress(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	return &Signer{key: key, publicKey: publicKey}, nil
}

// NewKey makes a fresh API key: its private scalar and its public key in the
// form of Signer.PublicKey.
func NewKey() (secret.Bytes, string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return secret.Bytes{}, "", fmt.Errorf("stamp: generate key: %w", err)
	}
	scalar, err := key.Bytes()
	if err != nil {
		return secret.Bytes{}, "", fmt.Errorf("stamp: generate key: %w", err)
	}
	publicKey, err := compress(&key.PublicKey)
	if err != nil {
		return secret.Bytes{}, "", err
	}
	return secret.Own(scalar), publicKey, nil
}

// compress encodes a key as lower-case hex of its compressed point.
func compress(key *ecdsa.PublicKey) (string, error) {
	point, err := key.Bytes() // 04 ‖ X ‖ Y
	if err != nil {
		return "", fmt.Errorf("stamp: public key: %w", err)
	}
	compressed := make([]byte, compressedKeyBytes)
	compressed[0] = 2 | point[len(point)-1]&1
	copy(compressed[1:], point[1:])
	return hex.EncodeToString(compressed), nil
}

// PublicKey is the compressed public key in lower-case hex.
func (s *Signer) PublicKey() string { return s.publicKey }

// Stamp returns the value of the X-Stamp header for a body that will be sent
// byte for byte.
func (s *Signer) Stamp(body []byte) (string, error) {
	digest := sha256.Sum256(body)
	signature, err := ecdsa.SignASN1(rand.Reader, s.key, digest[:])
	if err != nil {
		return "", fmt.Errorf("stamp: sign: %w", err)
	}
	text, err := json.Marshal(apiKeyHeader{PublicKey: s.publicKey, Scheme: SchemeP256, Signature: hex.EncodeToString(signature)})
	if err != nil {
		return "", fmt.Errorf("stamp: encode: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(text), nil
}

// decodeBase64 reads base64url with or without padding. The standard decoder
// would skip line breaks and ignore stray bits at the end; both are refused,
// so that one value has one text.
func decodeBase64(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, fmt.Errorf("%w: line break in base64", ErrMalformed)
	}
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, fmt.Errorf("%w: not base64url", ErrMalformed)
	}
	return decoded, nil
}
