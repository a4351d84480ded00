package pricing

import (
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// The Solana program's own worked examples hold for our formula.
func TestLocalSolanaFormulaAgreesWithTheProgram(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "solana", "testdata", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		AmountIn, ReserveIn, ReserveOut, AmountOut string
		FeeBps                                     int64
	}
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatal("there are no examples")
	}
	for _, v := range vectors {
		got := LocalSolana(v.FeeBps)(number(t, v.AmountIn), number(t, v.ReserveIn), number(t, v.ReserveOut))
		if got.String() != v.AmountOut {
			t.Errorf("%+v: got %s", v, got)
		}
	}
}

// Worked examples of UniswapV2Library.getAmountOut, from Uniswap's own tests of
// its router and pair.
func TestUniswapV2Formula(t *testing.T) {
	t.Parallel()
	for _, v := range []struct{ in, reserveIn, reserveOut, out string }{
		{"2", "100", "100", "1"},
		{"1000000000000000000", "5000000000000000000", "10000000000000000000", "1662497915624478906"},
		{"1000000000000000000", "10000000000000000000", "5000000000000000000", "453305446940074565"},
		{"2000000000000000000", "5000000000000000000", "10000000000000000000", "2851015155847869602"},
		{"2000000000000000000", "10000000000000000000", "5000000000000000000", "831248957812239453"},
		{"1000000000000000000", "10000000000000000000", "10000000000000000000", "906610893880149131"},
		{"1000000000000000000", "1000000000000000000000", "1000000000000000000000", "996006981039903216"},
	} {
		if got := UniswapV2(number(t, v.in), number(t, v.reserveIn), number(t, v.reserveOut)); got.String() != v.out {
			t.Errorf("%+v: got %s", v, got)
		}
	}
}

// No formula ever lets the product of the reserves shrink, or pays for nothing.
func TestFormulasNeverGiveAway(t *testing.T) {
	t.Parallel()
	for name, formula := range map[string]Formula{"Uniswap": UniswapV2, "Solana": LocalSolana(30)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				in := big.NewInt(rapid.Int64Range(0, 1<<60).Draw(t, "in"))
				x := big.NewInt(rapid.Int64Range(1, 1<<60).Draw(t, "x"))
				y := big.NewInt(rapid.Int64Range(1, 1<<60).Draw(t, "y"))
				out := formula(in, x, y)
				before := new(big.Int).Mul(x, y)
				after := new(big.Int).Mul(new(big.Int).Add(x, in), new(big.Int).Sub(y, out))
				if out.Sign() < 0 || after.Cmp(before) < 0 {
					t.Fatalf("pays %s", out)
				}
			})
		})
	}
}

func pool(a, b string, reserveA, reserveB int64) Pool {
	return Pool{ID: a + b, TokenA: a, TokenB: b, ReserveA: big.NewInt(reserveA), ReserveB: big.NewInt(reserveB), Formula: UniswapV2}
}

func TestBestRoute(t *testing.T) {
	t.Parallel()
	pools := []Pool{pool("W", "C", 1_000_000, 3_000_000), pool("C", "T", 5_000_000, 5_000_000), pool("W", "T", 1_000, 2_000)}
	for _, test := range []struct {
		name, in, out string
		amount        int64
		path          []string
		err           error
	}{
		{"one pool", "W", "C", 1_000, []string{"W", "C"}, nil},
		{"the other way", "C", "W", 1_000, []string{"C", "W"}, nil},
		{"two deep pools beat a shallow one", "W", "T", 900, []string{"W", "C", "T"}, nil},
		{"unknown token", "W", "X", 1_000, nil, ErrNoRoute},
		{"more than there is", "C", "W", 5_000_000, nil, ErrLiquidity},
	} {
		route, err := BestRoute(pools, test.in, test.out, big.NewInt(test.amount))
		if !errors.Is(err, test.err) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.err)
			continue
		}
		if err == nil && !equal(route.Tokens(), test.path) {
			t.Errorf("%s: path %v, want %v", test.name, route.Tokens(), test.path)
		}
	}
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestServiceFeeRows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to string
		want     int64
	}{
		{"USDC", "USDC", 0}, {"ETH", "ETH", 0}, {"USDC", "USDT", 1}, {"ETH", "USDC", 6}, {"SOL", "ETH", 6}, {"POL", "USDC", 15}, {"S", "BERA", 15},
	} {
		if got := ServiceBps(test.from, test.to); got != test.want {
			t.Errorf("%s to %s: %d, want %d", test.from, test.to, got, test.want)
		}
	}
}

// 1 ETH at 3,000 dollars for USDC: 6 bps of service, 2 cents and 30 cents of
// network fee leave 2,997.88 dollars.
func TestChargeLeavesTheRest(t *testing.T) {
	t.Parallel()
	book := testBook(t)
	value := book.Value(number(t, "1000000000000000000"), "ETH", 18)
	charge := ChargeFor(value, big.NewRat(30, 100), ServiceBps("ETH", "USDC"))
	left, err := charge.After(value)
	if err != nil {
		t.Fatal(err)
	}
	if got := book.Units(left, "USDC", 6); got.String() != "2997880000" {
		t.Errorf("left %s", got)
	}
	if _, err := charge.After(big.NewRat(1, 100)); !errors.Is(err, ErrFeesExceedValue) {
		t.Errorf("one cent: %v", err)
	}
}

func TestMinimumRoundsDown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ amount, bps, want int64 }{
		{10_000, 50, 9_950}, {999, 50, 994}, {1, 50, 0}, {1_000, 0, 1_000}, {1_000, 10_000, 0},
	} {
		if got := Minimum(big.NewInt(test.amount), test.bps); got.Int64() != test.want {
			t.Errorf("%d at %d: %s, want %d", test.amount, test.bps, got, test.want)
		}
	}
}

func TestTextForms(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Dollars(big.NewRat(1, 3)):                            "0.333333",
		Dollars(big.NewRat(-21, 10)):                         "-2.1",
		Dollars(big.NewRat(-1, 10_000_000)):                  "0",
		Percent(big.NewRat(-1, 300), big.NewRat(1, 1)):       "-0.33",
		Percent(big.NewRat(1, 1), new(big.Rat)):              "0.00",
		Rate(big.NewInt(2_000_000), 6, big.NewInt(1), 0):     "0.5",
		Rate(big.NewInt(3), 0, big.NewInt(1_000_000_000), 9): "0.333333333333333333",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestBooksThatAreWrongAreRefused(t *testing.T) {
	t.Parallel()
	for _, price := range []string{"", "0", "-1", "1e3", "1/3", "abc", "1.", ".5"} {
		if _, err := NewBook(map[string]string{"ETH": price}); err == nil {
			t.Errorf("price %q was taken", price)
		}
	}
	if _, err := LoadBook(filepath.Join(t.TempDir(), "missing.json")); err == nil {
		t.Error("a missing file was taken")
	}
}

func testBook(t *testing.T) *Book {
	t.Helper()
	book, err := NewBook(map[string]string{"ETH": "3000", "USDC": "1.00"})
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func number(t *testing.T, text string) *big.Int {
	t.Helper()
	value, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return value
}
