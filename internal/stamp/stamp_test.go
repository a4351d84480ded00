package stamp_test

import (
	"crypto/elliptic"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"tenfold/internal/secret"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

// The key pair that the provider's api-key-stamper publishes as its fixture.
const (
	fixturePrivate = "487f361ddfd73440e707f4daa6775b376859e8a3c9f29b3bb694a12927c0213c"
	fixturePublic  = "02f739f8c77b32f4d5f13265861febd76e7a9c61a1140d296b8c16302508870316"
)

func readVectors(t *testing.T, name string, target any) {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		t.Fatal(err)
	}
}

func TestStampsOfTheOfficialClient(t *testing.T) {
	t.Parallel()
	var content struct {
		Source  string `json:"source"`
		Vectors []struct {
			Body   string `json:"body"`
			Header string `json:"header"`
			HighS  bool   `json:"highS"`
		} `json:"vectors"`
	}
	readVectors(t, "apikey.json", &content)
	highS := 0
	for _, v := range content.Vectors {
		if v.HighS {
			highS++
		}
		for _, header := range []string{v.Header, v.Header + strings.Repeat("=", (4-len(v.Header)%4)%4)} {
			parsed, err := stamp.ParseAPIKey(header)
			if err != nil || parsed.PublicKey != fixturePublic {
				t.Fatalf("%q: %s, %v", v.Body, parsed.PublicKey, err)
			}
			if err := parsed.Verify([]byte(v.Body)); err != nil {
				t.Errorf("%q (high S: %v): %v", v.Body, v.HighS, err)
			}
			for _, other := range []string{v.Body + " ", v.Body[1:], ""} {
				if err := parsed.Verify([]byte(other)); !errors.Is(err, stamp.ErrSignature) {
					t.Errorf("%q also verifies for %q: %v", v.Body, other, err)
				}
			}
		}
	}
	if highS == 0 {
		t.Error("no vector has a high S, which clients make half of the time")
	}
}

func TestKnownKey(t *testing.T) {
	t.Parallel()
	scalar, err := hex.DecodeString(fixturePrivate)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := stamp.NewSigner(secret.Own(scalar))
	if err != nil || signer.PublicKey() != fixturePublic {
		t.Fatalf("public key %v, %v", signer, err)
	}
	header, err := signer.Stamp([]byte("body"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := stamp.ParseAPIKey(header)
	if err != nil || parsed.Verify([]byte("body")) != nil {
		t.Errorf("own stamp: %v", err)
	}
}

func encodeHeader(publicKey, scheme, signature string) string {
	return base64.RawURLEncoding.EncodeToString(
		fmt.Appendf(nil, `{"publicKey":%q,"scheme":%q,"signature":%q}`, publicKey, scheme, signature))
}

// strayBits returns a header whose last character has other bits than zero where
// they stand for no byte: lax decoders read a good stamp from it.
func strayBits(t *testing.T) string {
	t.Helper()
	good := encodeHeader(fixturePublic, stamp.SchemeP256, "300602010102010100")
	bent := good[:len(good)-1] + string(good[len(good)-1]+1)
	lax, err := base64.RawURLEncoding.DecodeString(bent)
	want, wantErr := base64.RawURLEncoding.DecodeString(good)
	if err != nil || wantErr != nil || string(lax) != string(want) {
		t.Fatal("the header has no stray bits to change")
	}
	return bent
}

func TestParseAPIKeyRefuses(t *testing.T) {
	t.Parallel()
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	good := encodeHeader(fixturePublic, stamp.SchemeP256, "3006020101020101")
	if _, err := stamp.ParseAPIKey(good); err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"fail/empty":             "",
		"fail/not base64":        "%%%",
		"fail/standard base64":   "+/+/",
		"fail/line break":        good[:8] + "\n" + good[8:],
		"fail/stray bits":        strayBits(t),
		"fail/not JSON":          encode("stamp"),
		"fail/array":             encode("[]"),
		"fail/no fields":         encode("{}"),
		"fail/duplicate key":     encode(`{"publicKey":"` + fixturePublic + `","publicKey":"x","scheme":"` + stamp.SchemeP256 + `","signature":"00"}`),
		"fail/trailing data":     encode(`{}{}`),
		"fail/number for key":    encode(`{"publicKey":1}`),
		"fail/too long":          encode(`{"publicKey":"` + strings.Repeat("0", 20000) + `"}`),
		"fail/signature not hex": encodeHeader(fixturePublic, stamp.SchemeP256, "zz"),
		"fail/no scheme":         encodeHeader(fixturePublic, "", "00"),
		"fail/other scheme":      encodeHeader(fixturePublic, "SIGNATURE_SCHEME_TK_API_SECP256K1", "00"),
		"fail/key not hex":       encodeHeader("zz"+fixturePublic[2:], stamp.SchemeP256, "00"),
		"fail/key short":         encodeHeader(fixturePublic[2:], stamp.SchemeP256, "00"),
		"fail/key uncompressed":  encodeHeader("04"+fixturePublic[2:]+fixturePublic[2:], stamp.SchemeP256, "00"),
		"fail/key prefix":        encodeHeader("05"+fixturePublic[2:], stamp.SchemeP256, "00"),
		"fail/key off the curve": encodeHeader("02"+strings.Repeat("0", 63)+"1", stamp.SchemeP256, "00"),
		"fail/key beyond field":  encodeHeader("02"+hex.EncodeToString(elliptic.P256().Params().P.Bytes()), stamp.SchemeP256, "00"),
		"fail/key of secp256k1":  encodeHeader("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", stamp.SchemeP256, "00"),
		"fail/key at infinity":   encodeHeader("00", stamp.SchemeP256, "00"),
	}
	for name, header := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := stamp.ParseAPIKey(header); !errors.Is(err, stamp.ErrMalformed) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestSignatureEncodings bends a good signature: only strict DER passes.
func TestSignatureEncodings(t *testing.T) {
	t.Parallel()
	signer := stamptest.NewSigner(t)
	body := []byte("body")
	header, err := signer.Stamp(body)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := stamp.ParseAPIKey(header)
	if err != nil {
		t.Fatal(err)
	}
	der, err := hex.DecodeString(parsed.Signature)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte{}, der...)
	flipped[len(flipped)-1] ^= 1
	longLength := append([]byte{der[0], 0x81, der[1]}, der[2:]...)
	padded := append([]byte{0x30, der[1] + 1, 0x02, der[3] + 1, 0x00}, der[4:]...)
	tests := map[string][]byte{
		"fail/empty":         {},
		"fail/flipped bit":   flipped,
		"fail/trailing byte": append(append([]byte{}, der...), 0),
		"fail/long length":   longLength,
		"fail/padded r":      padded,
		"fail/zeros":         {0x30, 6, 2, 1, 0, 2, 1, 0},
		"fail/raw r and s":   make([]byte, 64),
	}
	for name, signature := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bent, err := stamp.ParseAPIKey(encodeHeader(signer.PublicKey(), stamp.SchemeP256, hex.EncodeToString(signature)))
			if err != nil {
				return
			}
			if err := bent.Verify(body); !errors.Is(err, stamp.ErrSignature) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNewSignerRefuses(t *testing.T) {
	t.Parallel()
	for name, scalar := range map[string][]byte{
		"fail/zero":   make([]byte, 32),
		"fail/short":  {1},
		"fail/order":  elliptic.P256().Params().N.Bytes(),
		"fail/nobody": nil,
	} {
		if _, err := stamp.NewSigner(secret.Own(scalar)); err == nil {
			t.Errorf("%s is a key", name)
		}
	}
}

func FuzzParseAPIKey(f *testing.F) {
	f.Add(encodeHeader(fixturePublic, stamp.SchemeP256, "3006020101020101"))
	f.Fuzz(func(t *testing.T, header string) {
		parsed, err := stamp.ParseAPIKey(header)
		if err != nil {
			if !errors.Is(err, stamp.ErrMalformed) {
				t.Errorf("unclassified: %v", err)
			}
			return
		}
		if parsed.Verify([]byte("nobody signed this")) == nil {
			t.Errorf("forged: %s", header)
		}
	})
}
