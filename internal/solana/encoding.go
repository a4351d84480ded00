package solana

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// mostBytes is the size of a Solana packet: a longer transaction can't be sent.
const mostBytes = 1232

const (
	oneSignature  = 1 // the count byte before the only signature
	messageOffset = 1 + ed25519.SignatureSize
)

// errTooLarge says that a transaction does not fit a packet.
var errTooLarge = errors.New("the transaction is larger than a Solana packet")

// encode compiles instructions into the wire form with one zeroed signature:
// a legacy message, or version 0 when lookup tables are used.
func encode(payer solana.PublicKey, list []solana.Instruction, blockhash solana.Hash, tables map[solana.PublicKey]solana.PublicKeySlice) ([]byte, error) {
	options := []solana.TransactionOption{solana.TransactionPayer(payer)}
	if len(tables) > 0 {
		options = append(options, solana.TransactionAddressTables(tables))
	}
	tx, err := solana.NewTransaction(list, blockhash, options...)
	if err != nil {
		return nil, fmt.Errorf("compile the transaction: %w", err)
	}
	message, err := tx.Message.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("encode the transaction: %w", err)
	}
	wire := append(append([]byte{oneSignature}, make([]byte, ed25519.SignatureSize)...), message...)
	if len(wire) > mostBytes {
		return nil, fmt.Errorf("%d bytes: %w", len(wire), errTooLarge)
	}
	return wire, nil
}

// split takes a wire transaction with exactly one signature apart.
func split(wire []byte) (signature, message []byte, err error) {
	if len(wire) <= messageOffset || len(wire) > mostBytes || wire[0] != oneSignature {
		return nil, nil, errors.New("not a Solana transaction with one signature")
	}
	return wire[1:messageOffset], wire[messageOffset:], nil
}

// decodeMessage reads the message of an unsigned transaction and refuses bytes
// that are not its canonical encoding, a second signer, and a filled-in signature.
func decodeMessage(unsigned []byte) (*solana.Message, error) {
	signature, raw, err := split(unsigned)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(signature, make([]byte, ed25519.SignatureSize)) {
		return nil, errors.New("the transaction is signed already")
	}
	tx, err := solana.TransactionFromBytes(unsigned)
	if err != nil {
		return nil, fmt.Errorf("decode the transaction: %w", err)
	}
	m := &tx.Message
	again, err := m.MarshalBinary()
	if err != nil || !bytes.Equal(again, raw) {
		return nil, errors.New("the transaction is not canonically encoded")
	}
	if m.Header.NumRequiredSignatures != oneSignature || len(m.AccountKeys) == 0 {
		return nil, fmt.Errorf("the transaction wants %d signers", m.Header.NumRequiredSignatures)
	}
	return m, nil
}
