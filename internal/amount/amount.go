// Package amount reads integer base units and shows them as the decimal text
// that people read; what people type is read by the page. It is vocabulary: integers only, no floats, no
// rounding, no locale.
package amount

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Errors of FromBaseUnits.
var (
	ErrNotANumber = errors.New("not a decimal number")
	ErrTooLarge   = errors.New("larger than 256 bits")
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
