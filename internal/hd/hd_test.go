package hd_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg"
	bip39 "github.com/tyler-smith/go-bip39"
	"pgregory.net/rapid"

	"tenfold/internal/base58"
	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

// vectors reads a file of testdata; an unknown field in it fails the test.
func vectors[V any](t *testing.T, name string) []V {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var content struct {
		Source  string `json:"source"`
		Vectors []V    `json:"vectors"`
	}
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&content); err != nil {
		t.Fatal(err)
	}
	if len(content.Vectors) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return content.Vectors
}

func decode(t *testing.T, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

func parse(t *testing.T, text string) hd.Path {
	t.Helper()
	path, err := hd.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBIP39Vectors(t *testing.T) {
	t.Parallel()
	type vector struct {
		Entropy  string `json:"entropy"`
		Mnemonic string `json:"mnemonic"`
		Seed     string `json:"seed"`
	}
	for _, v := range vectors[vector](t, "bip39.json") {
		mnemonic, err := hd.Mnemonic(secret.Own(decode(t, v.Entropy)))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(mnemonic.Expose()); got != v.Mnemonic {
			t.Errorf("entropy %s gives %q", v.Entropy, got)
		}
		seed := hd.Seed(mnemonic, secret.Own([]byte("TREZOR")))
		if got := hex.EncodeToString(seed.Expose()); got != v.Seed {
			t.Errorf("entropy %s gives seed %s", v.Entropy, got)
		}
	}
}

func TestBIP32Vectors(t *testing.T) {
	t.Parallel()
	type vector struct {
		Seed string `json:"seed"`
		Path string `json:"path"`
		XPrv string `json:"xprv"`
	}
	for _, v := range vectors[vector](t, "bip32.json") {
		key, err := hd.Derive(secret.Own(decode(t, v.Seed)), hd.Secp256k1, parse(t, v.Path))
		if err != nil {
			t.Fatal(err)
		}
		serialized, err := base58.Decode(v.XPrv)
		if err != nil {
			t.Fatal(err)
		}
		// An extended key ends in 0x00, the private key and a 4-byte checksum.
		want := serialized[len(serialized)-36 : len(serialized)-4]
		if !bytes.Equal(key.Expose(), want) {
			t.Errorf("%s %s: got %x, want %x", v.Seed, v.Path, key.Expose(), want)
		}
	}
}

func TestSLIP10Vectors(t *testing.T) {
	t.Parallel()
	type vector struct {
		Seed string `json:"seed"`
		Path string `json:"path"`
		Key  string `json:"key"`
	}
	for _, v := range vectors[vector](t, "slip10.json") {
		key, err := hd.Derive(secret.Own(decode(t, v.Seed)), hd.Ed25519, parse(t, v.Path))
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(key.Expose()); got != v.Key {
			t.Errorf("%s %s: got %s", v.Seed, v.Path, got)
		}
	}
}

// TestWordList compares the embedded list with the digest of the published one.
func TestWordList(t *testing.T) {
	t.Parallel()
	const published = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
	content, err := os.ReadFile("english.txt")
	if err != nil {
		t.Fatal(err)
	}
	if digest := sha256.Sum256(content); hex.EncodeToString(digest[:]) != published {
		t.Errorf("english.txt has SHA-256 %x", digest)
	}
}

func TestMnemonicsAgreeWithAnotherLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{16, 20, 24, 28, 32}).Draw(t, "size")
		entropy := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "entropy")
		want, err := bip39.NewMnemonic(entropy)
		if err != nil {
			t.Fatal(err)
		}
		got, err := hd.Mnemonic(secret.Own(entropy))
		if err != nil || string(got.Expose()) != want {
			t.Fatalf("got %s, %v; want %s", got.Expose(), err, want)
		}
	})
}

func TestKeysAgreeWithAnotherLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.SliceOfN(rapid.Byte(), 16, 64).Draw(t, "seed")
		path := hd.Path(rapid.SliceOfN(rapid.Uint32(), 1, 6).Draw(t, "path"))
		extended, err := hdkeychain.NewMaster(seed, &chaincfg.MainNetParams)
		if err != nil {
			t.Skip(err)
		}
		for _, index := range path {
			if extended, err = extended.Derive(index); err != nil {
				t.Skip(err)
			}
		}
		want, err := extended.ECPrivKey()
		if err != nil {
			t.Fatal(err)
		}
		got, err := hd.Derive(secret.Own(seed), hd.Secp256k1, path)
		if err != nil || !bytes.Equal(got.Expose(), want.Serialize()) {
			t.Fatalf("%s: got %x, %v; want %x", path, got.Expose(), err, want.Serialize())
		}
	})
}

func TestNewEntropy(t *testing.T) {
	t.Parallel()
	for words, size := range map[int]int{12: 16, 15: 20, 18: 24, 21: 28, 24: 32} {
		entropy, err := hd.NewEntropy(words)
		if err != nil || entropy.Len() != size {
			t.Errorf("%d words: %d bytes, %v", words, entropy.Len(), err)
		}
		mnemonic, err := hd.Mnemonic(entropy)
		if err != nil || len(strings.Fields(string(mnemonic.Expose()))) != words {
			t.Errorf("%d words: %v", words, err)
		}
	}
	for _, words := range []int{-3, 0, 3, 9, 11, 13, 14, 25, 27, 1 << 30} {
		if _, err := hd.NewEntropy(words); !errors.Is(err, hd.ErrEntropy) {
			t.Errorf("%d words: %v", words, err)
		}
	}
	if _, err := hd.Mnemonic(secret.Own(make([]byte, 17))); !errors.Is(err, hd.ErrEntropy) {
		t.Errorf("17 bytes: %v", err)
	}
}

func TestParsePath(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		ok   bool
	}{
		"ok/ethereum":              {"m/44'/60'/0'/0/0", true},
		"ok/solana":                {"m/44'/501'/0'/0'", true},
		"ok/largest index":         {"m/2147483647'", true},
		"ok/deepest":               {"m" + strings.Repeat("/0", hd.MaxDepth), true},
		"fail/too deep":            {"m" + strings.Repeat("/0", hd.MaxDepth+1), false},
		"fail/empty":               {"", false},
		"fail/master alone":        {"m", false},
		"fail/empty step":          {"m/", false},
		"fail/empty step inside":   {"m/44'//0", false},
		"fail/no master":           {"44'/60'/0'", false},
		"fail/upper-case master":   {"M/0", false},
		"fail/index of 2^31":       {"m/2147483648", false},
		"fail/hardened over 2^31":  {"m/2147483648'", false},
		"fail/index beyond 64 bit": {"m/18446744073709551616", false},
		"fail/negative":            {"m/-1", false},
		"fail/plus sign":           {"m/+1", false},
		"fail/leading zero":        {"m/00", false},
		"fail/space":               {"m/ 0", false},
		"fail/trailing space":      {"m/0 ", false},
		"fail/letter":              {"m/x", false},
		"fail/h for hardened":      {"m/44h", false},
		"fail/two marks":           {"m/44''", false},
		"fail/mark alone":          {"m/'", false},
		"fail/other digits":        {"m/٣", false},
		"fail/underscore":          {"m/1_0", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := hd.ParsePath(test.text)
			if test.ok && (err != nil || path.String() != test.text) {
				t.Errorf("got %s, %v", path, err)
			}
			if !test.ok && !errors.Is(err, hd.ErrPath) {
				t.Errorf("got %s, %v", path, err)
			}
		})
	}
}

func TestDeriveRefuses(t *testing.T) {
	t.Parallel()
	seed := secret.Own(make([]byte, 64))
	if _, err := hd.Derive(seed, hd.Ed25519, hd.Path{hd.Hardened, 0}); !errors.Is(err, hd.ErrPath) {
		t.Errorf("an ordinary step on ed25519: %v", err)
	}
	if _, err := hd.Derive(seed, 0, hd.Path{hd.Hardened}); !errors.Is(err, hd.ErrCurve) {
		t.Errorf("no curve: %v", err)
	}
}

func FuzzParsePath(f *testing.F) {
	f.Add("m/44'/60'/0'/0/0")
	f.Add("m/44'/501'/0'/0'")
	f.Fuzz(func(t *testing.T, text string) {
		if path, err := hd.ParsePath(text); err == nil && path.String() != text {
			t.Errorf("%q is read as %s", text, path)
		}
	})
}
