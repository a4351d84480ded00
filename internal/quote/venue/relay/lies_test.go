package relay_test

import (
	"errors"
	"testing"
	"time"

	"tenfold/internal/fault"
	"tenfold/internal/quote"
)

// The venue lies in one way at a time, and nothing that it offers then reaches a
// signer. A lie is found when the offer is read, when its transactions are
// decoded, or when they are compared with it.
func TestALyingVenueIsFoundOut(t *testing.T) {
	t.Parallel()
	onEVM, onSolana := ask(t, base, "usdc", base, "native", 5_000_000), ask(t, sol, "usdc", sol, "usdt", 5_000_000)
	ofCoin := ask(t, base, "native", base, "usdc", 10_000_000_000_000_000)
	across := ask(t, base, "usdc", sol, "usdc", 20_000_000)
	for name, c := range map[string]struct {
		lie string
		ask quote.Ask
		err error // nil: found before the comparison
	}{
		"recipient":               {"lie-recipient", onEVM, quote.ErrRecipient},
		"recipient on Solana":     {"lie-recipient", onSolana, nil},
		"spender":                 {"lie-spender", onEVM, nil},
		"spender of a deposit":    {"lie-spender", across, nil},
		"allowance":               {"lie-allowance", onEVM, quote.ErrApproval},
		"value":                   {"lie-value", onEVM, nil},
		"target":                  {"lie-target", onEVM, nil},
		"target of a deposit":     {"lie-target", across, nil},
		"target without approval": {"lie-target", ofCoin, quote.ErrContract},
		"value of coin":           {"lie-value", ofCoin, quote.ErrAmount},
		"chain":                   {"lie-chain", onEVM, nil},
		"minimum":                 {"lie-minimum", onEVM, quote.ErrMinimum},
		"one more instruction":    {"lie-instruction", onSolana, quote.ErrExtra},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lane := local.lanes[c.ask.From.ChainID]
			lane.Lock()
			defer lane.Unlock()
			err := offerAndVerify(t, "fault-"+c.lie, c.ask)
			if err == nil {
				t.Fatal("the lie would be signed")
			}
			if c.err != nil && !errors.Is(err, c.err) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if f := fault.Of(err); f.Message != "Missing required data, aborting swap" ||
				f.Code != fault.UnsafeTransaction && c.lie != "lie-chain" { // found in the answer itself
				t.Fatalf("it shows as %s %q", f.Code, f.Message)
			}
		})
	}
}

func offerAndVerify(t *testing.T, referrer string, a quote.Ask) error {
	t.Helper()
	o, err := venue(t, referrer).Quote(t.Context(), a)
	if err != nil {
		return err
	}
	_, described, err := describe(t, o)
	if err != nil {
		return err
	}
	return quote.Verify(o, described, time.Now())
}

func TestARefusingVenueGetsTheRightMessage(t *testing.T) {
	t.Parallel()
	for referrer, want := range map[string]struct {
		code    fault.Code
		message string
	}{
		"too-low":           {fault.AmountTooLow, "The input amount is too small. Please increase the amount to execute the order"},
		"liquidity":         {fault.LiquidityExceeded, "The amount you are trying to swap is higher than the available liquidity. Please try again with a smaller amount."},
		"no-route":          {fault.NoRoute, "No valid swap route found. Please try again with different tokens."},
		"too-large":         {fault.NoRoute, "No valid swap route found. Please try again with different tokens."},
		"unauthorized":      {fault.VenueUnavailable, "The swap venue can't be reached right now. Nothing was signed. Please try again in a moment."},
		"too-many-requests": {fault.RateLimited, "There are too many requests right now. Please try again in a moment."},
		"unavailable":       {fault.VenueUnavailable, "The swap venue can't be reached right now. Nothing was signed. Please try again in a moment."},
		"internal":          {fault.VenueUnavailable, "The swap venue can't be reached right now. Nothing was signed. Please try again in a moment."},
	} {
		t.Run(referrer, func(t *testing.T) {
			t.Parallel()
			_, err := venue(t, "fault-"+referrer).Quote(t.Context(), ask(t, base, "native", base, "usdc", 10_000_000_000_000_000))
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != want.code || f.Message != want.message {
				t.Errorf("got %v, want %v", err, want)
			}
		})
	}
}

// Relay's answers differ in details from day to day.
func TestOddButHonestAnswersAreUnderstood(t *testing.T) {
	t.Parallel()
	for _, referrer := range []string{"gas-missing", "gas-number", "empty-step", "usd-missing"} {
		t.Run(referrer, func(t *testing.T) {
			t.Parallel()
			lane := local.lanes[base]
			lane.Lock()
			defer lane.Unlock()
			if err := offerAndVerify(t, "fault-"+referrer, ask(t, base, "native", base, "usdc", 10_000_000_000_000_000)); err != nil {
				t.Error(err)
			}
		})
	}
	o, err := venue(t, "fault-usd-missing").Quote(t.Context(), ask(t, base, "native", base, "usdc", 10_000_000_000_000_000))
	if err != nil || o.AmountInUSD != "" || o.AmountOutUSD != "" {
		t.Errorf("values are invented: %+v, %v", o, err)
	}
}

func TestPricesArePlainDecimals(t *testing.T) {
	t.Parallel()
	for _, a := range []struct {
		chainID int64
		kind    string
	}{{ethereum, "native"}, {bsc, "usdc"}, {sol, "native"}, {sol, "usdt"}} {
		price, err := venue(t, "").Price(t.Context(), asset(t, a.chainID, a.kind))
		if err != nil || price == "" || price == "0" {
			t.Errorf("%s on %d costs %q, %v", a.kind, a.chainID, price, err)
		}
	}
}
