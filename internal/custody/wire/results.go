package wire

// CreateSubOrganizationResult answers create_sub_organization.
type CreateSubOrganizationResult struct {
	SubOrganizationID string              `json:"subOrganizationId"`
	Wallet            *CreateWalletResult `json:"wallet,omitempty"`
	RootUserIDs       []string            `json:"rootUserIds"`
}

// CreateWalletResult answers create_wallet; addresses are in the order asked for.
type CreateWalletResult struct {
	WalletID  string   `json:"walletId"`
	Addresses []string `json:"addresses"`
}

// CreateWalletAccountsResult answers create_wallet_accounts.
type CreateWalletAccountsResult struct {
	Addresses []string `json:"addresses"`
}

// CreateReadOnlySessionResult answers create_read_only_session. Session is
// disclosed once; SessionExpiry is in seconds since 1970.
type CreateReadOnlySessionResult struct {
	OrganizationID   string `json:"organizationId"`
	OrganizationName string `json:"organizationName"`
	UserID           string `json:"userId"`
	Username         string `json:"username"`
	Session          string `json:"session,omitempty"`
	SessionExpiry    Int64  `json:"sessionExpiry"`
}

// CreateReadWriteSessionResult answers create_read_write_session. The bundle is
// disclosed once.
type CreateReadWriteSessionResult struct {
	OrganizationID   string `json:"organizationId"`
	OrganizationName string `json:"organizationName"`
	UserID           string `json:"userId"`
	Username         string `json:"username"`
	APIKeyID         string `json:"apiKeyId"`
	CredentialBundle string `json:"credentialBundle,omitempty"`
}

// SignRawPayloadResult answers sign_raw_payload: hex without 0x.
type SignRawPayloadResult struct {
	R string `json:"r"`
	S string `json:"s"`
	V string `json:"v"`
}

// SignTransactionResult answers sign_transaction: hex without 0x.
type SignTransactionResult struct {
	SignedTransaction string `json:"signedTransaction"`
}
