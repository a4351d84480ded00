package bundle_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"tenfold/internal/base58"
	"tenfold/internal/bundle"
	"tenfold/internal/secret"
)

// The provider's published credential bundle: @turnkey/crypto's own test.
const (
	publishedBundle   = "w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf"
	publishedReceiver = "20fa65df11f24833790ae283fc9a0c215eecbbc589549767977994dc69d05a56"
	publishedContent  = "67ee05fc3bdf4161bc70701c221d8d77180294cefcfcea64ba83c4d4c732fcb9"
)

func scalar(t *testing.T, text string) secret.Bytes {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return secret.Own(decoded)
}

func TestPublishedBundle(t *testing.T) {
	t.Parallel()
	opened, err := bundle.OpenCredential(publishedBundle, scalar(t, publishedReceiver))
	if err != nil || hex.EncodeToString(opened.Expose()) != publishedContent {
		t.Fatalf("got %x, %v", opened.Expose(), err)
	}
}

// newTarget makes a frame's key: its scalar and its public key.
func newTarget(t *testing.T) (secret.Bytes, string) {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return secret.Own(key.Bytes()), hex.EncodeToString(key.PublicKey().Bytes())
}

func compressed(uncompressed string) string {
	prefix := "02"
	if strings.ContainsAny(uncompressed[len(uncompressed)-1:], "13579bdf") {
		prefix = "03"
	}
	return prefix + uncompressed[2:66]
}

func TestSealAndOpen(t *testing.T) {
	t.Parallel()
	private, public := newTarget(t)
	credential := secret.Random(32)
	for _, text := range []string{public, compressed(public), strings.ToUpper(public)} {
		target, err := bundle.ParseTarget(text)
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := bundle.SealCredential(target, credential)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := base58.Decode(sealed)
		if err != nil || len(raw) != 33+48+4 {
			t.Errorf("%d bytes, %v", len(raw), err)
		}
		opened, err := bundle.OpenCredential(sealed, private)
		if err != nil || !opened.Equal(credential) {
			t.Errorf("%s: %v", text, err)
		}
		stranger, _ := newTarget(t)
		if _, err := bundle.OpenCredential(sealed, stranger); !errors.Is(err, bundle.ErrBundle) {
			t.Errorf("a stranger opened it: %v", err)
		}
	}
}

// TestEveryByteCounts flips each byte of the published bundle and repairs the
// checksum, so that the seal itself has to notice.
func TestEveryByteCounts(t *testing.T) {
	t.Parallel()
	raw, err := base58.Decode(publishedBundle)
	if err != nil {
		t.Fatal(err)
	}
	receiver := scalar(t, publishedReceiver)
	for i := range len(raw) {
		bent := append([]byte{}, raw...)
		bent[i] ^= 1
		if i < len(raw)-4 {
			bent = bundle.WithChecksum(bent[:len(bent)-4])
		}
		if _, err := bundle.OpenCredential(base58.Encode(bent), receiver); !errors.Is(err, bundle.ErrBundle) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}

func TestParseTargetRefuses(t *testing.T) {
	t.Parallel()
	_, public := newTarget(t)
	off := "04" + strings.Repeat("00", 63) + "01"
	tests := map[string]string{
		"fail/empty":           "",
		"fail/not hex":         "zz" + public[2:],
		"fail/0x":              "0x" + public,
		"fail/cut":             public[:len(public)-2],
		"fail/longer":          public + "00",
		"fail/prefix":          "05" + public[2:],
		"fail/hybrid":          "06" + public[2:],
		"fail/off the curve":   off,
		"fail/infinity":        "00",
		"fail/compressed off":  "02" + strings.Repeat("00", 31) + "01",
		"fail/secp256k1 point": "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := bundle.ParseTarget(text); !errors.Is(err, bundle.ErrTarget) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzOpenCredential(f *testing.F) {
	f.Add(publishedBundle)
	decoded, err := hex.DecodeString(publishedReceiver)
	if err != nil {
		f.Fatal(err)
	}
	receiver := secret.Own(decoded)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := bundle.OpenCredential(text, receiver); err == nil && text != publishedBundle {
			t.Errorf("opened a forged bundle %q", text)
		}
	})
}
