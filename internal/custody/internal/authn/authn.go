// Package authn finds out who sent a custody request: it verifies the stamp over
// the raw body, then finds the credential in the organization that the request
// names.
//
// It owns the order of those steps and the texts of refusals, which are the same
// for a credential of another organization and for one that exists nowhere. It
// must never look at what a request asks for.
//
// Layer: domain (custody).
package authn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"

	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/sqldb"
	"tenfold/internal/stamp"
)

// sessionHeader carries a read-only session's token.
const sessionHeader = "X-Session"

// attestedHeader is a kind of stamp that is not served.
const attestedHeader = "X-Stamp-Attested"

// maxCandidates bounds how many passkeys with the same credential id are tried.
// The oldest come first, so registering copies of somebody's id cannot push his
// own out.
const maxCandidates = 32

// Access says which credentials reach an organization.
type Access int

const (
	// Read is open to users of the organization and of its parent.
	Read Access = iota + 1
	// Write is open to users of the organization itself.
	Write
	// Discover is Write, and also finds the one sub-organization that owns the
	// credential when the request names the parent.
	Discover
	// Identify is Discover for a read: it serves read-only sessions too.
	Identify
)

// Caller is an authenticated user.
type Caller struct {
	// Organization is the caller's own, which for a parent reading its
	// sub-organization is not the one that the request names.
	Organization store.Organization
	User         store.User
	// CredentialID is the id of the API key or authenticator; empty for a session.
	CredentialID string
	// PublicKey, Signature and Scheme are the proof in the form that votes keep.
	PublicKey, Signature, Scheme string
}

// errNoStamp is the answer to a request that proves nothing.
var errNoStamp = wire.Unauthorized("cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)").
	Named("SIGNATURE_MISSING")

// errNoSignature is the answer to a session token that proves nothing.
var errNoSignature = wire.Unauthorized("no valid authentication signature found for request").Named("SIGNATURE_MISSING")

// Authenticator verifies requests against a store.
type Authenticator struct {
	store *store.Store
	party stamp.RelyingParty
}

// New returns an Authenticator for passkeys of the relying party.
func New(s *store.Store, party stamp.RelyingParty) *Authenticator {
	return &Authenticator{store: s, party: party}
}

// Proof is a request's credential after every check that needs no organization.
type Proof struct {
	apiKey    *stamp.APIKey
	assertion *stamp.Assertion
	session   string
	passkeys  []candidate
	digest    string
}

// candidate is a passkey with the assertion's credential id; verified says that
// its key made the signature.
type candidate struct {
	authenticator store.Authenticator
	gesture       stamp.Gesture
	verified      bool
}

// Verify checks the one credential of a request against the raw body, before
// anybody decodes the body. The error is a *wire.Error or a store failure.
func (a *Authenticator) Verify(ctx context.Context, header http.Header, body []byte) (Proof, error) {
	proofs := 0
	for _, name := range []string{stamp.Header, stamp.WebAuthnHeader, sessionHeader} {
		proofs += len(header.Values(name))
	}
	switch {
	case len(header.Values(attestedHeader)) > 0:
		return Proof{}, wire.Unauthorized("malformed activity stamp").Named("SIGNATURE_INVALID")
	case proofs == 0:
		return Proof{}, errNoStamp
	case proofs > 1:
		// Two proofs could name two callers; picking one would let an
		// intermediary choose.
		return Proof{}, wire.Unauthorized("malformed activity stamp").Named("SIGNATURE_INVALID")
	}
	if value := header.Get(stamp.Header); value != "" {
		return verifyAPIKey(value, body)
	}
	if value := header.Get(stamp.WebAuthnHeader); value != "" {
		return a.verifyPasskey(ctx, value, body)
	}
	if value := header.Get(sessionHeader); value != "" {
		return Proof{session: value}, nil
	}
	return Proof{}, errNoStamp
}

func verifyAPIKey(header string, body []byte) (Proof, error) {
	parsed, err := stamp.ParseAPIKey(header)
	if err != nil {
		return Proof{}, wire.Unauthorized("could not extract api key stamp").Named("SIGNATURE_INVALID").Because(err)
	}
	if err := parsed.Verify(body); err != nil {
		return Proof{}, wire.Unauthorized("could not verify api key signature").Named("SIGNATURE_INVALID").Because(err)
	}
	return Proof{apiKey: &parsed}, nil
}

// verifyPasskey checks the signature against every passkey with this credential
// id: which of them counts depends on the body, which is read later.
func (a *Authenticator) verifyPasskey(ctx context.Context, header string, body []byte) (Proof, error) {
	parsed, err := stamp.ParseAssertion(header)
	if err != nil {
		return Proof{}, wire.Unauthorized("could not extract webauthn stamp").Named("SIGNATURE_INVALID").Because(err)
	}
	proof := Proof{assertion: &parsed, digest: assertionDigest(header, body)}
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		found, err := tx.Authenticators(parsed.CredentialID, maxCandidates)
		proof.passkeys = make([]candidate, len(found))
		for i, authenticator := range found {
			proof.passkeys[i].authenticator = authenticator
		}
		return err
	})
	if err != nil {
		return Proof{}, err
	}
	if len(proof.passkeys) == 0 {
		// As much work as for a passkey that exists, so that the time does not
		// tell whether one does.
		_, _ = parsed.Verify(body, nobodysKey(), a.party)
	}
	for i := range proof.passkeys {
		c := &proof.passkeys[i]
		c.gesture, err = parsed.Verify(body, c.authenticator.PublicKey, a.party)
		c.verified = err == nil
	}
	return proof, nil
}

// assertionDigest names one signed request: a repetition of it is a retry.
func assertionDigest(header string, body []byte) string {
	hash := sha256.New()
	hash.Write(body)
	hash.Write([]byte(header))
	return hex.EncodeToString(hash.Sum(nil))
}

// Resolve finds the caller in the organization that the request names. now is
// milliseconds since 1970. The error is a *wire.Error or a store failure.
func (a *Authenticator) Resolve(ctx context.Context, proof Proof, organizationID string, access Access, now int64) (Caller, error) {
	if proof.session != "" && access != Read && access != Identify {
		return Caller{}, errNoStamp
	}
	var (
		caller  Caller
		passkey *candidate
	)
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		r := resolution{tx: tx, organizationID: organizationID, access: access, now: now}
		if err := r.loadOrganization(); err != nil {
			return err
		}
		switch {
		case proof.apiKey != nil:
			caller, err = r.apiKey(*proof.apiKey)
		case proof.assertion != nil:
			caller, passkey, err = r.passkey(proof)
		default:
			caller, err = r.session(proof.session)
		}
		return err
	})
	if err != nil {
		return Caller{}, err
	}
	if passkey != nil {
		if err := a.recordGesture(ctx, *passkey, proof.digest); err != nil {
			return Caller{}, err
		}
	}
	return caller, nil
}

// recordGesture compares and stores the authenticator's counter: one that does
// not grow means that a copy of the authenticator exists. Repeating the last
// request unchanged is a retry and passes.
func (a *Authenticator) recordGesture(ctx context.Context, passkey candidate, digest string) error {
	refused := wire.Unauthorized("could not verify WebAuthN signature").Named("SIGNATURE_INVALID")
	return a.store.Write(ctx, func(tx *store.Tx) error {
		found, err := tx.Authenticators(passkey.authenticator.CredentialID, maxCandidates)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(found, func(f store.Authenticator) bool { return f.ID == passkey.authenticator.ID })
		if i < 0 {
			return refused
		}
		stored, seen := found[i], int64(passkey.gesture.SignCount)
		switch {
		case stored.LastAssertion == digest, seen == 0 && stored.SignCount == 0:
			return nil
		case seen <= stored.SignCount:
			return refused.Because(errors.New("authenticator counter did not grow"))
		}
		return tx.RecordAssertion(stored, seen, digest)
	})
}

// isMissing reports that a store error means "no such row".
func isMissing(err error) bool { return errors.Is(err, sqldb.ErrNotFound) }
