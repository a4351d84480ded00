package custodyclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"

	"tenfold/catalog"
	"tenfold/internal/stamp"
	"tenfold/internal/strictjson"
)

// Bounds of what a stranger may ask the parent to create.
const (
	maxNameLength      = 256
	maxAttestationText = 16384
)

// DefaultAccounts are the two addresses that every wallet starts with: one for
// the EVM chains, one for Solana.
var DefaultAccounts = []SubOrganizationAccount{
	{Curve: "CURVE_SECP256K1", PathFormat: "PATH_FORMAT_BIP32", Path: "m/44'/60'/0'/0/0", AddressFormat: "ADDRESS_FORMAT_ETHEREUM"},
	{Curve: "CURVE_ED25519", PathFormat: "PATH_FORMAT_BIP32", Path: "m/44'/501'/0'/0'", AddressFormat: "ADDRESS_FORMAT_SOLANA"},
}

// SubOrganization are the parameters of createSubOrganization: exactly what the
// sign-up needs, and no more.
type SubOrganization struct {
	Name          string                `json:"subOrganizationName"`
	RootUsers     []SubOrganizationUser `json:"rootUsers"`
	RootThreshold int                   `json:"rootQuorumThreshold"`
	Wallet        SubOrganizationWallet `json:"wallet"`
}

// SubOrganizationUser is the one root user.
type SubOrganizationUser struct {
	UserName       string                         `json:"userName"`
	APIKeys        []SubOrganizationAPIKey        `json:"apiKeys"`
	Authenticators []SubOrganizationAuthenticator `json:"authenticators"`
	OauthProviders []struct{}                     `json:"oauthProviders"`
}

// SubOrganizationAPIKey is the first session key.
type SubOrganizationAPIKey struct {
	Name              string `json:"apiKeyName"`
	PublicKey         string `json:"publicKey"`
	CurveType         string `json:"curveType"`
	ExpirationSeconds string `json:"expirationSeconds"`
}

// SubOrganizationAuthenticator is a passkey.
type SubOrganizationAuthenticator struct {
	Name        string      `json:"authenticatorName"`
	Challenge   string      `json:"challenge"`
	Attestation Attestation `json:"attestation"`
}

// Attestation is what the browser made when it registered the passkey.
type Attestation struct {
	CredentialID      string   `json:"credentialId"`
	ClientDataJSON    string   `json:"clientDataJson"`
	AttestationObject string   `json:"attestationObject"`
	Transports        []string `json:"transports"`
}

// SubOrganizationWallet is the wallet that comes with it.
type SubOrganizationWallet struct {
	Name           string                   `json:"walletName"`
	Accounts       []SubOrganizationAccount `json:"accounts"`
	MnemonicLength int                      `json:"mnemonicLength,omitempty"`
}

// SubOrganizationAccount is one address to derive.
type SubOrganizationAccount struct {
	Curve         string `json:"curve"`
	PathFormat    string `json:"pathFormat"`
	Path          string `json:"path"`
	AddressFormat string `json:"addressFormat"`
}

// decodeSubOrganization reads the parameters strictly: an unknown field, at any
// depth, is refused.
func decodeSubOrganization(params []byte) (SubOrganization, error) {
	var s SubOrganization
	params, err := onlyParameter(params)
	if err != nil {
		return s, err
	}
	if err := strictjson.Check(params); err != nil {
		return s, err
	}
	decoder := json.NewDecoder(bytes.NewReader(params))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return s, err
	}
	return s, s.check()
}

func (s *SubOrganization) check() error {
	switch {
	case !nameFits(s.Name):
		return errors.New("subOrganizationName is missing or too long")
	case len(s.RootUsers) != 1:
		return fmt.Errorf("rootUsers has %d users, not one", len(s.RootUsers))
	case s.RootThreshold != 1:
		return fmt.Errorf("rootQuorumThreshold is %d, not 1", s.RootThreshold)
	case !nameFits(s.Wallet.Name):
		return errors.New("walletName is missing or too long")
	case !sameAccounts(s.Wallet.Accounts):
		return errors.New("the wallet's accounts are not the two default ones")
	case s.Wallet.MnemonicLength != 0 && s.Wallet.MnemonicLength != 12 && s.Wallet.MnemonicLength != 24:
		return errors.New("mnemonicLength is neither 12 nor 24")
	}
	return s.RootUsers[0].check()
}

func (u *SubOrganizationUser) check() error {
	limits := catalog.CurrentLimits()
	switch {
	case !nameFits(u.UserName):
		return errors.New("userName is missing or too long")
	case len(u.Authenticators) == 0 || len(u.Authenticators) > limits.Custody.AuthenticatorsPerUser:
		return fmt.Errorf("%d authenticators", len(u.Authenticators))
	case len(u.APIKeys) > 1:
		return fmt.Errorf("%d API keys, at most one", len(u.APIKeys))
	case len(u.OauthProviders) != 0:
		return errors.New("oauthProviders are not part of the sign-up")
	}
	// The provider wants empty lists, not null.
	if u.APIKeys == nil {
		u.APIKeys = []SubOrganizationAPIKey{}
	}
	u.OauthProviders = []struct{}{}
	for _, k := range u.APIKeys {
		if err := k.check(limits.Session.ReadWriteSeconds); err != nil {
			return err
		}
	}
	for i := range u.Authenticators {
		if err := u.Authenticators[i].check(); err != nil {
			return err
		}
	}
	return nil
}

func (k SubOrganizationAPIKey) check(maxSeconds int64) error {
	seconds, err := strconv.ParseInt(k.ExpirationSeconds, 10, 64)
	if err != nil || seconds <= 0 || seconds > maxSeconds {
		return fmt.Errorf("the API key must expire within %d seconds", maxSeconds)
	}
	if !nameFits(k.Name) || k.CurveType != "API_KEY_CURVE_P256" {
		return errors.New("the API key's name or curve is wrong")
	}
	if _, err := stamp.NormalisePublicKey(k.PublicKey); err != nil {
		return fmt.Errorf("the API key: %w", err)
	}
	return nil
}

var transportName = regexp.MustCompile(`^AUTHENTICATOR_TRANSPORT_(BLE|INTERNAL|NFC|USB|HYBRID)$`)

func (a *SubOrganizationAuthenticator) check() error {
	for _, text := range []string{a.Challenge, a.Attestation.CredentialID, a.Attestation.ClientDataJSON, a.Attestation.AttestationObject} {
		if text == "" || len(text) > maxAttestationText {
			return errors.New("an authenticator's field is missing or too long")
		}
	}
	if a.Attestation.Transports == nil {
		a.Attestation.Transports = []string{}
	}
	for _, t := range a.Attestation.Transports {
		if !transportName.MatchString(t) {
			return fmt.Errorf("unknown transport %q", t)
		}
	}
	if !nameFits(a.Name) {
		return errors.New("authenticatorName is missing or too long")
	}
	return nil
}

func nameFits(name string) bool {
	return name != "" && utf8.ValidString(name) && len(name) <= maxNameLength
}

func sameAccounts(asked []SubOrganizationAccount) bool {
	if len(asked) != len(DefaultAccounts) {
		return false
	}
	for i, account := range DefaultAccounts {
		if asked[i] != account {
			return false
		}
	}
	return true
}
