package stamp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"

	"tenfold/internal/strictjson"
)

// WebAuthnHeader carries a passkey's stamp as plain JSON.
const WebAuthnHeader = "X-Stamp-Webauthn"

// publicKeyCredential is the only credential type that WebAuthn defines.
const publicKeyCredential = "public-key"

// maxCredentialIDBytes is WebAuthn's bound on a credential id.
const maxCredentialIDBytes = 1023

// RelyingParty says for which site passkeys are valid.
type RelyingParty struct {
	// ID is the relying party id, a host name.
	ID string
	// Origins lists the pages that may ask for gestures, compared exactly.
	Origins []string
}

// Assertion is a decoded X-Stamp-Webauthn header.
type Assertion struct {
	// CredentialID is base64url, unpadded.
	CredentialID string
	// Signature is base64url, as received.
	Signature string

	credentialID      []byte
	authenticatorData []byte
	clientDataJSON    []byte
	signature         []byte
}

// Gesture is what a verified assertion says about the authenticator.
type Gesture struct {
	// SignCount is the authenticator's counter, zero when it keeps none.
	SignCount uint32
	// UserVerified reports a PIN or biometric check.
	UserVerified bool
}

// ParseAssertion decodes an X-Stamp-Webauthn header. The error matches
// ErrMalformed.
func ParseAssertion(header string) (Assertion, error) {
	if len(header) > maxHeaderBytes {
		return Assertion{}, fmt.Errorf("%w: header too long", ErrMalformed)
	}
	var fields struct {
		AuthenticatorData string `json:"authenticatorData"`
		ClientDataJSON    string `json:"clientDataJson"`
		CredentialID      string `json:"credentialId"`
		Signature         string `json:"signature"`
	}
	if err := strictjson.Unmarshal([]byte(header), &fields); err != nil {
		return Assertion{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	assertion := Assertion{Signature: fields.Signature}
	for _, part := range []struct {
		text   string
		target *[]byte
	}{
		{fields.AuthenticatorData, &assertion.authenticatorData},
		{fields.ClientDataJSON, &assertion.clientDataJSON},
		{fields.CredentialID, &assertion.credentialID},
		{fields.Signature, &assertion.signature},
	} {
		decoded, err := decodeBase64(part.text)
		if err != nil {
			return Assertion{}, err
		}
		if len(decoded) == 0 {
			return Assertion{}, fmt.Errorf("%w: empty field", ErrMalformed)
		}
		*part.target = decoded
	}
	if len(assertion.credentialID) > maxCredentialIDBytes {
		return Assertion{}, fmt.Errorf("%w: credential id too long", ErrMalformed)
	}
	assertion.CredentialID = base64.RawURLEncoding.EncodeToString(assertion.credentialID)
	return assertion, nil
}

// Verify checks that the passkey with the COSE key publicKey signed body for the
// relying party, with the person present. The error matches ErrSignature.
//
// The challenge is the UTF-8 text of the body's SHA-256 in lower-case hex, so
// that a signed gesture fits one body only.
func (a Assertion) Verify(body, publicKey []byte, party RelyingParty) (Gesture, error) {
	digest := sha256.Sum256(body)
	return a.verifyChallenge([]byte(hex.EncodeToString(digest[:])), publicKey, party)
}

func (a Assertion) verifyChallenge(challenge, publicKey []byte, party RelyingParty) (Gesture, error) {
	if err := checkClientData(a.clientDataJSON, party); err != nil {
		return Gesture{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	response := protocol.CredentialAssertionResponse{
		PublicKeyCredential: protocol.PublicKeyCredential{
			Credential: protocol.Credential{ID: a.CredentialID, Type: publicKeyCredential},
			RawID:      a.credentialID,
		},
		AssertionResponse: protocol.AuthenticatorAssertionResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: a.clientDataJSON},
			AuthenticatorData:     a.authenticatorData,
			Signature:             a.signature,
		},
	}
	parsed, err := response.Parse()
	if err != nil {
		return Gesture{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	err = parsed.Verify(base64.RawURLEncoding.EncodeToString(challenge), party.ID, "", party.Origins, nil, nil,
		protocol.TopOriginExplicitVerificationMode, false, false, true, publicKey, protocol.SignaturePolicy{})
	if err != nil {
		return Gesture{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return Gesture{
		SignCount:    parsed.Response.AuthenticatorData.Counter,
		UserVerified: parsed.Response.AuthenticatorData.Flags.HasUserVerified(),
	}, nil
}

// checkClientData refuses ambiguous client data and compares the origin exactly;
// the library beneath would fold case and default ports.
func checkClientData(clientDataJSON []byte, party RelyingParty) error {
	var fields struct {
		Origin string `json:"origin"`
	}
	if err := strictjson.Unmarshal(clientDataJSON, &fields); err != nil {
		return err
	}
	if !slices.Contains(party.Origins, fields.Origin) {
		return fmt.Errorf("origin not allowed")
	}
	return nil
}

// Attestation is a new passkey as a client sends it: base64url texts.
type Attestation struct {
	CredentialID      string
	ClientDataJSON    string
	AttestationObject string
}

// Registration is a verified new passkey.
type Registration struct {
	// CredentialID is base64url, unpadded.
	CredentialID string
	// PublicKey is the COSE key.
	PublicKey []byte
	// AAGUID names the authenticator's model, 16 bytes.
	AAGUID []byte
	// SignCount is the authenticator's counter at registration.
	SignCount uint32
}

// acceptedAlgorithms are ES256 and RS256, the two that our pages offer.
var acceptedAlgorithms = []protocol.CredentialParameter{
	{Type: publicKeyCredential, Algorithm: webauthncose.AlgES256},
	{Type: publicKeyCredential, Algorithm: webauthncose.AlgRS256},
}

// VerifyAttestation checks a registration against the challenge that was asked
// for (base64url of random bytes) and the relying party. Attestation
// certificates are verified but no maker is required. The error matches
// ErrMalformed or ErrSignature.
func VerifyAttestation(challenge string, attestation Attestation, party RelyingParty) (Registration, error) {
	parts, err := decodeAll(challenge, attestation.CredentialID, attestation.ClientDataJSON, attestation.AttestationObject)
	if err != nil {
		return Registration{}, err
	}
	wanted, credentialID, clientDataJSON, object := parts[0], parts[1], parts[2], parts[3]
	if len(wanted) == 0 || len(credentialID) == 0 || len(credentialID) > maxCredentialIDBytes {
		return Registration{}, fmt.Errorf("%w: challenge or credential id has a wrong length", ErrMalformed)
	}
	if err := checkClientData(clientDataJSON, party); err != nil {
		return Registration{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	id := base64.RawURLEncoding.EncodeToString(credentialID)
	response := protocol.CredentialCreationResponse{
		PublicKeyCredential: protocol.PublicKeyCredential{
			Credential: protocol.Credential{ID: id, Type: publicKeyCredential},
			RawID:      credentialID,
		},
		AttestationResponse: protocol.AuthenticatorAttestationResponse{
			AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: clientDataJSON},
			AttestationObject:     object,
		},
	}
	parsed, err := response.Parse()
	if err != nil {
		return Registration{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	_, err = parsed.Verify(base64.RawURLEncoding.EncodeToString(wanted), party.ID, party.Origins, nil, nil,
		protocol.TopOriginExplicitVerificationMode, false, false, true, nil, acceptedAlgorithms,
		protocol.AttestationPolicy{}, protocol.SignaturePolicy{})
	if err != nil {
		return Registration{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	data := parsed.Response.AttestationObject.AuthData
	if _, err := webauthncose.ParsePublicKey(data.AttData.CredentialPublicKey); err != nil {
		return Registration{}, fmt.Errorf("%w: public key: %w", ErrMalformed, err)
	}
	return Registration{
		CredentialID: id,
		PublicKey:    data.AttData.CredentialPublicKey,
		AAGUID:       data.AttData.AAGUID,
		SignCount:    data.Counter,
	}, nil
}

func decodeAll(texts ...string) ([][]byte, error) {
	decoded := make([][]byte, len(texts))
	for i, text := range texts {
		part, err := decodeBase64(text)
		if err != nil {
			return nil, err
		}
		decoded[i] = part
	}
	return decoded, nil
}
