package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"tenfold/internal/custody/internal/signer"
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

// Purposes in the signature audit.
const (
	purposeRawPayload  = "raw_payload"
	purposeTransaction = "transaction"
)

func signRawPayload(run execution, p wire.SignRawPayloadParameters) (outcome, error) {
	account, err := run.signWith(p.SignWith)
	if err != nil {
		return outcome{}, err
	}
	curve, err := signer.Curve(account.Curve)
	if err != nil {
		return outcome{}, err
	}
	payload, err := signer.DecodePayload(p.Payload, p.Encoding)
	if err != nil {
		return outcome{}, wire.Invalid("invalid payload encoding").Because(err)
	}
	var result wire.SignRawPayloadResult
	err = run.audited(account, purposeRawPayload, payload, func(key secret.Bytes) (err error) {
		result, err = signer.SignPayload(curve, key, payload, p.HashFunction)
		return err
	})
	return outcome{stored: result}, refusal(err)
}

func signTransaction(run execution, p wire.SignTransactionParameters) (outcome, error) {
	account, err := run.signWith(p.SignWith)
	if err != nil {
		return outcome{}, err
	}
	publicKey, err := hex.DecodeString(account.PublicKey)
	if err != nil {
		return outcome{}, fmt.Errorf("stored public key: %w", err)
	}
	transaction, err := signer.ReadTransaction(p.Type, p.UnsignedTransaction, publicKey)
	if err != nil {
		return outcome{}, refusal(err)
	}
	if curve, err := signer.Curve(account.Curve); err != nil || curve != transaction.Curve() {
		return outcome{}, refusal(errors.Join(signer.ErrCurve, err))
	}
	var result wire.SignTransactionResult
	err = run.audited(account, purposeTransaction, transaction.Preimage(), func(key secret.Bytes) (err error) {
		result.SignedTransaction, err = transaction.Sign(key)
		return err
	})
	return outcome{stored: result}, refusal(err)
}

// signWith finds the account to sign with in the caller's organization.
func (run execution) signWith(address string) (store.WalletAccount, error) {
	if address == "" {
		return store.WalletAccount{}, wire.Invalid("invalid request body: missing field `signWith`")
	}
	account, err := run.tx.AccountByAddress(run.caller.Organization.ID, signer.Lookup(address))
	return account, missing(err, "Could not find any resource to sign with.")
}

// audited writes the audit row, opens the account's key and signs. The row, the
// activity and its result commit together, and the signature leaves the process
// only after that commit: there is no signature without its row.
func (run execution) audited(account store.WalletAccount, purpose string, payload []byte, sign func(key secret.Bytes) error) error {
	id, err := newID()
	if err != nil {
		return err
	}
	digest := sha256.Sum256(payload)
	err = run.tx.InsertSignatureAudit(store.SignatureAudit{
		ID: id, OrganizationID: account.OrganizationID, ActivityID: run.activityID, UserID: run.caller.User.ID,
		CredentialID: run.caller.CredentialID, WalletAccountID: account.ID, Purpose: purpose,
		PayloadDigest: hex.EncodeToString(digest[:]), CreatedAt: run.now,
	})
	if err != nil {
		return err
	}
	key, err := run.openKey(account)
	if err != nil {
		return err
	}
	defer key.Wipe()
	return sign(key)
}

// openKey derives an account's private key and refuses one that does not give the
// stored address: an edited row cannot make another key sign.
func (run execution) openKey(account store.WalletAccount) (secret.Bytes, error) {
	wallet, err := run.tx.Wallet(account.OrganizationID, account.WalletID)
	if err != nil {
		return secret.Bytes{}, err
	}
	seed, err := run.tx.OpenSeed(wallet)
	if err != nil {
		return secret.Bytes{}, err
	}
	defer seed.Wipe()
	curve, err := signer.Curve(account.Curve)
	if err != nil {
		return secret.Bytes{}, err
	}
	path, err := hd.ParsePath(account.Path)
	if err != nil {
		return secret.Bytes{}, err
	}
	key, err := hd.Derive(seed, curve, path)
	if err != nil {
		return secret.Bytes{}, err
	}
	address, publicKey, err := signer.Address(curve, account.AddressFormat, key)
	if err == nil && (address != account.Address || publicKey != account.PublicKey) {
		err = errors.New("wallet account does not match its derived key")
	}
	if err != nil {
		key.Wipe()
		return secret.Bytes{}, err
	}
	return key, nil
}

// refusal gives the signer's faults the provider's words.
func refusal(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, signer.ErrDigest):
		return wire.Invalid("expected a 32-bytes-long digest").Because(err)
	case errors.Is(err, signer.ErrHash):
		return wire.Invalid("invalid hash function").Because(err)
	case errors.Is(err, signer.ErrCurve):
		return wire.Invalid("invalid curve").Because(err)
	case errors.Is(err, signer.ErrSigner):
		return wire.Invalid("the transaction does not require a signature of signWith").Named("INVALID_TRANSACTION").Because(err)
	case errors.Is(err, signer.ErrTransaction):
		return wire.Invalid("invalid unsigned transaction").Named("INVALID_TRANSACTION").Because(err)
	}
	return err
}
