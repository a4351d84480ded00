package signer_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"tenfold/internal/custody/internal/signer"
	"tenfold/internal/secret"
)

// wallet is a Solana key in the two forms that a test needs.
type wallet struct {
	seed   []byte
	public solana.PublicKey
}

func newWallet(fill byte) wallet {
	seed := bytes.Repeat([]byte{fill}, ed25519.SeedSize)
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	return wallet{seed: seed, public: solana.PublicKeyFromBytes(public)}
}

func (w wallet) key() secret.Bytes { return secret.Own(bytes.Clone(w.seed)) }

// transfer builds an unsigned transfer with another library.
func transfer(t testing.TB, payer wallet, options ...solana.TransactionOption) *solana.Transaction {
	t.Helper()
	to := newWallet(9).public
	instruction := system.NewTransferInstruction(1000, payer.public, to).Build()
	options = append([]solana.TransactionOption{solana.TransactionPayer(payer.public)}, options...)
	tx, err := solana.NewTransaction([]solana.Instruction{instruction}, solana.Hash{7}, options...)
	if err != nil {
		t.Fatal(err)
	}
	tx.Signatures = make([]solana.Signature, tx.Message.Header.NumRequiredSignatures)
	return tx
}

func wireForm(t testing.TB, tx *solana.Transaction) []byte {
	t.Helper()
	encoded, err := tx.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestSolanaTransactions(t *testing.T) {
	t.Parallel()
	payer := newWallet(1)
	legacy := transfer(t, payer)
	versioned := transfer(t, payer)
	versioned.Message.SetVersion(solana.MessageVersionV0)
	table := newWallet(5).public
	withTable := transfer(t, payer, solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{
		table: {newWallet(8).public, newWallet(9).public},
	}))
	for name, tx := range map[string]*solana.Transaction{"ok/legacy": legacy, "ok/v0": versioned, "ok/lookup table": withTable} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unsigned := wireForm(t, tx)
			transaction, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(unsigned), payer.public[:])
			if err != nil {
				t.Fatal(err)
			}
			text, err := transaction.Sign(payer.key())
			if err != nil {
				t.Fatal(err)
			}
			signed, err := solana.TransactionFromBytes(bytesOf(t, text))
			if err != nil {
				t.Fatal(err)
			}
			if err := signed.VerifySignatures(); err != nil {
				t.Error(err)
			}
			message := unsigned[1+64:]
			if !bytes.Equal(message, transaction.Preimage()) || !bytes.Equal(bytesOf(t, text)[1+64:], message) {
				t.Error("the message changed")
			}
		})
	}
}

// TestSolanaFillsItsOwnPlace signs as the second signer and leaves the first
// one's signature as it is.
func TestSolanaFillsItsOwnPlace(t *testing.T) {
	t.Parallel()
	payer, second := newWallet(1), newWallet(2)
	instruction := system.NewTransferInstruction(1, second.public, newWallet(9).public).Build()
	tx, err := solana.NewTransaction([]solana.Instruction{instruction}, solana.Hash{7}, solana.TransactionPayer(payer.public))
	if err != nil {
		t.Fatal(err)
	}
	tx.Signatures = []solana.Signature{{1, 2, 3}, {}}
	transaction, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(wireForm(t, tx)), second.public[:])
	if err != nil {
		t.Fatal(err)
	}
	text, err := transaction.Sign(second.key())
	if err != nil {
		t.Fatal(err)
	}
	signed, err := solana.TransactionFromBytes(bytesOf(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if signed.Signatures[0] != (solana.Signature{1, 2, 3}) {
		t.Error("another signer's place was changed")
	}
	if !signed.Signatures[1].Verify(second.public, transaction.Preimage()) {
		t.Error("the own place does not hold the signature")
	}
}

func TestSolanaRefuses(t *testing.T) {
	t.Parallel()
	payer := newWallet(1)
	good := wireForm(t, transfer(t, payer))
	// The layout of good: 1 + 64 signature bytes, 3 header bytes, the count and 3
	// keys of 32 bytes, the block hash, one instruction.
	const (
		header      = 65
		keys        = header + 4
		instruction = keys + 3*32 + 32
	)
	change := func(at int, value byte) []byte {
		bent := bytes.Clone(good)
		bent[at] = value
		return bent
	}
	insert := func(at int, values ...byte) []byte {
		return append(append(bytes.Clone(good[:at]), values...), good[at:]...)
	}
	twice := bytes.Clone(good)
	copy(twice[keys+32:keys+64], twice[keys:keys+32])
	tests := map[string][]byte{
		"fail/empty":                      {},
		"fail/trailing byte":              append(bytes.Clone(good), 0),
		"fail/no signature places":        good[65:],
		"fail/too many places":            change(0, 2),
		"fail/long form of a length":      append([]byte{0x81, 0x00}, good[1:]...),
		"fail/long form of key count":     append(append(bytes.Clone(good[:header+3]), 0x83, 0x00), good[header+4:]...),
		"fail/length beyond 16 bits":      append([]byte{0xff, 0xff, 0x7f}, good[1:]...),
		"fail/no signers":                 change(header, 0),
		"fail/more signers than keys":     change(header, 9),
		"fail/payer read-only":            change(header+1, 1),
		"fail/too many read-only":         change(header+2, 3),
		"fail/account twice":              twice,
		"fail/version 1":                  insert(header, 0x81),
		"fail/payer as program":           change(instruction+1, 0),
		"fail/program not there":          change(instruction+1, 3),
		"fail/account not there":          change(instruction+3, 3),
		"fail/more than a packet carries": append(bytes.Clone(good), make([]byte, 1232)...),
	}
	for size := range good {
		if _, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(good[:size]), payer.public[:]); !errors.Is(err, signer.ErrTransaction) {
			t.Errorf("cut to %d bytes: %v", size, err)
		}
	}
	for name, encoded := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(encoded), payer.public[:])
			if !errors.Is(err, signer.ErrTransaction) {
				t.Errorf("got %v", err)
			}
		})
	}
	stranger := newWallet(3).public
	if _, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(good), stranger[:]); !errors.Is(err, signer.ErrSigner) {
		t.Errorf("fail/not a signer: %v", err)
	}
	recipient := newWallet(9).public
	if _, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(good), recipient[:]); !errors.Is(err, signer.ErrSigner) {
		t.Errorf("fail/named but not as signer: %v", err)
	}
}

// TestSolanaProgramFromTable refuses a program that only a lookup table names:
// nobody can read from the bytes which program would run.
func TestSolanaProgramFromTable(t *testing.T) {
	t.Parallel()
	payer := newWallet(1)
	tx := transfer(t, payer)
	tx.Message.SetVersion(solana.MessageVersionV0)
	tx.Message.AddressTableLookups = solana.MessageAddressTableLookupSlice{
		{AccountKey: newWallet(5).public, ReadonlyIndexes: []uint8{0}},
	}
	tx.Message.Instructions[0].ProgramIDIndex = uint16(len(tx.Message.AccountKeys))
	_, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(wireForm(t, tx)), payer.public[:])
	if !errors.Is(err, signer.ErrTransaction) {
		t.Errorf("got %v", err)
	}
}

// FuzzReadSolana checks that whatever is accepted is the canonical encoding of
// what another library reads from it.
func FuzzReadSolana(f *testing.F) {
	payer := newWallet(1)
	f.Add(wireForm(f, transfer(f, payer)))
	versioned := transfer(f, payer)
	versioned.Message.SetVersion(solana.MessageVersionV0)
	f.Add(wireForm(f, versioned))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		_, err := signer.ReadTransaction(signer.TransactionSolana, hex.EncodeToString(encoded), payer.public[:])
		if err != nil {
			return
		}
		read, err := solana.TransactionFromBytes(encoded)
		if err != nil {
			t.Fatalf("accepted what nobody else reads: %v", err)
		}
		again, err := read.MarshalBinary()
		if err != nil || !bytes.Equal(again, encoded) {
			t.Fatalf("accepted %x, which is written %x, %v", encoded, again, err)
		}
	})
}

// FuzzReadEthereum checks that whatever is accepted signs into a transaction that
// go-ethereum reads.
func FuzzReadEthereum(f *testing.F) {
	f.Add("ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080")
	f.Add("02e7018080808094353535353535353535353535353535353535353588" + "0de0b6b3a764000080c0")
	key := secret.Own(bytesOf(f, eip155Key))
	f.Fuzz(func(t *testing.T, unsigned string) {
		transaction, err := signer.ReadTransaction(signer.TransactionEthereum, unsigned, nil)
		if err != nil {
			return
		}
		signed, err := transaction.Sign(key)
		if err != nil {
			t.Fatal(err)
		}
		checkEthereumReads(t, signed)
	})
}
