package wire

import "encoding/json"

// PathFormatBIP32 is the only path format.
const PathFormatBIP32 = "PATH_FORMAT_BIP32"

// APIKeyCurveP256 is the only curve of API keys so far.
const APIKeyCurveP256 = "API_KEY_CURVE_P256"

// CreateSubOrganizationParameters are those of versions 7 and 8.
type CreateSubOrganizationParameters struct {
	SubOrganizationName string            `json:"subOrganizationName"`
	RootUsers           []RootUser        `json:"rootUsers"`
	RootQuorumThreshold int32             `json:"rootQuorumThreshold"`
	Wallet              *WalletParameters `json:"wallet"`
	// VerificationToken and ClientSignature prove a contact; version 8 only.
	VerificationToken string          `json:"verificationToken"`
	ClientSignature   json.RawMessage `json:"clientSignature"`
}

// RootUser is a user of a new sub-organization with its credentials.
type RootUser struct {
	UserName       string                    `json:"userName"`
	UserEmail      string                    `json:"userEmail"`
	UserPhone      string                    `json:"userPhoneNumber"`
	APIKeys        []APIKeyParameters        `json:"apiKeys"`
	Authenticators []AuthenticatorParameters `json:"authenticators"`
	OAuthProviders []json.RawMessage         `json:"oauthProviders"`
}

// APIKeyParameters register a public key; ExpirationSeconds nil means for good.
type APIKeyParameters struct {
	APIKeyName        string `json:"apiKeyName"`
	PublicKey         string `json:"publicKey"`
	CurveType         string `json:"curveType"`
	ExpirationSeconds *Int64 `json:"expirationSeconds"`
}

// AuthenticatorParameters register a passkey.
type AuthenticatorParameters struct {
	AuthenticatorName string      `json:"authenticatorName"`
	Challenge         string      `json:"challenge"`
	Attestation       Attestation `json:"attestation"`
}

// Attestation is the browser's registration answer; all fields are base64url but
// the transports.
type Attestation struct {
	CredentialID      string   `json:"credentialId"`
	ClientDataJSON    string   `json:"clientDataJson"`
	AttestationObject string   `json:"attestationObject"`
	Transports        []string `json:"transports"`
}

// WalletParameters describe a new wallet.
type WalletParameters struct {
	WalletName     string              `json:"walletName"`
	Accounts       []AccountParameters `json:"accounts"`
	MnemonicLength *int                `json:"mnemonicLength"`
}

// AccountParameters describe a derived address.
type AccountParameters struct {
	Curve         string `json:"curve"`
	PathFormat    string `json:"pathFormat"`
	Path          string `json:"path"`
	AddressFormat string `json:"addressFormat"`
}

// CreateWalletAccountsParameters add addresses to a wallet.
type CreateWalletAccountsParameters struct {
	WalletID string              `json:"walletId"`
	Accounts []AccountParameters `json:"accounts"`
}

// CreateReadOnlySessionParameters are empty.
type CreateReadOnlySessionParameters struct{}

// CreateReadWriteSessionParameters are those of version 2.
type CreateReadWriteSessionParameters struct {
	TargetPublicKey    string `json:"targetPublicKey"`
	UserID             string `json:"userId"`
	APIKeyName         string `json:"apiKeyName"`
	ExpirationSeconds  *Int64 `json:"expirationSeconds"`
	InvalidateExisting bool   `json:"invalidateExisting"`
}

// SignRawPayloadParameters ask for one signature over a payload.
type SignRawPayloadParameters struct {
	SignWith     string `json:"signWith"`
	Payload      string `json:"payload"`
	Encoding     string `json:"encoding"`
	HashFunction string `json:"hashFunction"`
}

// SignTransactionParameters ask for a signed transaction.
type SignTransactionParameters struct {
	SignWith            string `json:"signWith"`
	UnsignedTransaction string `json:"unsignedTransaction"`
	Type                string `json:"type"`
}

// Pagination selects a part of a list. Before and After are object ids.
type Pagination struct {
	Limit  Int64  `json:"limit"`
	Before string `json:"before"`
	After  string `json:"after"`
}
