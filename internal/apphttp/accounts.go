package apphttp

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/internal/fault"
)

// Account is one address of the person.
type Account struct {
	Kind     string  `json:"kind" enum:"evm,solana"`
	Address  string  `json:"address"`
	WalletID string  `json:"walletId"`
	ChainIDs []int64 `json:"chainIds"`
}

// AccountList is the answer of listAccounts.
type AccountList struct {
	Accounts []Account `json:"accounts"`
}

// FaucetTransaction is one payment of the faucet.
type FaucetTransaction struct {
	ChainID int64  `json:"chainId"`
	Hash    string `json:"hash"`
}

// FaucetClaim is the answer of claimFaucet.
type FaucetClaim struct {
	Transactions []FaucetTransaction `json:"transactions"`
}

// Keyed is the part of a mutation's request that names the attempt.
type Keyed struct {
	Key string `header:"Idempotency-Key" required:"true" maxLength:"128" doc:"Names this attempt; repeating it repeats nothing."`
}

func (a *API) registerAccounts() {
	huma.Register(a.huma, a.operation("listAccounts", http.MethodGet, "/accounts", "The person's addresses", signedIn), a.listAccounts)
	claim := a.operation("claimFaucet", http.MethodPost, "/faucet-claims",
		"Starting funds, on a local network", signedIn, a.requireIdempotencyKey)
	huma.Register(a.huma, claim, a.claimFaucet)
}

func (a *API) listAccounts(ctx context.Context, _ *struct{}) (*answer[AccountList], error) {
	accounts, err := a.Accounts.Of(ctx, sessionOf(ctx).OrganizationID)
	if err != nil {
		return nil, a.failed(ctx, "listAccounts", err)
	}
	list := AccountList{Accounts: []Account{}}
	for _, one := range accounts {
		list.Accounts = append(list.Accounts, Account{
			Kind: string(one.Kind), Address: one.Address, WalletID: one.WalletID, ChainIDs: one.ChainIDs,
		})
	}
	return &answer[AccountList]{Body: list}, nil
}

func (a *API) claimFaucet(ctx context.Context, _ *Keyed) (*answer[FaucetClaim], error) {
	if a.Faucet == nil {
		return nil, a.failed(ctx, "claimFaucet", fault.New(fault.FaucetUnavailable, "There is no faucet on this network."))
	}
	transactions, err := a.Faucet.Claim(ctx, sessionOf(ctx).OrganizationID)
	if err != nil {
		return nil, a.failed(ctx, "claimFaucet", err)
	}
	claim := FaucetClaim{Transactions: []FaucetTransaction{}}
	for _, t := range transactions {
		claim.Transactions = append(claim.Transactions, FaucetTransaction{ChainID: t.ChainID, Hash: t.Hash})
	}
	return &answer[FaucetClaim]{Body: claim}, nil
}
