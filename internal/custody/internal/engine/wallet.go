package engine

import (
	"errors"

	"tenfold/internal/custody/internal/signer"
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/hd"
	"tenfold/internal/secret"
	"tenfold/internal/sqldb"
)

// defaultMnemonicLength is the number of words when the client names none.
const defaultMnemonicLength = 12

func createWallet(run execution, p wire.WalletParameters) (outcome, error) {
	result, err := run.newWallet(run.caller.Organization.ID, p)
	return outcome{stored: result}, err
}

// newWallet makes a wallet of fresh entropy and derives its first accounts.
func (run execution) newWallet(organizationID string, p wire.WalletParameters) (wire.CreateWalletResult, error) {
	if err := run.checkWallet(organizationID, p); err != nil {
		return wire.CreateWalletResult{}, err
	}
	words := defaultMnemonicLength
	if p.MnemonicLength != nil {
		words = *p.MnemonicLength
	}
	entropy, err := hd.NewEntropy(words)
	if err != nil {
		return wire.CreateWalletResult{}, wire.Invalid("invalid mnemonic length").Because(err)
	}
	defer entropy.Wipe()
	mnemonic, err := hd.Mnemonic(entropy)
	if err != nil {
		return wire.CreateWalletResult{}, err
	}
	defer mnemonic.Wipe()
	seed := hd.Seed(mnemonic, secret.Bytes{})
	defer seed.Wipe()

	id, err := newID()
	if err != nil {
		return wire.CreateWalletResult{}, err
	}
	wallet := store.Wallet{ID: id, OrganizationID: organizationID, Name: p.WalletName, CreatedAt: run.now}
	err = run.tx.InsertWallet(wallet, entropy, seed)
	if errors.Is(err, sqldb.ErrUniqueViolation) {
		return wire.CreateWalletResult{}, wire.Exists("wallet label must be unique").Because(err)
	}
	if err != nil {
		return wire.CreateWalletResult{}, err
	}
	addresses, err := run.addAccounts(wallet, seed, p.Accounts)
	return wire.CreateWalletResult{WalletID: id, Addresses: addresses}, err
}

func (run execution) checkWallet(organizationID string, p wire.WalletParameters) error {
	if err := checkName("walletName", p.WalletName); err != nil {
		return err
	}
	count, err := run.tx.CountWallets(organizationID)
	if err != nil {
		return err
	}
	if count >= int64(run.engine.limits.Custody.WalletsPerOrganization) {
		return wire.Exhausted("organization has exceeded maximum wallets")
	}
	return nil
}

func createWalletAccounts(run execution, p wire.CreateWalletAccountsParameters) (outcome, error) {
	wallet, err := run.tx.Wallet(run.caller.Organization.ID, p.WalletID)
	if err != nil {
		return outcome{}, missing(err, "wallet not found")
	}
	if len(p.Accounts) == 0 {
		return outcome{}, wire.Invalid("invalid request body: missing field `accounts`")
	}
	seed, err := run.tx.OpenSeed(wallet)
	if err != nil {
		return outcome{}, err
	}
	defer seed.Wipe()
	addresses, err := run.addAccounts(wallet, seed, p.Accounts)
	return outcome{stored: wire.CreateWalletAccountsResult{Addresses: addresses}}, err
}

// addAccounts derives and stores accounts; the addresses are in the same order.
func (run execution) addAccounts(wallet store.Wallet, seed secret.Bytes, accounts []wire.AccountParameters) ([]string, error) {
	if len(accounts) > run.engine.limits.Custody.AccountsPerRequest {
		return nil, wire.Exhausted("too many accounts in one request")
	}
	addresses := make([]string, 0, len(accounts))
	for _, p := range accounts {
		account, err := deriveAccount(seed, p)
		if err != nil {
			return nil, err
		}
		if account.ID, err = newID(); err != nil {
			return nil, err
		}
		account.OrganizationID, account.WalletID, account.CreatedAt = wallet.OrganizationID, wallet.ID, run.now
		err = run.tx.InsertWalletAccount(account)
		if errors.Is(err, sqldb.ErrUniqueViolation) {
			return nil, wire.Exists("path already exists in wallet account %s", p.Path).Because(err)
		}
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, account.Address)
	}
	return addresses, nil
}

// deriveAccount checks an account's description and derives its address.
func deriveAccount(seed secret.Bytes, p wire.AccountParameters) (store.WalletAccount, error) {
	if p.Curve == "" {
		return store.WalletAccount{}, wire.Invalid("curve required")
	}
	curve, err := signer.Curve(p.Curve)
	if err != nil {
		return store.WalletAccount{}, wire.Invalid("invalid curve").Because(err)
	}
	if p.PathFormat != wire.PathFormatBIP32 {
		return store.WalletAccount{}, wire.Invalid("invalid path format")
	}
	path, err := hd.ParsePath(p.Path)
	if err != nil {
		return store.WalletAccount{}, wire.Invalid("invalid path").Because(err)
	}
	key, err := hd.Derive(seed, curve, path)
	if err != nil {
		return store.WalletAccount{}, wire.Invalid("invalid path").Because(err)
	}
	defer key.Wipe()
	address, publicKey, err := signer.Address(curve, p.AddressFormat, key)
	switch {
	case errors.Is(err, signer.ErrFormat):
		return store.WalletAccount{}, wire.Invalid("invalid address format").Because(err)
	case errors.Is(err, signer.ErrCurve):
		return store.WalletAccount{}, wire.Invalid("invalid curve").Because(err)
	case err != nil:
		return store.WalletAccount{}, err
	}
	return store.WalletAccount{
		Curve: p.Curve, Path: path.String(), AddressFormat: p.AddressFormat,
		Address: address, AddressLookup: signer.Lookup(address), PublicKey: publicKey,
	}, nil
}
