package account

import (
	"context"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"tenfold/catalog"
	"tenfold/internal/custodyclient"
	"tenfold/internal/fault"
)

// The provider's names of the address formats that we use.
const (
	formatEthereum = "ADDRESS_FORMAT_ETHEREUM"
	formatSolana   = "ADDRESS_FORMAT_SOLANA"
)

// An address never changes its owner, so remembering it for a while is safe;
// the bound lets new addresses appear.
const (
	rememberFor = time.Minute
	rememberMax = 10_000
)

// noAccountMessage is the specification's text for a person without a wallet.
const noAccountMessage = "No account found. Let's create one and get started!"

// Custody is what the service asks of the provider.
type Custody interface {
	ListWallets(ctx context.Context, organizationID string) ([]custodyclient.Wallet, error)
	ListWalletAccounts(ctx context.Context, organizationID, walletID string) ([]custodyclient.WalletAccount, error)
}

// Service answers which addresses a person has.
type Service struct {
	custody Custody
	known   *otter.Cache[string, []Account]
}

// New makes the service.
func New(custody Custody) (*Service, error) {
	known, err := otter.New(&otter.Options[string, []Account]{
		MaximumSize:      rememberMax,
		ExpiryCalculator: otter.ExpiryWriting[string, []Account](rememberFor),
	})
	if err != nil {
		return nil, fmt.Errorf("account: cache: %w", err)
	}
	return &Service{custody: custody, known: known}, nil
}

// Of lists the addresses of a sub-organization's wallets in the order of their
// making. Faults: custody_unavailable, custody_refused.
func (s *Service) Of(ctx context.Context, organizationID string) ([]Account, error) {
	load := otter.LoaderFunc[string, []Account](func(ctx context.Context, organizationID string) ([]Account, error) {
		// Several callers share one reading, so it must not end with the first
		// caller's request.
		return s.read(context.WithoutCancel(ctx), organizationID)
	})
	accounts, err := s.known.Get(ctx, organizationID, load)
	if err != nil {
		return nil, custodyclient.AsFault(err)
	}
	if len(accounts) == 0 {
		s.known.Invalidate(organizationID) // the wallet may be made any moment
	}
	return accounts, nil
}

func (s *Service) read(ctx context.Context, organizationID string) ([]Account, error) {
	wallets, err := s.custody.ListWallets(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	var accounts []Account
	for _, w := range wallets {
		derived, err := s.custody.ListWalletAccounts(ctx, organizationID, w.WalletID)
		if err != nil {
			return nil, err
		}
		for _, d := range derived {
			switch d.AddressFormat {
			case formatEthereum:
				accounts = append(accounts, Account{Kind: EVM, Address: d.Address, WalletID: w.WalletID, ChainIDs: chainIDs(true)})
			case formatSolana:
				accounts = append(accounts, Account{Kind: Solana, Address: d.Address, WalletID: w.WalletID, ChainIDs: chainIDs(false)})
			}
		}
	}
	return accounts, nil
}

func chainIDs(evm bool) []int64 {
	var ids []int64
	for _, c := range catalog.Chains() {
		if c.IsEVM == evm {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// AddressOn is the person's address on a chain: the first of his wallet's that
// is good for it. A person without one gets fault invalid_request.
func (s *Service) AddressOn(ctx context.Context, organizationID string, chain catalog.Chain) (string, error) {
	accounts, err := s.Of(ctx, organizationID)
	if err != nil {
		return "", err
	}
	kind := Solana
	if chain.IsEVM {
		kind = EVM
	}
	for _, a := range accounts {
		if a.Kind == kind {
			return a.Address, nil
		}
	}
	return "", fault.New(fault.InvalidRequest, noAccountMessage)
}
