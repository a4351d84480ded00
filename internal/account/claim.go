package account

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"tenfold/internal/fault"
)

const (
	faucetTimeout     = 60 * time.Second // it answers after inclusion on every chain
	maxFaucetResponse = 1 << 20
	messageFaucet     = "The faucet can't be reached. Please try again in a moment."
)

// FaucetUnreachable is the code for a faucet that does not answer.
const FaucetUnreachable fault.Code = "faucet_unreachable"

// Faucet asks a local network's faucet for starting funds.
type Faucet struct {
	url      string
	accounts *Service
	client   *http.Client
}

// NewFaucet makes the client of the faucet at a URL.
func NewFaucet(url string, accounts *Service) *Faucet {
	return &Faucet{url: url, accounts: accounts, client: &http.Client{Timeout: faucetTimeout}}
}

// Claim tops up the person's addresses. Repeating it is harmless: the faucet
// fills up to an amount. Faults: faucet_unreachable and those of custody.
func (f *Faucet) Claim(ctx context.Context, organizationID string) ([]FaucetTransaction, error) {
	accounts, err := f.accounts.Of(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	var request struct {
		EVMAddress    string `json:"evmAddress,omitempty"`
		SolanaAddress string `json:"solanaAddress,omitempty"`
	}
	for _, a := range accounts {
		switch {
		case a.Kind == EVM && request.EVMAddress == "":
			request.EVMAddress = a.Address
		case a.Kind == Solana && request.SolanaAddress == "":
			request.SolanaAddress = a.Address
		}
	}
	if request.EVMAddress == "" && request.SolanaAddress == "" {
		return nil, fault.New(fault.InvalidRequest, noAccountMessage)
	}
	transactions, err := f.ask(ctx, request)
	if err != nil {
		return nil, fault.Wrap(FaucetUnreachable, messageFaucet, err)
	}
	return transactions, nil
}

func (f *Faucet) ask(ctx context.Context, request any) ([]FaucetTransaction, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header.Set("Content-Type", "application/json")
	response, err := f.client.Do(post)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxFaucetResponse))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the faucet answered with status %d", response.StatusCode)
	}
	var answer struct {
		Transactions []struct {
			ChainID int64  `json:"chainId"`
			Hash    string `json:"hash"`
		} `json:"transactions"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, errors.New("the faucet's answer can't be read")
	}
	var transactions []FaucetTransaction
	for _, t := range answer.Transactions {
		transactions = append(transactions, FaucetTransaction(t))
	}
	return transactions, nil
}
