package signer

import (
	"encoding/hex"
	"fmt"

	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

// The provider's names of transaction types.
const (
	TransactionEthereum = "TRANSACTION_TYPE_ETHEREUM"
	TransactionSolana   = "TRANSACTION_TYPE_SOLANA"
)

// Transaction is a checked transaction that waits for its signature.
type Transaction struct {
	curve hd.Curve
	// preimage is what the signature covers, before hashing.
	preimage []byte
	sign     func(key secret.Bytes) ([]byte, error)
}

// Curve is the curve of the key that can sign the transaction.
func (t Transaction) Curve() hd.Curve { return t.curve }

// Preimage is what the signature will cover.
func (t Transaction) Preimage() []byte { return t.preimage }

// Sign returns the signed transaction in hex without 0x.
func (t Transaction) Sign(key secret.Bytes) (string, error) {
	signed, err := t.sign(key)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(signed), nil
}

// readers holds one function per transaction type. Each refuses, with
// ErrTransaction, whatever it would encode differently.
var readers = map[string]func(encoded []byte, publicKey []byte) (Transaction, error){
	TransactionEthereum: readEthereum,
	TransactionSolana:   readSolana,
}

// ReadTransaction reads an unsigned transaction in hex, with or without 0x, that
// the key with publicKey is to sign. The error matches ErrTransaction or
// ErrSigner.
func ReadTransaction(kind, unsigned string, publicKey []byte) (Transaction, error) {
	read, known := readers[kind]
	if !known {
		return Transaction{}, fmt.Errorf("%w: unsupported type", ErrTransaction)
	}
	encoded, err := decodeHex(unsigned)
	if err != nil {
		return Transaction{}, fmt.Errorf("%w: not hex", ErrTransaction)
	}
	if len(encoded) == 0 {
		return Transaction{}, fmt.Errorf("%w: empty", ErrTransaction)
	}
	return read(encoded, publicKey)
}
