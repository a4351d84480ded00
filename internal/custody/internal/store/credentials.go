package store

import (
	"fmt"

	"tenfold/internal/custody/internal/store/queries"
	"tenfold/internal/seal"
	"tenfold/internal/sqldb"
)

func apiKeyPlace(k APIKey) seal.Place {
	return seal.Place{Owner: k.OrganizationID, Table: "api_keys", Row: k.ID}
}

func apiKeyFields(k APIKey) [][]byte {
	return [][]byte{
		text(k.UserID), text(k.Name), text(k.PublicKey), text(k.CredentialType),
		optionalNumber(k.ExpirationSeconds), number(k.CreatedAt),
	}
}

// InsertAPIKey stores an API key. The error is sqldb.ErrUniqueViolation when the
// organization has the public key already.
func (tx *Tx) InsertAPIKey(k APIKey) (err error) {
	if k.Mac, err = tx.authenticate(apiKeyPlace(k), apiKeyFields(k)); err != nil {
		return err
	}
	if err := tx.queries.InsertAPIKey(tx.ctx, queries.InsertAPIKeyParams(k)); err != nil {
		return fmt.Errorf("insert API key: %w", err)
	}
	return nil
}

// APIKey reads an organization's key by its public key, or sqldb.ErrNotFound.
func (tx *Tx) APIKey(organizationID, publicKey string) (APIKey, error) {
	k, err := tx.queries.APIKeyByPublicKey(tx.ctx, queries.APIKeyByPublicKeyParams{OrganizationID: organizationID, PublicKey: publicKey})
	if err != nil {
		return APIKey{}, fmt.Errorf("read API key: %w", err)
	}
	return k, tx.check(apiKeyPlace(k), k.Mac, apiKeyFields(k))
}

// APIKeysInChildren reads the keys with a public key in the sub-organizations of
// a parent, at most two: a caller needs to know of none, one or many.
func (tx *Tx) APIKeysInChildren(parentID, publicKey string) ([]APIKey, error) {
	found, err := tx.queries.APIKeysInChildren(tx.ctx, queries.APIKeysInChildrenParams{PublicKey: publicKey, ParentID: &parentID})
	if err != nil {
		return nil, fmt.Errorf("read API keys: %w", err)
	}
	return found, tx.checkAPIKeys(found)
}

// APIKeysOfUser reads a user's keys, oldest first, expired ones included.
func (tx *Tx) APIKeysOfUser(userID string) ([]APIKey, error) {
	found, err := tx.queries.APIKeysOfUser(tx.ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("read API keys: %w", err)
	}
	return found, tx.checkAPIKeys(found)
}

func (tx *Tx) checkAPIKeys(keys []APIKey) error {
	for _, k := range keys {
		if err := tx.check(apiKeyPlace(k), k.Mac, apiKeyFields(k)); err != nil {
			return err
		}
	}
	return nil
}

// DeleteAPIKey deletes a key for good.
func (tx *Tx) DeleteAPIKey(id string) error {
	if err := tx.queries.DeleteAPIKey(tx.ctx, id); err != nil {
		return fmt.Errorf("delete API key: %w", err)
	}
	return nil
}

// DeleteAPIKeysOfType deletes a user's keys of one credential type.
func (tx *Tx) DeleteAPIKeysOfType(userID, credentialType string) error {
	err := tx.queries.DeleteAPIKeysOfType(tx.ctx, queries.DeleteAPIKeysOfTypeParams{UserID: userID, CredentialType: credentialType})
	if err != nil {
		return fmt.Errorf("delete API keys: %w", err)
	}
	return nil
}

func authenticatorPlace(a Authenticator) seal.Place {
	return seal.Place{Owner: a.OrganizationID, Table: "authenticators", Row: a.ID}
}

func authenticatorFields(a Authenticator) [][]byte {
	return [][]byte{
		text(a.UserID), text(a.Name), text(a.CredentialID), a.PublicKey, a.Aaguid, text(a.Transports),
		number(a.SignCount), text(a.LastAssertion), number(a.CreatedAt),
	}
}

// InsertAuthenticator stores a passkey. The error is sqldb.ErrUniqueViolation
// when the organization has the credential already.
func (tx *Tx) InsertAuthenticator(a Authenticator) (err error) {
	if a.Mac, err = tx.authenticate(authenticatorPlace(a), authenticatorFields(a)); err != nil {
		return err
	}
	if err := tx.queries.InsertAuthenticator(tx.ctx, queries.InsertAuthenticatorParams(a)); err != nil {
		return fmt.Errorf("insert authenticator: %w", err)
	}
	return nil
}

// Authenticators reads the passkeys with a credential id in all organizations,
// the oldest first and at most limit.
func (tx *Tx) Authenticators(credentialID string, limit int) ([]Authenticator, error) {
	found, err := tx.queries.AuthenticatorsByCredential(tx.ctx,
		queries.AuthenticatorsByCredentialParams{CredentialID: credentialID, Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("read authenticators: %w", err)
	}
	return found, tx.checkAuthenticators(found)
}

// AuthenticatorsOfUser reads a user's passkeys, oldest first.
func (tx *Tx) AuthenticatorsOfUser(userID string) ([]Authenticator, error) {
	found, err := tx.queries.AuthenticatorsOfUser(tx.ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("read authenticators: %w", err)
	}
	return found, tx.checkAuthenticators(found)
}

func (tx *Tx) checkAuthenticators(found []Authenticator) error {
	for _, a := range found {
		if err := tx.check(authenticatorPlace(a), a.Mac, authenticatorFields(a)); err != nil {
			return err
		}
	}
	return nil
}

// RecordAssertion stores a passkey's new counter and last request. The error is
// sqldb.ErrNotFound when the counter is no longer what a says.
func (tx *Tx) RecordAssertion(a Authenticator, signCount int64, assertion string) error {
	before := a.SignCount
	a.SignCount, a.LastAssertion = signCount, assertion
	code, err := tx.authenticate(authenticatorPlace(a), authenticatorFields(a))
	if err != nil {
		return err
	}
	changed, err := tx.queries.RecordAssertion(tx.ctx, queries.RecordAssertionParams{
		ID: a.ID, SignCount: before, SignCount_2: signCount, LastAssertion: assertion, Mac: code,
	})
	if err != nil {
		return fmt.Errorf("record assertion: %w", err)
	}
	if changed == 0 {
		return fmt.Errorf("record assertion: %w", sqldb.ErrNotFound)
	}
	return nil
}

func sessionPlace(s ReadOnlySession) seal.Place {
	return seal.Place{Owner: s.OrganizationID, Table: "read_only_sessions", Row: s.TokenDigest}
}

func sessionFields(s ReadOnlySession) [][]byte {
	return [][]byte{text(s.UserID), number(s.CreatedAt), number(s.ExpiresAt)}
}

// InsertReadOnlySession stores a session and forgets those that ended before it
// began.
func (tx *Tx) InsertReadOnlySession(s ReadOnlySession) (err error) {
	if s.Mac, err = tx.authenticate(sessionPlace(s), sessionFields(s)); err != nil {
		return err
	}
	if err := tx.queries.DeleteExpiredReadOnlySessions(tx.ctx, s.CreatedAt); err != nil {
		return fmt.Errorf("delete expired sessions: %w", err)
	}
	if err := tx.queries.InsertReadOnlySession(tx.ctx, queries.InsertReadOnlySessionParams(s)); err != nil {
		return fmt.Errorf("insert session: %w", err)
	}
	return nil
}

// ReadOnlySession reads a session by its token's digest, or sqldb.ErrNotFound.
func (tx *Tx) ReadOnlySession(digest string) (ReadOnlySession, error) {
	s, err := tx.queries.ReadOnlySession(tx.ctx, digest)
	if err != nil {
		return ReadOnlySession{}, fmt.Errorf("read session: %w", err)
	}
	return s, tx.check(sessionPlace(s), s.Mac, sessionFields(s))
}
