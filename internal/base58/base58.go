// Package base58 encodes bytes in the Bitcoin alphabet, as Solana addresses and
// credential bundles are written.
//
// It must never be given a secret: the work done depends on the value.
//
// Layer: vocabulary.
package base58

import (
	"errors"
	"math/big"
	"strings"
)

// alphabet lists the digits in ascending order.
const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// ErrCharacter marks text with a character outside the alphabet.
var ErrCharacter = errors.New("non-base58 character")

var radix = big.NewInt(int64(len(alphabet)))

// Encode writes data, each leading zero byte as one "1".
func Encode(data []byte) string {
	zeros := 0
	for zeros < len(data) && data[zeros] == 0 {
		zeros++
	}
	number := new(big.Int).SetBytes(data[zeros:])
	digit := new(big.Int)
	var reversed []byte
	for number.Sign() > 0 {
		number.DivMod(number, radix, digit)
		reversed = append(reversed, alphabet[digit.Int64()])
	}
	var text strings.Builder
	text.WriteString(strings.Repeat(alphabet[:1], zeros))
	for i := len(reversed) - 1; i >= 0; i-- {
		text.WriteByte(reversed[i])
	}
	return text.String()
}

// Decode reads what Encode writes. The error is ErrCharacter. The time grows with
// the square of the length: bound untrusted text first.
func Decode(text string) ([]byte, error) {
	zeros := 0
	for zeros < len(text) && text[zeros] == alphabet[0] {
		zeros++
	}
	number := new(big.Int)
	for i := zeros; i < len(text); i++ {
		value := strings.IndexByte(alphabet, text[i])
		if value < 0 {
			return nil, ErrCharacter
		}
		number.Mul(number, radix)
		number.Add(number, big.NewInt(int64(value)))
	}
	return append(make([]byte, zeros), number.Bytes()...), nil
}
