package store

import (
	"fmt"

	"tenfold/internal/custody/internal/store/queries"
	"tenfold/internal/seal"
	"tenfold/internal/secret"
	"tenfold/internal/sqldb"
)

func entropyPlace(w Wallet) seal.Place {
	return seal.Place{Owner: w.OrganizationID, Table: "wallets", Row: w.ID, Column: "sealed_entropy"}
}

func seedPlace(w Wallet) seal.Place {
	return seal.Place{Owner: w.OrganizationID, Table: "wallets", Row: w.ID, Column: "sealed_seed"}
}

// InsertWallet seals and stores a wallet's secrets. The error is
// sqldb.ErrUniqueViolation when the organization has a wallet of this name.
func (tx *Tx) InsertWallet(w Wallet, entropy, seed secret.Bytes) error {
	key, err := tx.dataKey(w.OrganizationID)
	if err != nil {
		return err
	}
	if w.SealedEntropy, err = key.Seal(entropyPlace(w), entropy); err != nil {
		return err
	}
	if w.SealedSeed, err = key.Seal(seedPlace(w), seed); err != nil {
		return err
	}
	if err := tx.queries.InsertWallet(tx.ctx, queries.InsertWalletParams(w)); err != nil {
		return fmt.Errorf("insert wallet: %w", err)
	}
	return nil
}

// Wallet reads a wallet of an organization, or sqldb.ErrNotFound.
func (tx *Tx) Wallet(organizationID, id string) (Wallet, error) {
	w, err := tx.queries.Wallet(tx.ctx, queries.WalletParams{OrganizationID: organizationID, ID: id})
	if err != nil {
		return Wallet{}, fmt.Errorf("read wallet: %w", err)
	}
	return w, nil
}

// Wallets reads all wallets of an organization, without their secrets.
func (tx *Tx) Wallets(organizationID string) ([]Wallet, error) {
	found, err := tx.queries.Wallets(tx.ctx, organizationID)
	if err != nil {
		return nil, fmt.Errorf("read wallets: %w", err)
	}
	wallets := make([]Wallet, len(found))
	for i, w := range found {
		wallets[i] = Wallet{ID: w.ID, OrganizationID: w.OrganizationID, Name: w.Name, CreatedAt: w.CreatedAt}
	}
	return wallets, nil
}

// CountWallets counts an organization's wallets.
func (tx *Tx) CountWallets(organizationID string) (int64, error) {
	count, err := tx.queries.CountWallets(tx.ctx, organizationID)
	if err != nil {
		return 0, fmt.Errorf("count wallets: %w", err)
	}
	return count, nil
}

// OpenSeed opens a wallet's seed. The caller wipes it.
func (tx *Tx) OpenSeed(w Wallet) (secret.Bytes, error) {
	key, err := tx.dataKey(w.OrganizationID)
	if err != nil {
		return secret.Bytes{}, err
	}
	return key.Open(seedPlace(w), w.SealedSeed)
}

// InsertWalletAccount stores an address. The error is sqldb.ErrUniqueViolation
// when the wallet has the path in this format already.
func (tx *Tx) InsertWalletAccount(a WalletAccount) error {
	if err := tx.queries.InsertWalletAccount(tx.ctx, queries.InsertWalletAccountParams(a)); err != nil {
		return fmt.Errorf("insert wallet account: %w", err)
	}
	return nil
}

// AccountByAddress reads the account with an address in its lookup form, or
// sqldb.ErrNotFound.
func (tx *Tx) AccountByAddress(organizationID, lookup string) (WalletAccount, error) {
	found, err := tx.queries.WalletAccountsByAddress(tx.ctx,
		queries.WalletAccountsByAddressParams{OrganizationID: organizationID, AddressLookup: lookup})
	if err != nil {
		return WalletAccount{}, fmt.Errorf("read wallet account: %w", err)
	}
	if len(found) == 0 {
		return WalletAccount{}, fmt.Errorf("read wallet account: %w", sqldb.ErrNotFound)
	}
	return found[0], nil
}

// Page selects a part of a list in ascending order of ids.
type Page struct {
	Limit int32
	// After and Before are ids; the items lie beyond them. At most one is set.
	After, Before string
}

// WalletAccounts reads a page of the accounts of a wallet, or of the whole
// organization when walletID is empty.
func (tx *Tx) WalletAccounts(organizationID, walletID string, page Page) ([]WalletAccount, error) {
	if page.Before == "" {
		found, err := tx.queries.WalletAccountsAfter(tx.ctx, queries.WalletAccountsAfterParams{
			OrganizationID: organizationID, WalletID: walletID, Cursor: page.After, PageSize: page.Limit,
		})
		if err != nil {
			return nil, fmt.Errorf("read wallet accounts: %w", err)
		}
		return found, nil
	}
	found, err := tx.queries.WalletAccountsBefore(tx.ctx, queries.WalletAccountsBeforeParams{
		OrganizationID: organizationID, WalletID: walletID, Cursor: page.Before, PageSize: page.Limit,
	})
	if err != nil {
		return nil, fmt.Errorf("read wallet accounts: %w", err)
	}
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found, nil
}
