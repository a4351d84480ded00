package engine

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
)

// authenticatorModel is what the provider shows for passkeys of any make.
const authenticatorModel = "Security key"

// user reads a user with its credentials, or sqldb.ErrNotFound.
func (v view) user(organizationID, userID string) (wire.User, error) {
	row, err := v.tx.User(organizationID, userID)
	if err != nil {
		return wire.User{}, err
	}
	keys, err := v.tx.APIKeysOfUser(row.ID)
	if err != nil {
		return wire.User{}, err
	}
	authenticators, err := v.tx.AuthenticatorsOfUser(row.ID)
	if err != nil {
		return wire.User{}, err
	}
	user := wire.User{
		UserID: row.ID, UserName: row.Name, UserEmail: valueOf(row.Email), UserPhone: valueOf(row.PhoneNumber),
		Authenticators: []wire.Authenticator{}, APIKeys: []wire.APIKey{}, UserTags: []string{}, OAuthProviders: []any{},
		CreatedAt: wire.TimestampOf(row.CreatedAt), UpdatedAt: wire.TimestampOf(row.UpdatedAt),
	}
	for _, key := range keys {
		user.APIKeys = append(user.APIKeys, apiKeyEntity(key))
	}
	for _, authenticator := range authenticators {
		entity, err := authenticatorEntity(authenticator)
		if err != nil {
			return wire.User{}, err
		}
		user.Authenticators = append(user.Authenticators, entity)
	}
	return user, nil
}

func apiKeyEntity(key store.APIKey) wire.APIKey {
	return wire.APIKey{
		Credential: wire.Credential{PublicKey: key.PublicKey, Type: key.CredentialType},
		APIKeyID:   key.ID, APIKeyName: key.Name, ExpirationSeconds: (*wire.Int64)(key.ExpirationSeconds),
		CreatedAt: wire.TimestampOf(key.CreatedAt), UpdatedAt: wire.TimestampOf(key.CreatedAt),
	}
}

func authenticatorEntity(row store.Authenticator) (wire.Authenticator, error) {
	transports := []string{}
	if err := json.Unmarshal([]byte(row.Transports), &transports); err != nil {
		return wire.Authenticator{}, fmt.Errorf("stored transports: %w", err)
	}
	return wire.Authenticator{
		Transports: transports, AttestationType: "none",
		AAGUID:       base64.RawURLEncoding.EncodeToString(row.Aaguid),
		CredentialID: row.CredentialID, Model: authenticatorModel,
		Credential: wire.Credential{
			PublicKey: base64.RawURLEncoding.EncodeToString(row.PublicKey), Type: wire.CredentialWebAuthn,
		},
		AuthenticatorID: row.ID, AuthenticatorName: row.Name,
		CreatedAt: wire.TimestampOf(row.CreatedAt), UpdatedAt: wire.TimestampOf(row.CreatedAt),
	}, nil
}

func walletEntity(row store.Wallet) wire.Wallet {
	return wire.Wallet{
		WalletID: row.ID, WalletName: row.Name,
		CreatedAt: wire.TimestampOf(row.CreatedAt), UpdatedAt: wire.TimestampOf(row.CreatedAt),
	}
}

func accountEntity(row store.WalletAccount) wire.WalletAccount {
	return wire.WalletAccount{
		WalletAccountID: row.ID, OrganizationID: row.OrganizationID, WalletID: row.WalletID, Curve: row.Curve,
		PathFormat: wire.PathFormatBIP32, Path: row.Path, AddressFormat: row.AddressFormat, Address: row.Address,
		PublicKey: row.PublicKey,
		CreatedAt: wire.TimestampOf(row.CreatedAt), UpdatedAt: wire.TimestampOf(row.CreatedAt),
	}
}

func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
