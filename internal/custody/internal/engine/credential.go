package engine

import (
	"encoding/json"
	"errors"
	"slices"

	"tenfold/internal/custody/internal/authn"
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/sqldb"
	"tenfold/internal/stamp"
)

// maxExpirationSeconds bounds the life of an expiring key to ten years, so that no
// arithmetic on it can overflow. A key for good has no expiration at all.
const maxExpirationSeconds = 10 * 365 * 24 * 60 * 60

// transports are the ways to reach an authenticator.
var transports = []string{
	"AUTHENTICATOR_TRANSPORT_BLE", "AUTHENTICATOR_TRANSPORT_INTERNAL", "AUTHENTICATOR_TRANSPORT_NFC",
	"AUTHENTICATOR_TRANSPORT_USB", "AUTHENTICATOR_TRANSPORT_HYBRID",
}

// addAPIKeys registers public keys for a user.
func (run execution) addAPIKeys(user store.User, keys []wire.APIKeyParameters) error {
	for _, key := range keys {
		if err := checkName("apiKeyName", key.APIKeyName); err != nil {
			return err
		}
		if key.CurveType != "" && key.CurveType != wire.APIKeyCurveP256 {
			return wire.Invalid("unsupported API key curve type: %s", key.CurveType)
		}
		publicKey, err := stamp.NormalisePublicKey(key.PublicKey)
		if err != nil {
			return wire.Invalid("invalid api key public key").Because(err)
		}
		expiration, err := checkExpiration(key.ExpirationSeconds)
		if err != nil {
			return err
		}
		_, err = run.addAPIKey(user, store.APIKey{
			Name: key.APIKeyName, PublicKey: publicKey, CredentialType: wire.CredentialAPIKeyP256, ExpirationSeconds: expiration,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func checkExpiration(seconds *wire.Int64) (*int64, error) {
	if seconds == nil {
		return nil, nil
	}
	if *seconds < 1 || *seconds > maxExpirationSeconds {
		return nil, wire.Invalid("invalid api key expiration")
	}
	value := int64(*seconds)
	return &value, nil
}

// addAPIKey stores a key after making room for it. It fills in the key's id,
// owner and time.
func (run execution) addAPIKey(user store.User, key store.APIKey) (id string, err error) {
	if err := run.makeRoom(user, key.ExpirationSeconds != nil); err != nil {
		return "", err
	}
	if key.ID, err = newID(); err != nil {
		return "", err
	}
	const millisecondsPerSecond = 1000
	key.OrganizationID, key.UserID = user.OrganizationID, user.ID
	// The wire shows whole seconds, and a client computes the expiry from them.
	key.CreatedAt = run.now - run.now%millisecondsPerSecond
	err = run.tx.InsertAPIKey(key)
	if errors.Is(err, sqldb.ErrUniqueViolation) {
		return "", wire.Exists("api key with this public key already exists in organization").Because(err)
	}
	return key.ID, err
}

// makeRoom applies the limits per user. Keys for good are refused beyond theirs;
// of expiring keys the expired go first, then the oldest.
func (run execution) makeRoom(user store.User, expiring bool) error {
	keys, err := run.tx.APIKeysOfUser(user.ID)
	if err != nil {
		return err
	}
	keys = slices.DeleteFunc(keys, func(key store.APIKey) bool { return (key.ExpirationSeconds != nil) != expiring })
	if !expiring {
		if len(keys) >= run.engine.limits.Custody.LongLivedAPIKeysPerUser {
			return wire.Exhausted("user has exceeded maximum long-lived api keys")
		}
		return nil
	}
	for _, key := range keys {
		if authn.Expired(key, run.now) {
			if err := run.tx.DeleteAPIKey(key.ID); err != nil {
				return err
			}
		}
	}
	keys = slices.DeleteFunc(keys, func(key store.APIKey) bool { return authn.Expired(key, run.now) })
	for excess := len(keys) - run.engine.limits.Custody.ExpiringAPIKeysPerUser; excess >= 0; excess-- {
		if err := run.tx.DeleteAPIKey(keys[0].ID); err != nil {
			return err
		}
		keys = keys[1:]
	}
	return nil
}

// addAuthenticators registers passkeys for a user.
func (run execution) addAuthenticators(user store.User, authenticators []wire.AuthenticatorParameters) error {
	if len(authenticators) > run.engine.limits.Custody.AuthenticatorsPerUser {
		return wire.Exhausted("user has exceeded maximum authenticators")
	}
	for _, p := range authenticators {
		if err := run.addAuthenticator(user, p); err != nil {
			return err
		}
	}
	return nil
}

func (run execution) addAuthenticator(user store.User, p wire.AuthenticatorParameters) error {
	if err := checkName("authenticatorName", p.AuthenticatorName); err != nil {
		return err
	}
	if p.Attestation.AttestationObject == "" {
		return wire.Invalid("missing parameter: user authenticator attestation")
	}
	registration, err := stamp.VerifyAttestation(p.Challenge, stamp.Attestation{
		CredentialID: p.Attestation.CredentialID, ClientDataJSON: p.Attestation.ClientDataJSON,
		AttestationObject: p.Attestation.AttestationObject,
	}, run.engine.party)
	if err != nil {
		return wire.Invalid("invalid authenticator attestation").Because(err)
	}
	for _, transport := range p.Attestation.Transports {
		if !slices.Contains(transports, transport) {
			return wire.Invalid("invalid authenticator transport: %s", transport)
		}
	}
	shown, err := json.Marshal(append([]string{}, p.Attestation.Transports...))
	if err != nil {
		return err
	}
	id, err := newID()
	if err != nil {
		return err
	}
	err = run.tx.InsertAuthenticator(store.Authenticator{
		ID: id, OrganizationID: user.OrganizationID, UserID: user.ID, Name: p.AuthenticatorName,
		CredentialID: registration.CredentialID, PublicKey: registration.PublicKey, Aaguid: registration.AAGUID,
		Transports: string(shown), SignCount: int64(registration.SignCount), CreatedAt: run.now,
	})
	if errors.Is(err, sqldb.ErrUniqueViolation) {
		return wire.Exists("authenticator with this credential ID already exists in organization").Because(err)
	}
	return err
}
