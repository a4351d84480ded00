package amount

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseRefusesWhatIsNoAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		decimals int
		want     error
	}{
		{"", 6, ErrNotANumber},
		{".", 6, ErrNotANumber},
		{"1.", 6, ErrNotANumber},
		{"-1", 6, ErrNotANumber},
		{"+1", 6, ErrNotANumber},
		{"1e3", 6, ErrNotANumber},
		{"0x10", 6, ErrNotANumber},
		{"1,000", 6, ErrNotANumber},
		{" 1", 6, ErrNotANumber},
		{"1 ", 6, ErrNotANumber},
		{"1.2.3", 6, ErrNotANumber},
		{"NaN", 6, ErrNotANumber},
		{"١", 6, ErrNotANumber}, // a digit, but not one of ours
		{"1.0000001", 6, ErrTooManyDecimals},
		{"0.0", 0, ErrTooManyDecimals},
		{strings.Repeat("9", 79), 0, ErrTooLarge},
		{"115792089237316195423570985008687907853269984665640564039457584007913129639936", 0, ErrTooLarge},
		{strings.Repeat("9", 1_000_000), 18, ErrTooLarge},
	} {
		if got, err := Parse(c.text, c.decimals); !errors.Is(err, c.want) {
			t.Errorf("%.40q is read as %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseReadsExactly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		decimals int
		want     string
	}{
		{"0", 18, "0"},
		{"0.5", 18, "500000000000000000"},
		{".5", 6, "500000"},
		{"007", 0, "7"},
		{"0.000000000000000001", 18, "1"},
		{"115792089237316195423570985008687907853269984665640564039457584007913129639935", 0, "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
	} {
		if got, err := Parse(c.text, c.decimals); err != nil || got.String() != c.want {
			t.Errorf("%q is read as %v, %v; want %s", c.text, got, err, c.want)
		}
	}
}

func TestFromBaseUnitsTakesPlainIntegersOnly(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "-1", "1.0", "0x1", " 1", "1e2"} {
		if got, err := FromBaseUnits(text); !errors.Is(err, ErrNotANumber) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	if got, err := FromBaseUnits("000123"); err != nil || got.Int64() != 123 {
		t.Errorf("read as %v, %v", got, err)
	}
}

func TestWhatIsShownIsReadBackUnchanged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		units := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "units"))
		decimals := rapid.IntRange(0, 30).Draw(t, "decimals")
		text := Format(units, decimals)
		back, err := Parse(text, decimals)
		if err != nil || back.Cmp(units) != 0 {
			t.Fatalf("%s with %d decimals shows as %q and is read back as %v, %v", units, decimals, text, back, err)
		}
		if negative := Format(new(big.Int).Neg(units), decimals); units.Sign() != 0 && negative != "-"+text {
			t.Fatalf("its negative shows as %q", negative)
		}
	})
}
