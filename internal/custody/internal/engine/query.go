package engine

import (
	"encoding/json"
	"errors"
	"fmt"

	"tenfold/internal/custody/internal/authn"
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/sqldb"
)

// query is one read.
type query struct {
	access authn.Access
	answer func(v view, body json.RawMessage) (any, error)
}

// queries is the registry of reads by path.
var queries = map[string]query{
	"whoami":               {authn.Identify, whoami},
	"get_user":             {authn.Read, ask(getUser)},
	"get_wallet":           {authn.Read, ask(getWallet)},
	"list_wallets":         {authn.Read, listWallets},
	"list_wallet_accounts": {authn.Read, ask(listWalletAccounts)},
	"get_activity":         {authn.Identify, ask(getActivity)},
}

// ask decodes a query's parameters, which stand beside the envelope's fields.
func ask[P any](answer func(view, P) (any, error)) func(view, json.RawMessage) (any, error) {
	return func(v view, body json.RawMessage) (any, error) {
		var parameters P
		if err := wire.Decode(body, &parameters); err != nil {
			return nil, err
		}
		return answer(v, parameters)
	}
}

// view is what an authenticated caller sees of one organization.
type view struct {
	tx     *store.Tx
	caller authn.Caller
	// organizationID is the organization that a query names. The caller may read
	// it: it is his own or a sub-organization of his own.
	organizationID string
}

// missing turns "no such row" into the answer for things that are not in the
// organization, wherever else they are.
func missing(err error, format string, args ...any) error {
	if errors.Is(err, sqldb.ErrNotFound) {
		return wire.Missing(format, args...)
	}
	return err
}

func whoami(v view, _ json.RawMessage) (any, error) { return identity(v.caller), nil }

func identity(caller authn.Caller) wire.Whoami {
	return wire.Whoami{
		OrganizationID: caller.Organization.ID, OrganizationName: caller.Organization.Name,
		UserID: caller.User.ID, Username: caller.User.Name,
	}
}

func getUser(v view, p struct {
	UserID string `json:"userId"`
},
) (any, error) {
	user, err := v.user(v.organizationID, p.UserID)
	if err != nil {
		return nil, missing(err, "user not found")
	}
	return struct {
		User wire.User `json:"user"`
	}{user}, nil
}

func getWallet(v view, p struct {
	WalletID string `json:"walletId"`
},
) (any, error) {
	wallet, err := v.tx.Wallet(v.organizationID, p.WalletID)
	if err != nil {
		return nil, missing(err, "wallet not found")
	}
	return struct {
		Wallet wire.Wallet `json:"wallet"`
	}{walletEntity(wallet)}, nil
}

func listWallets(v view, _ json.RawMessage) (any, error) {
	found, err := v.tx.Wallets(v.organizationID)
	if err != nil {
		return nil, err
	}
	wallets := make([]wire.Wallet, len(found))
	for i, wallet := range found {
		wallets[i] = walletEntity(wallet)
	}
	return struct {
		Wallets []wire.Wallet `json:"wallets"`
	}{wallets}, nil
}

func listWalletAccounts(v view, p struct {
	WalletID   string          `json:"walletId"`
	Pagination wire.Pagination `json:"paginationOptions"`
},
) (any, error) {
	page, err := readPage(p.Pagination)
	if err != nil {
		return nil, err
	}
	if p.WalletID != "" {
		if _, err := v.tx.Wallet(v.organizationID, p.WalletID); err != nil {
			return nil, missing(err, "wallet not found")
		}
	}
	found, err := v.tx.WalletAccounts(v.organizationID, p.WalletID, page)
	if err != nil {
		return nil, err
	}
	accounts := make([]wire.WalletAccount, len(found))
	for i, account := range found {
		accounts[i] = accountEntity(account)
	}
	return struct {
		Accounts []wire.WalletAccount `json:"accounts"`
	}{accounts}, nil
}

// Bounds of a page, as the provider publishes them.
const (
	defaultPageSize = 10
	maxPageSize     = 100
)

func readPage(p wire.Pagination) (store.Page, error) {
	limit := p.Limit
	if limit == 0 {
		limit = defaultPageSize
	}
	if limit < 1 || limit > maxPageSize {
		return store.Page{}, wire.Invalid("invalid pagination limit: must be between 1 and %d", maxPageSize)
	}
	if p.Before != "" && p.After != "" {
		return store.Page{}, wire.Invalid("invalid pagination: before and after exclude each other")
	}
	return store.Page{Limit: int32(limit), After: p.After, Before: p.Before}, nil
}

// getActivity finds an activity by its id alone: older clients name the parent
// when they ask for an activity of their sub-organization. What counts is the
// caller's own organization, which must be the activity's or its parent.
func getActivity(v view, p struct {
	ActivityID string `json:"activityId"`
},
) (any, error) {
	const notFound = "activity not found"
	row, err := v.tx.Activity(p.ActivityID)
	if err != nil {
		return nil, missing(err, notFound)
	}
	if row.OrganizationID != v.caller.Organization.ID {
		organization, err := v.tx.Organization(row.OrganizationID)
		if err != nil {
			return nil, err
		}
		if valueOf(organization.ParentID) != v.caller.Organization.ID {
			return nil, wire.Missing(notFound)
		}
	}
	return activityAnswer(v, row, nil)
}

// votes reads an activity's votes with the users who gave them.
func (v view) votes(row store.Activity) ([]wire.Vote, error) {
	found, err := v.tx.Votes(row.ID)
	if err != nil {
		return nil, err
	}
	votes := make([]wire.Vote, len(found))
	for i, vote := range found {
		user, err := v.user(row.OrganizationID, vote.UserID)
		if err != nil {
			return nil, fmt.Errorf("voter: %w", err)
		}
		votes[i] = wire.Vote{
			ID: vote.ID, UserID: vote.UserID, User: user, ActivityID: vote.ActivityID, Selection: vote.Selection,
			Message: string(vote.Message), PublicKey: vote.PublicKey, Signature: vote.Signature, Scheme: vote.Scheme,
			CreatedAt: wire.TimestampOf(vote.CreatedAt),
		}
	}
	return votes, nil
}
