package hd

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"tenfold/internal/secret"
)

// ErrEntropy marks an entropy of a length that BIP-39 does not have.
var ErrEntropy = errors.New("invalid mnemonic length")

//go:embed english.txt
var englishText []byte

// english is BIP-39's English list; a word's index is its 11 bits.
var english = sync.OnceValue(func() [][]byte { return bytes.Fields(englishText) })

const (
	bitsPerWord    = 11
	seedIterations = 2048
	seedSaltPrefix = "mnemonic"
)

// NewEntropy returns fresh entropy for a mnemonic of 12, 15, 18, 21 or 24 words.
func NewEntropy(words int) (secret.Bytes, error) {
	// Three words are 32 bits of entropy and one bit of checksum.
	size := words / 3 * 4
	if words%3 != 0 || checkEntropySize(size) != nil {
		return secret.Bytes{}, ErrEntropy
	}
	return secret.Random(size), nil
}

// Mnemonic encodes entropy as BIP-39 English words with single spaces, as UTF-8
// bytes. The caller wipes it.
func Mnemonic(entropy secret.Bytes) (secret.Bytes, error) {
	if err := checkEntropySize(entropy.Len()); err != nil {
		return secret.Bytes{}, err
	}
	checksum := sha256.Sum256(entropy.Expose())
	bits := append(append(make([]byte, 0, entropy.Len()+1), entropy.Expose()...), checksum[0])
	defer clear(bits)
	words := entropy.Len() * 8 / 32 * 3
	// Room for the longest words: growing would leave copies behind.
	text := make([]byte, 0, words*9)
	for word := range words {
		if word > 0 {
			text = append(text, ' ')
		}
		text = append(text, english()[wordIndex(bits, word)]...)
	}
	return secret.Own(text), nil
}

// wordIndex reads the 11 bits of the word at position word.
func wordIndex(bits []byte, word int) int {
	first := word * bitsPerWord
	index := 0
	for bit := first; bit < first+bitsPerWord; bit++ {
		index = index<<1 | int(bits[bit/8]>>(7-bit%8)&1)
	}
	return index
}

// Seed is BIP-39's 64-byte seed of a mnemonic: PBKDF2-HMAC-SHA512 with 2048
// iterations. The passphrase must be in Unicode's NFKD form; ours is empty. The
// caller wipes it.
//
// It is written out because the standard library takes the password as a string.
func Seed(mnemonic, passphrase secret.Bytes) secret.Bytes {
	prf := hmac.New(sha512.New, mnemonic.Expose())
	salt := append([]byte(seedSaltPrefix), passphrase.Expose()...)
	defer clear(salt)
	// The seed is exactly one block of the hash, so only block 1 exists.
	prf.Write(binary.BigEndian.AppendUint32(salt, 1))
	block := prf.Sum(make([]byte, 0, sha512.Size))
	seed := bytes.Clone(block)
	for range seedIterations - 1 {
		prf.Reset()
		prf.Write(block)
		block = prf.Sum(block[:0])
		for i := range seed {
			seed[i] ^= block[i]
		}
	}
	clear(block)
	return secret.Own(seed)
}

func checkEntropySize(size int) error {
	switch size {
	case 16, 20, 24, 28, 32:
		return nil
	}
	return fmt.Errorf("%w: %d bytes of entropy", ErrEntropy, size)
}
