package base58_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"tenfold/internal/base58"
)

// The pairs are those of Bitcoin Core's base58_encode_decode.json and Solana's
// system program.
func TestKnownAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"":                     "",
		"61":                   "2g",
		"626262":               "a3gV",
		"636363":               "aPEr",
		"516b6fcd0f":           "ABnLTmg",
		"572e4794":             "3EFU7m",
		"10c8511e":             "Rt5zm",
		"00000000000000000000": "1111111111",
		"00eb15231dfceb60925886b67d065299925915aeb172c06647":               "1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L",
		"0000000000000000000000000000000000000000000000000000000000000000": "11111111111111111111111111111111",
	}
	for plain, text := range tests {
		data, err := hex.DecodeString(plain)
		if err != nil {
			t.Fatal(err)
		}
		if got := base58.Encode(data); got != text {
			t.Errorf("Encode(%s) = %s, want %s", plain, got, text)
		}
		got, err := base58.Decode(text)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("Decode(%s) = %x, %v", text, got, err)
		}
	}
}

func TestDecodeRefusesOtherCharacters(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0", "O", "I", "l", "a b", "a-b", "é", "1\n"} {
		if _, err := base58.Decode(text); !errors.Is(err, base58.ErrCharacter) {
			t.Errorf("Decode(%q): %v", text, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L")
	f.Fuzz(func(t *testing.T, text string) {
		data, err := base58.Decode(text)
		if err == nil && base58.Encode(data) != text {
			t.Errorf("%q decodes to %x, which encodes to %q", text, data, base58.Encode(data))
		}
	})
}
