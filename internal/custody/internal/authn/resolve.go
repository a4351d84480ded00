package authn

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math"
	"sync"

	"github.com/fxamacker/cbor/v2"

	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/stamp"
)

// resolution is the search for one caller in one read transaction.
type resolution struct {
	tx             *store.Tx
	organizationID string
	access         Access
	now            int64

	// parentID is the parent of the named organization, empty for a parent itself
	// and for an organization that does not exist.
	parentID string
	// isParent says that the named organization has no parent.
	isParent bool
}

func (r *resolution) loadOrganization() error {
	organization, err := r.tx.Organization(r.organizationID)
	switch {
	case isMissing(err):
		return nil // no credential will be found in it either
	case err != nil:
		return err
	case organization.ParentID != nil:
		r.parentID = *organization.ParentID
	default:
		r.isParent = true
	}
	return nil
}

func (r *resolution) discovers() bool {
	return r.isParent && (r.access == Discover || r.access == Identify)
}

func (r *resolution) reads() bool { return r.access == Read || r.access == Identify }

// apiKey resolves a stamp whose signature is verified already.
func (r *resolution) apiKey(proof stamp.APIKey) (Caller, error) {
	key, err := r.findAPIKey(proof.PublicKey)
	if isMissing(err) {
		return Caller{}, wire.Unauthorized("could not find public key in organization or its parent organization organizationId=%s publicKey=%s",
			r.organizationID, proof.PublicKey).Named("PUBLIC_KEY_NOT_FOUND")
	}
	if err != nil {
		return Caller{}, err
	}
	if Expired(key, r.now) {
		return Caller{}, wire.Unauthorized("expired api key publicKey=%s", proof.PublicKey).Named("API_KEY_EXPIRED")
	}
	return r.caller(key.OrganizationID, key.UserID, Caller{
		CredentialID: key.ID, PublicKey: proof.PublicKey, Signature: proof.Signature, Scheme: proof.Scheme,
	})
}

// findAPIKey looks in the organization, then in its parent or, for discovery, in
// its sub-organizations. The error is sqldb.ErrNotFound when there is none.
func (r *resolution) findAPIKey(publicKey string) (store.APIKey, error) {
	key, err := r.tx.APIKey(r.organizationID, publicKey)
	switch {
	case !isMissing(err):
		return key, err
	case r.parentID != "":
		return r.tx.APIKey(r.parentID, publicKey)
	case !r.discovers():
		return store.APIKey{}, err
	}
	found, childErr := r.tx.APIKeysInChildren(r.organizationID, publicKey)
	switch {
	case childErr != nil:
		return store.APIKey{}, childErr
	case len(found) == 0:
		return store.APIKey{}, err
	case len(found) > 1:
		return store.APIKey{}, wire.Unauthorized("more than one suborg associated with a public key").Named("CREDENTIAL_CONFLICT")
	}
	return found[0], nil
}

// Expired reports whether an API key's time is over at now, milliseconds since
// 1970. A key lives for its duration from the second it was created in.
func Expired(key store.APIKey, now int64) bool {
	if key.ExpirationSeconds == nil {
		return false
	}
	const millisecondsPerSecond = 1000
	if *key.ExpirationSeconds > (math.MaxInt64-key.CreatedAt)/millisecondsPerSecond {
		return false
	}
	return now >= key.CreatedAt+*key.ExpirationSeconds*millisecondsPerSecond
}

// passkey picks, among the passkeys with the credential id, the one that the
// request's organization gives a say.
func (r *resolution) passkey(proof Proof) (Caller, *candidate, error) {
	var own, inParent, inChildren []*candidate
	for i := range proof.passkeys {
		c := &proof.passkeys[i]
		switch owner := c.authenticator.OrganizationID; {
		case owner == r.organizationID:
			own = append(own, c)
		case owner == r.parentID:
			inParent = append(inParent, c)
		case r.discovers() && c.verified:
			// Only a proven credential counts here: an id alone, registered by
			// somebody else, must not make the owner's login ambiguous.
			inChild, err := r.isChild(owner)
			if err != nil {
				return Caller{}, nil, err
			}
			if inChild {
				inChildren = append(inChildren, c)
			}
		}
	}
	chosen := own
	if len(chosen) == 0 {
		chosen = append(inParent, inChildren...)
	}
	switch {
	case len(chosen) == 0:
		return Caller{}, nil, wire.Unauthorized("credential ID could not be found in organization or its parent organization").
			Named("CREDENTIAL_NOT_FOUND")
	case len(chosen) > 1:
		return Caller{}, nil, wire.Unauthorized("more than one suborg associated with a credential ID").Named("CREDENTIAL_CONFLICT")
	case !chosen[0].verified:
		return Caller{}, nil, wire.Unauthorized("could not verify WebAuthN signature").Named("SIGNATURE_INVALID")
	}
	authenticator := chosen[0].authenticator
	caller, err := r.caller(authenticator.OrganizationID, authenticator.UserID, Caller{
		CredentialID: authenticator.ID,
		PublicKey:    base64.RawURLEncoding.EncodeToString(authenticator.PublicKey),
		Signature:    proof.assertion.Signature,
		Scheme:       wire.SchemeWebAuthn,
	})
	return caller, chosen[0], err
}

func (r *resolution) isChild(organizationID string) (bool, error) {
	organization, err := r.tx.Organization(organizationID)
	if err != nil {
		return false, err
	}
	return organization.ParentID != nil && *organization.ParentID == r.organizationID, nil
}

// session resolves a read-only token. Wrong, ended and foreign tokens get one
// answer.
func (r *resolution) session(token string) (Caller, error) {
	found, err := r.tx.ReadOnlySession(SessionDigest(token))
	if isMissing(err) {
		return Caller{}, errNoSignature
	}
	if err != nil {
		return Caller{}, err
	}
	if r.now >= found.ExpiresAt {
		return Caller{}, errNoSignature
	}
	reaches := found.OrganizationID == r.organizationID || found.OrganizationID == r.parentID
	if !reaches && r.discovers() {
		if reaches, err = r.isChild(found.OrganizationID); err != nil {
			return Caller{}, err
		}
	}
	if !reaches {
		return Caller{}, errNoSignature
	}
	return r.caller(found.OrganizationID, found.UserID, Caller{})
}

// SessionDigest is the form in which a session token is stored.
func SessionDigest(token string) string {
	digest := sha256.Sum256([]byte(token))
	return hex.EncodeToString(digest[:])
}

// caller completes the proof with its user, and refuses a parent's user who
// writes: a parent reads its sub-organizations and changes nothing in them.
func (r *resolution) caller(organizationID, userID string, proof Caller) (Caller, error) {
	if organizationID == r.parentID && !r.reads() {
		return Caller{}, wire.Invalid("organization mismatch: request is targeting organization (%q), but voters are in organization (%q)",
			r.organizationID, organizationID).Named("ORGANIZATION_MISMATCH")
	}
	organization, err := r.tx.Organization(organizationID)
	if err != nil {
		return Caller{}, err
	}
	user, err := r.tx.User(organizationID, userID)
	if err != nil {
		return Caller{}, err
	}
	proof.Organization, proof.User = organization, user
	return proof, nil
}

// nobodysKey is a COSE key whose private half is thrown away.
var nobodysKey = sync.OnceValue(func() []byte {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return nil
	}
	const coordinate = 32
	// COSE: kty EC2, alg ES256, crv P-256, x, y.
	encoded, err := cbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1 : 1+coordinate], -3: point[1+coordinate:]})
	if err != nil {
		return nil
	}
	return encoded
})
