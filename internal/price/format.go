package price

import (
	"math/big"
	"strings"
)

// usdDecimals is how finely values are told: a millionth of a dollar.
const usdDecimals = 6

// Format writes a value or price as a plain decimal with at most six decimals,
// rounded half away from zero, without trailing zeros.
func Format(v *big.Rat) string {
	text := v.FloatString(usdDecimals)
	text = strings.TrimRight(text, "0")
	return strings.TrimSuffix(text, ".")
}
