// Package amount converts between integer base units and the decimal text that
// people read and write. It is vocabulary: integers only, no floats, no
// rounding, no locale.
package amount

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Errors of Parse and FromBaseUnits.
var (
	ErrNotANumber      = errors.New("not a decimal number")
	ErrTooManyDecimals = errors.New("more decimals than the asset has")
	ErrTooLarge        = errors.New("larger than 256 bits")
)

const maxDigits = 78 // decimal digits of 2^256

// Format shows v base units as a decimal string with the given number of
// decimal places shifted in, trailing zeros trimmed and the sign kept
// (specification, section 9).
func Format(v *big.Int, decimals int) string {
	digits := new(big.Int).Abs(v).String()
	if decimals > 0 {
		if pad := decimals + 1 - len(digits); pad > 0 {
			digits = strings.Repeat("0", pad) + digits
		}
		whole, fraction := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
		digits = whole
		if fraction != "" {
			digits += "." + fraction
		}
	}
	if v.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// Parse reads an unsigned decimal text such as "0.5" as base units of an asset
// with the given decimals. Signs, exponents, grouping and blanks are refused
// with ErrNotANumber, excess decimals with ErrTooManyDecimals.
func Parse(text string, decimals int) (*big.Int, error) {
	whole, fraction, hasPoint := strings.Cut(text, ".")
	if whole == "" && fraction == "" || hasPoint && fraction == "" || !digitsOnly(whole) || !digitsOnly(fraction) {
		return nil, fmt.Errorf("%q: %w", text, ErrNotANumber)
	}
	if len(fraction) > decimals {
		return nil, fmt.Errorf("%q has %d decimals, the asset %d: %w", text, len(fraction), decimals, ErrTooManyDecimals)
	}
	return FromBaseUnits(whole + fraction + strings.Repeat("0", decimals-len(fraction)))
}

// FromBaseUnits reads an unsigned integer of base units, at most 256 bits.
func FromBaseUnits(text string) (*big.Int, error) {
	if text == "" || !digitsOnly(text) {
		return nil, fmt.Errorf("%q: %w", text, ErrNotANumber)
	}
	trimmed := strings.TrimLeft(text, "0")
	if len(trimmed) > maxDigits {
		return nil, ErrTooLarge
	}
	v, ok := new(big.Int).SetString("0"+trimmed, 10)
	if !ok {
		return nil, fmt.Errorf("%q: %w", text, ErrNotANumber)
	}
	if v.BitLen() > 256 {
		return nil, ErrTooLarge
	}
	return v, nil
}

func digitsOnly(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
