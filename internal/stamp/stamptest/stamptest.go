// Package stamptest makes stamps for tests: API keys, and a passkey in software
// whose every byte a test can bend.
//
// It must never be imported by production code. Layer: mechanism (test only).
package stamptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"tenfold/internal/stamp"
)

// NewSigner makes a fresh API key.
func NewSigner(t testing.TB) *stamp.Signer {
	t.Helper()
	scalar, _, err := stamp.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := stamp.NewSigner(scalar)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// Flags of authenticator data (WebAuthn, section 6.1).
const (
	UserPresent  = 0x01
	UserVerified = 0x04
	attested     = 0x40
)

// Passkey is an authenticator with one ES256 credential. Its fields are what the
// next registration or assertion says.
type Passkey struct {
	RPID, Origin string
	CredentialID []byte
	Flags        byte
	SignCount    uint32
	CrossOrigin  bool
	// Type replaces the ceremony's type when it is not empty.
	Type string

	key *ecdsa.PrivateKey
}

// NewPasskey makes an honest passkey with a counter that starts at 1.
func NewPasskey(t testing.TB, rpID, origin string) *Passkey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 32)
	_, _ = rand.Read(id)
	return &Passkey{RPID: rpID, Origin: origin, CredentialID: id, Flags: UserPresent | UserVerified, SignCount: 1, key: key}
}

// Challenge returns a random registration challenge in base64url.
func Challenge() string {
	challenge := make([]byte, 32)
	_, _ = rand.Read(challenge)
	return base64.RawURLEncoding.EncodeToString(challenge)
}

// Register answers a registration with attestation "none".
func (p *Passkey) Register(t testing.TB, challenge string) stamp.Attestation {
	t.Helper()
	data := p.authenticatorData(p.Flags | attested)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(p.CredentialID)))
	data = append(append(data, p.CredentialID...), p.publicKey(t)...)
	object, err := cbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return stamp.Attestation{
		CredentialID:      encode(p.CredentialID),
		ClientDataJSON:    encode(p.clientData(t, "webauthn.create", challenge)),
		AttestationObject: encode(object),
	}
}

// Stamp returns the X-Stamp-Webauthn header for a body.
func (p *Passkey) Stamp(t testing.TB, body []byte) string {
	t.Helper()
	digest := sha256.Sum256(body)
	text := hex.EncodeToString(digest[:])
	return p.Assert(t, base64.RawURLEncoding.EncodeToString([]byte(text)))
}

// Assert signs a challenge given in base64url and returns the header.
func (p *Passkey) Assert(t testing.TB, challenge string) string {
	t.Helper()
	data := p.authenticatorData(p.Flags)
	clientData := p.clientData(t, "webauthn.get", challenge)
	clientDigest := sha256.Sum256(clientData)
	digest := sha256.Sum256(append(append([]byte{}, data...), clientDigest[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, p.key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	header, err := json.Marshal(map[string]string{
		"authenticatorData": encode(data), "clientDataJson": encode(clientData),
		"credentialId": encode(p.CredentialID), "signature": encode(signature),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(header)
}

func (p *Passkey) authenticatorData(flags byte) []byte {
	party := sha256.Sum256([]byte(p.RPID))
	return binary.BigEndian.AppendUint32(append(party[:], flags), p.SignCount)
}

func (p *Passkey) clientData(t testing.TB, ceremony, challenge string) []byte {
	t.Helper()
	if p.Type != "" {
		ceremony = p.Type
	}
	encoded, err := json.Marshal(map[string]any{
		"type": ceremony, "challenge": challenge, "origin": p.Origin, "crossOrigin": p.CrossOrigin,
	})
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// publicKey is the COSE form: EC2, ES256, P-256.
func (p *Passkey) publicKey(t testing.TB) []byte {
	t.Helper()
	point, err := p.key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := cbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}
