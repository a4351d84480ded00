// Package pricing owns the venue's arithmetic: dollar prices, what the pools
// pay, and what the venue charges. It is pure: integers and exact fractions in,
// integers out, never a float, no network and no clock.
//
// Layer: part of the local network's venue.
package pricing

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"strings"
)

var (
	// ErrNoRoute says that no pools connect two tokens.
	ErrNoRoute = errors.New("no pools connect the tokens")
	// ErrLiquidity says that an amount is beyond what the pools can trade.
	ErrLiquidity = errors.New("the amount is beyond what the pools hold")
	// ErrFeesExceedValue says that an amount does not cover what moving it costs.
	ErrFeesExceedValue = errors.New("the fees exceed the value")
)

// bpsUnit is the number of basis points in the whole.
const bpsUnit = 10_000

var decimalText = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// Book holds the dollar price of each symbol. The prices are the seed prices of
// the local pools and do not move.
type Book struct{ prices map[string]*big.Rat }

// LoadBook reads a JSON object of symbol to decimal text, such as
// {"ETH": "3214.60"}: US dollars for one whole coin.
func LoadBook(path string) (*Book, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	var texts map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, fmt.Errorf("decode prices: %w", err)
	}
	return NewBook(texts)
}

// NewBook takes prices as decimal texts; each must be above zero.
func NewBook(texts map[string]string) (*Book, error) {
	book := &Book{prices: make(map[string]*big.Rat, len(texts))}
	for symbol, text := range texts {
		price, ok := new(big.Rat).SetString(text)
		if !ok || !decimalText.MatchString(text) || price.Sign() <= 0 {
			return nil, fmt.Errorf("price of %s: %q is not a positive decimal", symbol, text)
		}
		book.prices[symbol] = price
	}
	return book, nil
}

// Price is the price in US dollars of one whole coin; false when it is unknown.
func (b *Book) Price(symbol string) (*big.Rat, bool) {
	price, ok := b.prices[symbol]
	if !ok {
		return nil, false
	}
	return new(big.Rat).Set(price), true
}

// Value is what amount base units of an asset are worth in US dollars; zero
// when the symbol has no price.
func (b *Book) Value(amount *big.Int, symbol string, decimals int) *big.Rat {
	price, ok := b.Price(symbol)
	if !ok {
		return new(big.Rat)
	}
	return price.Mul(price, new(big.Rat).SetFrac(amount, pow10(decimals)))
}

// Units is how many base units of an asset a sum of US dollars buys, rounded
// down; zero when the symbol has no price or the sum is not positive.
func (b *Book) Units(dollars *big.Rat, symbol string, decimals int) *big.Int {
	price, ok := b.Price(symbol)
	if !ok || dollars.Sign() <= 0 {
		return new(big.Int)
	}
	units := new(big.Rat).Quo(dollars, price)
	units.Mul(units, new(big.Rat).SetInt(pow10(decimals)))
	return new(big.Int).Quo(units.Num(), units.Denom())
}

// Dollars writes a sum as a decimal text with at most six places, the sign kept.
func Dollars(value *big.Rat) string { return trimmed(value, 6) }

// Percent writes part as a percentage of whole with two places; "0.00" when the
// whole is zero.
func Percent(part, whole *big.Rat) string {
	if whole.Sign() == 0 {
		return "0.00"
	}
	ratio := new(big.Rat).Quo(part, whole)
	return ratio.Mul(ratio, big.NewRat(100, 1)).FloatString(2)
}

// Rate writes output for one unit of input, both in whole coins.
func Rate(in *big.Int, inDecimals int, out *big.Int, outDecimals int) string {
	if in.Sign() == 0 {
		return "0"
	}
	whole := new(big.Rat).SetFrac(out, pow10(outDecimals))
	return trimmed(whole.Quo(whole, new(big.Rat).SetFrac(in, pow10(inDecimals))), 18)
}

func trimmed(value *big.Rat, places int) string {
	text := strings.TrimRight(value.FloatString(places), "0")
	text = strings.TrimSuffix(text, ".")
	if text == "-0" || text == "" {
		return "0"
	}
	return text
}

func pow10(decimals int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
}
