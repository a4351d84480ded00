package price_test

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"tenfold/catalog"
	"tenfold/internal/price"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"3000": "3000", "0.000001": "0.000001", "0": "0", "2999.5": "2999.5"} {
		got, err := price.Parse(text)
		if err != nil || price.Format(got) != want {
			t.Errorf("%q → %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1e3", "1/2", "0x10", "NaN", ".", "1.2.3", "1,5", " 1", "∞", string(make([]byte, 100))} {
		if got, err := price.Parse(text); err == nil {
			t.Errorf("%q was read as %s", text, got)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		units    string
		decimals int
		price    string
		want     string
	}{
		{"1000000000000000000", 18, "3000", "3000"},
		{"1", 18, "3000", "0"}, // below a millionth of a dollar
		{"333333333333333333", 18, "3", "1"},
		{"123456789", 6, "0.9999", "123.444443"},
		{"5000000000", 9, "160.25", "801.25"},
		{"115792089237316195423570985008687907853269984665640564039457584007913129639935", 0, "1", "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
	} {
		units, _ := new(big.Int).SetString(c.units, 10)
		p, err := price.Parse(c.price)
		if err != nil {
			t.Fatal(err)
		}
		if got := price.Format(price.Value(units, c.decimals, p)); got != c.want {
			t.Errorf("%s with %d decimals at %s is %s, want %s", c.units, c.decimals, c.price, got, c.want)
		}
	}
}

// TestValueIsAdditive checks on random holdings that nothing is lost by summing.
func TestValueIsAdditive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64().Draw(t, "b")
		decimals := rapid.IntRange(0, 18).Draw(t, "decimals")
		p := big.NewRat(int64(rapid.Uint32().Draw(t, "price")), 1000)
		whole := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
		sum := new(big.Rat).Add(price.Value(whole(a), decimals, p), price.Value(whole(b), decimals, p))
		if sum.Cmp(price.Value(new(big.Int).Add(whole(a), whole(b)), decimals, p)) != 0 {
			t.Fatalf("%d and %d", a, b)
		}
	})
}

// counting is a source that counts its questions.
type counting struct {
	mu    sync.Mutex
	asked map[string]int
}

func (c *counting) Price(_ context.Context, a catalog.Asset) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[a.PriceSymbol]++
	switch a.PriceSymbol {
	case "SOL":
		return "", errors.New("down")
	case "BNB":
		return "six hundred", nil
	}
	return "2", nil
}

func TestPricesAreSharedAndUnknownOnesMissing(t *testing.T) {
	t.Parallel()
	source := &counting{asked: map[string]int{}}
	s, err := price.New(source, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var assets []catalog.Asset
	for _, c := range catalog.Chains() {
		assets = append(assets, c.Assets()...)
	}
	for range 3 {
		got := s.Of(t.Context(), assets)
		if got["ETH"] == nil || got["ETH"].RatString() != "2" || got["SOL"] != nil || got["BNB"] != nil {
			t.Errorf("the prices are %v", got)
		}
	}
	if source.asked["ETH"] != 1 || source.asked["USDC"] != 1 {
		t.Errorf("asked %v", source.asked)
	}
}
