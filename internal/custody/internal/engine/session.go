package engine

import (
	"encoding/base64"
	"time"

	"tenfold/internal/bundle"
	"tenfold/internal/custody/internal/authn"
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/secret"
	"tenfold/internal/stamp"
)

const (
	// tokenBytes is the entropy of a read-only session's token.
	tokenBytes = 32
	// maxSessionSeconds bounds a read-write session to thirty days.
	maxSessionSeconds = 30 * 24 * 60 * 60
)

// createReadOnlySession makes a bearer token for reads. Only its digest is stored,
// and it is shown once.
func createReadOnlySession(run execution, _ wire.CreateReadOnlySessionParameters) (outcome, error) {
	token := secret.Random(tokenBytes)
	defer token.Wipe()
	text := base64.RawURLEncoding.EncodeToString(token.Expose())
	expiresAt := run.now + run.engine.limits.Session.ReadOnlySeconds*time.Second.Milliseconds()
	err := run.tx.InsertReadOnlySession(store.ReadOnlySession{
		TokenDigest: authn.SessionDigest(text), OrganizationID: run.caller.Organization.ID, UserID: run.caller.User.ID,
		CreatedAt: run.now, ExpiresAt: expiresAt,
	})
	if err != nil {
		return outcome{}, err
	}
	who := identity(run.caller)
	stored := wire.CreateReadOnlySessionResult{
		OrganizationID: who.OrganizationID, OrganizationName: who.OrganizationName, UserID: who.UserID, Username: who.Username,
		SessionExpiry: wire.Int64(expiresAt / time.Second.Milliseconds()),
	}
	disclosed := stored
	disclosed.Session = text
	return outcome{stored: stored, disclosed: disclosed}, nil
}

// createReadWriteSession makes an expiring API key for the caller and seals its
// private half to the target key. The bundle is shown once.
func createReadWriteSession(run execution, p wire.CreateReadWriteSessionParameters) (outcome, error) {
	if p.UserID != "" && p.UserID != run.caller.User.ID {
		// A session for somebody else would act in his name.
		return outcome{}, wire.Denied()
	}
	target, err := bundle.ParseTarget(p.TargetPublicKey)
	if err != nil {
		return outcome{}, wire.Invalid("target public key is not a valid compressed public key: %s", shorten(p.TargetPublicKey)).Because(err)
	}
	expiration, err := run.sessionSeconds(p.ExpirationSeconds)
	if err != nil {
		return outcome{}, err
	}
	name := p.APIKeyName
	if name == "" {
		name = "Read Write Session - " + time.UnixMilli(run.now).UTC().Format(time.RFC3339)
	}
	if err := checkName("apiKeyName", name); err != nil {
		return outcome{}, err
	}
	if p.InvalidateExisting {
		if err := run.tx.DeleteAPIKeysOfType(run.caller.User.ID, wire.CredentialReadWriteSession); err != nil {
			return outcome{}, err
		}
	}
	private, publicKey, err := stamp.NewKey()
	if err != nil {
		return outcome{}, err
	}
	defer private.Wipe()
	keyID, err := run.addAPIKey(run.caller.User, store.APIKey{
		Name: name, PublicKey: publicKey, CredentialType: wire.CredentialReadWriteSession, ExpirationSeconds: &expiration,
	})
	if err != nil {
		return outcome{}, err
	}
	sealed, err := bundle.SealCredential(target, private)
	if err != nil {
		return outcome{}, err
	}
	who := identity(run.caller)
	stored := wire.CreateReadWriteSessionResult{
		OrganizationID: who.OrganizationID, OrganizationName: who.OrganizationName, UserID: who.UserID, Username: who.Username,
		APIKeyID: keyID,
	}
	disclosed := stored
	disclosed.CredentialBundle = sealed
	return outcome{stored: stored, disclosed: disclosed}, nil
}

func (run execution) sessionSeconds(asked *wire.Int64) (int64, error) {
	if asked == nil {
		return run.engine.limits.Session.ReadWriteSeconds, nil
	}
	if *asked < 1 || *asked > maxSessionSeconds {
		return 0, wire.Invalid("invalid api key expiration")
	}
	return int64(*asked), nil
}

// shorten keeps what a client sent from filling an error text.
func shorten(text string) string {
	const longest = 2 * 65 // an uncompressed key in hex
	if len(text) > longest {
		return text[:longest] + "…"
	}
	return text
}
