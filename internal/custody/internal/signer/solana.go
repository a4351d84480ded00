package signer

import (
	"bytes"
	"crypto/ed25519"
	"fmt"

	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

// Sizes and bounds of Solana's wire format.
const (
	solanaKeyBytes       = 32
	solanaSignatureBytes = 64
	// maxSolanaBytes is the most that the network carries: one IPv6 packet.
	maxSolanaBytes = 1232
	// versionFlag marks a versioned message; the other bits are its version.
	versionFlag = 0x80
	// maxAccounts is how many accounts an instruction can name with one byte.
	maxAccounts = 256
)

// readSolana reads a whole wire transaction: signatures, then a legacy or version
// 0 message. publicKey must be among the accounts that have to sign.
func readSolana(encoded, publicKey []byte) (Transaction, error) {
	if len(encoded) > maxSolanaBytes {
		return Transaction{}, fmt.Errorf("%w: longer than %d bytes", ErrTransaction, maxSolanaBytes)
	}
	reader := &solanaReader{rest: encoded}
	signatures := reader.take(reader.length() * solanaSignatureBytes)
	message := reader.rest
	parsed := reader.message()
	if reader.err != nil {
		return Transaction{}, fmt.Errorf("%w: %w", ErrTransaction, reader.err)
	}
	if len(reader.rest) != 0 {
		return Transaction{}, fmt.Errorf("%w: data after the message", ErrTransaction)
	}
	if len(signatures) != parsed.signers*solanaSignatureBytes {
		return Transaction{}, fmt.Errorf("%w: signature slots do not fit the signers", ErrTransaction)
	}
	slot := -1
	for i := range parsed.signers {
		if bytes.Equal(parsed.accounts[i], publicKey) {
			slot = i
		}
	}
	if slot < 0 {
		return Transaction{}, ErrSigner
	}
	offset := len(encoded) - len(message) - len(signatures) + slot*solanaSignatureBytes
	return Transaction{
		curve:    hd.Ed25519,
		preimage: message,
		sign: func(key secret.Bytes) ([]byte, error) {
			signed := bytes.Clone(encoded)
			copy(signed[offset:offset+ed25519.SignatureSize], signEd25519(key, message))
			return signed, nil
		},
	}, nil
}

// solanaMessage is what the checks need of a message.
type solanaMessage struct {
	signers  int
	accounts [][]byte // the static account keys
}

// solanaReader consumes bytes and remembers the first fault. Every length has one
// accepted encoding and every byte is accounted for, so what it accepts is what
// re-encoding would give.
type solanaReader struct {
	rest []byte
	err  error
}

func (r *solanaReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.rest = nil
}

func (r *solanaReader) take(count int) []byte {
	if r.err != nil || count > len(r.rest) {
		r.fail("cut short")
		return nil
	}
	taken := r.rest[:count]
	r.rest = r.rest[count:]
	return taken
}

func (r *solanaReader) byte() int {
	taken := r.take(1)
	if taken == nil {
		return 0
	}
	return int(taken[0])
}

// length reads a compact-u16: seven bits a byte, low ones first, at most three
// bytes, no trailing zero byte.
func (r *solanaReader) length() int {
	const more, bits, maxBytes, maxValue = 0x80, 7, 3, 1<<16 - 1
	value := 0
	for i := range maxBytes {
		next := r.byte()
		value |= next &^ more << (bits * i)
		if next&more != 0 {
			continue
		}
		if next == 0 && i > 0 || value > maxValue {
			break
		}
		return value
	}
	r.fail("a length is not in its shortest form")
	return 0
}

// message reads a message to its end.
func (r *solanaReader) message() solanaMessage {
	versioned := len(r.rest) > 0 && r.rest[0]&versionFlag != 0
	if versioned {
		if version := r.byte() &^ versionFlag; version != 0 {
			r.fail("unsupported message version %d", version)
		}
	}
	signers, readOnlySigned, readOnlyUnsigned := r.byte(), r.byte(), r.byte()
	accounts := r.keys()
	r.take(solanaKeyBytes) // the recent block hash
	if r.err == nil && (signers == 0 || readOnlySigned >= signers || signers+readOnlyUnsigned > len(accounts)) {
		r.fail("header does not fit the accounts")
	}
	highest := r.instructions(len(accounts))
	loaded := 0
	if versioned {
		loaded = r.lookups()
	}
	if r.err == nil && (len(accounts)+loaded > maxAccounts || highest >= len(accounts)+loaded) {
		r.fail("an instruction names an account that is not there")
	}
	return solanaMessage{signers: signers, accounts: accounts}
}

// keys reads the static account keys, each of which may stand once.
func (r *solanaReader) keys() [][]byte {
	count := r.length()
	seen := map[string]bool{}
	var keys [][]byte
	for range count {
		key := r.take(solanaKeyBytes)
		if r.err != nil {
			return nil
		}
		if seen[string(key)] {
			r.fail("an account stands twice")
			return nil
		}
		seen[string(key)] = true
		keys = append(keys, key)
	}
	return keys
}

// instructions reads the instructions and returns the highest account index that
// they use. A program must be a static account, and not the fee payer.
func (r *solanaReader) instructions(staticAccounts int) int {
	highest := 0
	for range r.length() {
		program := r.byte()
		if r.err == nil && (program == 0 || program >= staticAccounts) {
			r.fail("a program is not a static account")
		}
		for _, index := range r.take(r.length()) {
			highest = max(highest, int(index))
		}
		r.take(r.length()) // the instruction's data
		if r.err != nil {
			return 0
		}
	}
	return highest
}

// lookups reads the address table lookups and returns how many accounts they add.
func (r *solanaReader) lookups() int {
	loaded := 0
	for range r.length() {
		r.take(solanaKeyBytes)
		writable := len(r.take(r.length()))
		readOnly := len(r.take(r.length()))
		if r.err != nil {
			return 0
		}
		if writable+readOnly == 0 {
			r.fail("an address table adds nothing")
			return 0
		}
		loaded += writable + readOnly
	}
	return loaded
}
