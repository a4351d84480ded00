package wire

import "encoding/json"

// Activity statuses in use.
const (
	StatusPending   = "ACTIVITY_STATUS_PENDING"
	StatusCompleted = "ACTIVITY_STATUS_COMPLETED"
)

// VoteApproved is the selection of a submitter's own vote.
const VoteApproved = "VOTE_SELECTION_APPROVED"

// Credential types in use.
const (
	CredentialWebAuthn         = "CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR"
	CredentialAPIKeyP256       = "CREDENTIAL_TYPE_API_KEY_P256"
	CredentialReadWriteSession = "CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256"
)

// SchemeWebAuthn names a passkey's signature in a vote. The provider's own word
// is not published.
const SchemeWebAuthn = "SIGNATURE_SCHEME_TK_WEBAUTHN"

// Activity is the envelope of every write's answer.
type Activity struct {
	ID             string                     `json:"id"`
	OrganizationID string                     `json:"organizationId"`
	Status         string                     `json:"status"`
	Type           string                     `json:"type"`
	Intent         map[string]json.RawMessage `json:"intent"`
	Result         map[string]json.RawMessage `json:"result"`
	Votes          []Vote                     `json:"votes"`
	Fingerprint    string                     `json:"fingerprint"`
	CanApprove     bool                       `json:"canApprove"`
	CanReject      bool                       `json:"canReject"`
	CreatedAt      Timestamp                  `json:"createdAt"`
	UpdatedAt      Timestamp                  `json:"updatedAt"`
	Failure        *Failure                   `json:"failure"`
}

// Failure says why an activity failed. It is always null here: a request that
// cannot be carried out is answered with an error body and leaves no activity.
type Failure struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Details []any  `json:"details"`
}

// Vote is one person's decision on an activity, with the request that proves it.
type Vote struct {
	ID         string    `json:"id"`
	UserID     string    `json:"userId"`
	User       User      `json:"user"`
	ActivityID string    `json:"activityId"`
	Selection  string    `json:"selection"`
	Message    string    `json:"message"`
	PublicKey  string    `json:"publicKey"`
	Signature  string    `json:"signature"`
	Scheme     string    `json:"scheme"`
	CreatedAt  Timestamp `json:"createdAt"`
}

// User is a person or program in an organization.
type User struct {
	UserID         string          `json:"userId"`
	UserName       string          `json:"userName"`
	UserEmail      string          `json:"userEmail,omitempty"`
	UserPhone      string          `json:"userPhoneNumber,omitempty"`
	Authenticators []Authenticator `json:"authenticators"`
	APIKeys        []APIKey        `json:"apiKeys"`
	UserTags       []string        `json:"userTags"`
	OAuthProviders []any           `json:"oauthProviders"`
	CreatedAt      Timestamp       `json:"createdAt"`
	UpdatedAt      Timestamp       `json:"updatedAt"`
}

// Credential is the public part of a key.
type Credential struct {
	PublicKey string `json:"publicKey"`
	Type      string `json:"type"`
}

// APIKey is a registered P-256 key. It expires ExpirationSeconds after CreatedAt,
// or never when that is absent.
type APIKey struct {
	Credential        Credential `json:"credential"`
	APIKeyID          string     `json:"apiKeyId"`
	APIKeyName        string     `json:"apiKeyName"`
	CreatedAt         Timestamp  `json:"createdAt"`
	UpdatedAt         Timestamp  `json:"updatedAt"`
	ExpirationSeconds *Int64     `json:"expirationSeconds,omitempty"`
}

// Authenticator is a registered passkey. AAGUID, CredentialID and the COSE key
// are base64url.
type Authenticator struct {
	Transports        []string   `json:"transports"`
	AttestationType   string     `json:"attestationType"`
	AAGUID            string     `json:"aaguid"`
	CredentialID      string     `json:"credentialId"`
	Model             string     `json:"model"`
	Credential        Credential `json:"credential"`
	AuthenticatorID   string     `json:"authenticatorId"`
	AuthenticatorName string     `json:"authenticatorName"`
	CreatedAt         Timestamp  `json:"createdAt"`
	UpdatedAt         Timestamp  `json:"updatedAt"`
}

// Wallet is an HD wallet.
type Wallet struct {
	WalletID   string    `json:"walletId"`
	WalletName string    `json:"walletName"`
	CreatedAt  Timestamp `json:"createdAt"`
	UpdatedAt  Timestamp `json:"updatedAt"`
	Exported   bool      `json:"exported"`
	Imported   bool      `json:"imported"`
}

// WalletAccount is one derived address of a wallet.
type WalletAccount struct {
	WalletAccountID string    `json:"walletAccountId"`
	OrganizationID  string    `json:"organizationId"`
	WalletID        string    `json:"walletId"`
	Curve           string    `json:"curve"`
	PathFormat      string    `json:"pathFormat"`
	Path            string    `json:"path"`
	AddressFormat   string    `json:"addressFormat"`
	Address         string    `json:"address"`
	PublicKey       string    `json:"publicKey"`
	CreatedAt       Timestamp `json:"createdAt"`
	UpdatedAt       Timestamp `json:"updatedAt"`
}

// Whoami says which credential a request was made with.
type Whoami struct {
	OrganizationID   string `json:"organizationId"`
	OrganizationName string `json:"organizationName"`
	UserID           string `json:"userId"`
	Username         string `json:"username"`
}
