package custodyclient

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// whoamiPath is the only query that is forwarded for a person.
const whoamiPath = "/public/v1/query/whoami"

// pageSize is the most that the provider gives at once.
const pageSize = 100

// Identity says who stamped a request. The names beside the ids are not decoded.
type Identity struct {
	OrganizationID string `json:"organizationId"`
	UserID         string `json:"userId"`
}

// ForwardWhoami sends a whoami request exactly as a person stamped it.
func (c *Client) ForwardWhoami(ctx context.Context, body []byte, headerName, headerValue string) (Identity, error) {
	var who Identity
	err := c.post(ctx, whoamiPath, stamped{body: body, headerName: headerName, headerValue: headerValue}, &who)
	return who, err
}

// Timestamp is the provider's form of a moment.
type Timestamp struct {
	Seconds string `json:"seconds"`
	Nanos   string `json:"nanos"`
}

// Time converts to a time.
func (t Timestamp) Time() (time.Time, error) {
	seconds, err := strconv.ParseInt(t.Seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("custody: timestamp: %w", err)
	}
	nanos := int64(0)
	if t.Nanos != "" {
		if nanos, err = strconv.ParseInt(t.Nanos, 10, 64); err != nil {
			return time.Time{}, fmt.Errorf("custody: timestamp: %w", err)
		}
	}
	return time.Unix(seconds, nanos), nil
}

// APIKey is one API key of a user.
type APIKey struct {
	Credential struct {
		PublicKey string `json:"publicKey"`
	} `json:"credential"`
	CreatedAt Timestamp `json:"createdAt"`
	// ExpirationSeconds is the key's whole life, a decimal string; empty when it
	// never expires.
	ExpirationSeconds string `json:"expirationSeconds"`
}

// ExpiresAt is when the key ends; ok is false for one that does not expire.
func (k APIKey) ExpiresAt() (at time.Time, ok bool, err error) {
	if k.ExpirationSeconds == "" {
		return time.Time{}, false, nil
	}
	seconds, err := strconv.ParseInt(k.ExpirationSeconds, 10, 64)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("custody: expirationSeconds: %w", err)
	}
	created, err := k.CreatedAt.Time()
	if err != nil {
		return time.Time{}, false, err
	}
	return created.Add(time.Duration(seconds) * time.Second), true, nil
}

// User is what the app server reads of a user: his API keys. Name, email, phone
// and passkeys are not decoded.
type User struct {
	APIKeys []APIKey `json:"apiKeys"`
}

// GetUser reads a user of a sub-organization as the parent.
func (c *Client) GetUser(ctx context.Context, organizationID, userID string) (User, error) {
	var answer struct {
		User User `json:"user"`
	}
	err := c.call(ctx, "/public/v1/query/get_user", map[string]any{
		"organizationId": organizationID, "userId": userID,
	}, &answer)
	return answer.User, err
}

// Wallet is one HD wallet.
type Wallet struct {
	WalletID string `json:"walletId"`
}

// ListWallets lists a sub-organization's wallets as the parent.
func (c *Client) ListWallets(ctx context.Context, organizationID string) ([]Wallet, error) {
	var answer struct {
		Wallets []Wallet `json:"wallets"`
	}
	err := c.call(ctx, "/public/v1/query/list_wallets", map[string]any{"organizationId": organizationID}, &answer)
	return answer.Wallets, err
}

// WalletAccount is one derived address of a wallet.
type WalletAccount struct {
	AddressFormat string `json:"addressFormat"` // ADDRESS_FORMAT_ETHEREUM or ADDRESS_FORMAT_SOLANA
	Address       string `json:"address"`
}

// ListWalletAccounts lists the first hundred addresses of a wallet as the parent.
func (c *Client) ListWalletAccounts(ctx context.Context, organizationID, walletID string) ([]WalletAccount, error) {
	var answer struct {
		Accounts []WalletAccount `json:"accounts"`
	}
	err := c.call(ctx, "/public/v1/query/list_wallet_accounts", map[string]any{
		"organizationId": organizationID, "walletId": walletID,
		"paginationOptions": map[string]string{"limit": strconv.Itoa(pageSize)},
	}, &answer)
	return answer.Accounts, err
}
