package amount

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFromBaseUnitsTakesPlainIntegersOnly(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "-1", "1.0", "0x1", " 1", "1e2"} {
		if got, err := FromBaseUnits(text); !errors.Is(err, ErrNotANumber) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		strings.Repeat("9", 79), strings.Repeat("9", 1_000_000),
		"115792089237316195423570985008687907853269984665640564039457584007913129639936",
	} {
		if got, err := FromBaseUnits(text); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%.40q is read as %v, %v", text, got, err)
		}
	}
	if got, err := FromBaseUnits("000123"); err != nil || got.Int64() != 123 {
		t.Errorf("read as %v, %v", got, err)
	}
}

// The standard library reads back what is shown, and must find the same amount.
func TestWhatIsShownIsTheAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		units := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "units"))
		decimals := rapid.IntRange(0, 30).Draw(t, "decimals")
		text := Format(units, decimals)
		shown, ok := new(big.Rat).SetString(text)
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
		if !ok || shown.Mul(shown, new(big.Rat).SetInt(scale)).Cmp(new(big.Rat).SetInt(units)) != 0 {
			t.Fatalf("%s with %d decimals shows as %q", units, decimals, text)
		}
		if negative := Format(new(big.Int).Neg(units), decimals); units.Sign() != 0 && negative != "-"+text {
			t.Fatalf("its negative shows as %q", negative)
		}
	})
}
