package relay

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/fault"
	"tenfold/internal/quote"
)

// An answer in the documented form: 100 USDC on Base for USDC on Solana. The
// cases below change one thing in it.
const honestAnswer = `{
 "steps": [
  {"id":"approve","kind":"transaction","requestId":"0xab000000000000000000000000000000000000000000000000000000000000CD","items":[
   {"status":"incomplete","data":{"from":"0x52908400098527886e0f7030069857d2e4169ee7","to":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","data":"0x095ea7b3","value":"0","chainId":8453,"gas":"60000"}}]},
  {"id":"deposit","kind":"transaction","requestId":"0xab000000000000000000000000000000000000000000000000000000000000cd","depositAddress":"","items":[
   {"status":"incomplete","data":{"from":"0x52908400098527886e0f7030069857d2e4169ee7","to":"0x4cd00e387622c35bddb9b4c962c136462338bc31","data":"0xe8017952","value":"0","chainId":8453,"gas":150000,"maxFeePerGas":"1"},
    "check":{"endpoint":"/intents/status/v3?requestId=0xab","method":"GET"}}]}
 ],
 "fees": {
  "gas":{"currency":{"chainId":8453,"address":"0x0000000000000000000000000000000000000000"},"amount":"2000000000000","amountUsd":"0.006431"},
  "relayer":{"currency":{"chainId":8453,"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"amount":"30000","amountUsd":"0.03"},
  "relayerGas":{"currency":{"chainId":8453,"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"amount":"20000","amountUsd":"0.02"},
  "relayerService":{"currency":{"chainId":8453,"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"amount":"10000","amountUsd":"0.01"},
  "app":{"currency":{"chainId":8453,"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"amount":"0","amountUsd":"0"}
 },
 "details": {
  "operation":"bridge","sender":"0x52908400098527886E0F7030069857D2E4169EE7","recipient":"7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q",
  "currencyIn":{"currency":{"chainId":8453,"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"amount":"100000000","amountUsd":"100.00"},
  "currencyOut":{"currency":{"chainId":792703809,"address":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"},"amount":"99970000","amountUsd":"99.97","minimumAmount":"99470150"},
  "totalImpact":{"usd":"-0.03","percent":"-0.03"},"timeEstimate":2.4,"rate":"0.9997"
 },
 "somethingNew": {"kept": false}
}`

func bridging() quote.Ask {
	onBase, _ := catalog.ChainByID(8453)
	onSolana, _ := catalog.ChainByID(catalog.SolanaChainID)
	from, _ := onBase.AssetAt("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")
	to, _ := onSolana.AssetAt("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	return quote.Ask{
		From: from, To: to, Amount: big.NewInt(100_000_000), SlippageBps: 50,
		User: "0x52908400098527886E0F7030069857D2E4169EE7", Recipient: "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q",
	}
}

// scripted serves one answer to everything.
func scripted(t *testing.T, handler http.HandlerFunc) *Venue {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	v, err := New(Config{BaseURL: server.URL + "/", APIKey: "a-secret-key"})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func answering(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestQuoteAsksAndReadsInRelaysForm(t *testing.T) {
	t.Parallel()
	var asked map[string]any
	v := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/quote/v2" || r.Method != http.MethodPost || r.Header.Get("x-api-key") != "a-secret-key" {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, honestAnswer)
	})
	o, err := v.Quote(t.Context(), bridging())
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]any{
		"user": "0x52908400098527886E0F7030069857D2E4169EE7", "refundTo": "0x52908400098527886E0F7030069857D2E4169EE7",
		"recipient": "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q", "originChainId": 8453.0, "destinationChainId": 792703809.0,
		"originCurrency":      "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
		"destinationCurrency": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		"amount":              "100000000", "tradeType": "EXACT_INPUT", "slippageTolerance": "50", "explicitDeposit": true,
	} {
		if asked[field] != want {
			t.Errorf("%s is asked as %v, want %v", field, asked[field], want)
		}
	}
	if o.RequestID != "0xab000000000000000000000000000000000000000000000000000000000000cd" || o.AmountOut.Int64() != 99_970_000 ||
		o.MinimumOut.Int64() != 99_470_150 || o.FeesUSD != "0.036431" || o.TimeSeconds != 3 || o.PriceImpactPercent != "-0.03" || o.QuotedAt.IsZero() {
		t.Errorf("read as %+v", o)
	}
	if len(o.Fees) != 3 || o.Fees[0].Kind != quote.FeeNetwork || !o.Fees[0].Asset.Native || o.Fees[1].Kind != quote.FeeVenue || o.Fees[1].Amount.Int64() != 20_000 {
		t.Errorf("fees are read as %+v", o.Fees)
	}
	calls := o.Request.Calls
	if len(calls) != 2 || calls[0].GasLimit != 60_000 || calls[1].GasLimit != 150_000 || calls[1].Value.Sign() != 0 || len(calls[1].Data) != 4 {
		t.Errorf("calls are read as %+v", calls)
	}
}

func TestAnswersToAnotherQuestionAreRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"another amount in":       {`"amount":"100000000"`, `"amount":"100000001"`},
		"another asset in":        {`"currencyIn":{"currency":{"chainId":8453,"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"`, `"currencyIn":{"currency":{"chainId":8453,"address":"0x0000000000000000000000000000000000000000"`},
		"another asset out":       {`EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"},"amount"`, `Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"},"amount"`},
		"another chain out":       {`"chainId":792703809`, `"chainId":7565164`},
		"another sender":          {`"sender":"0x5`, `"sender":"0x6`},
		"another recipient":       {`"recipient":"7v`, `"recipient":"8v`},
		"another payer":           {`"from":"0x5`, `"from":"0x6`},
		"a call on another chain": {`"chainId":8453,"gas":"60000"`, `"chainId":1,"gas":"60000"`},
		"no minimum":              {`,"minimumAmount":"99470150"`, ``},
		"a fractional minimum":    {`"99470150"`, `"99470150.5"`},
		"a negative minimum":      {`"99470150"`, `"-99470150"`},
		"an endless number":       {`"99470150"`, `"` + strings.Repeat("9", 100) + `"`},
		"two orders":              {`00CD`, `00CE`},
		"a short order id":        {`00000cd","deposit`, `cd","deposit`},
		"a step to sign a message": {
			`"id":"deposit","kind":"transaction"`, `"id":"authorize","kind":"signature"`,
		},
		"an unknown step":     {`"id":"deposit"`, `"id":"upgrade"`},
		"odd call data":       {`"0xe8017952"`, `"0xe801795"`},
		"a value of no form":  {`"value":"0","chainId":8453,"gas":150000`, `"value":"0x1","chainId":8453,"gas":150000`},
		"a step that is text": {`"steps": [`, `"steps": ["none",`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(honestAnswer, change[0], change[1], 1)
			if changed == honestAnswer {
				t.Fatal("the case changes nothing")
			}
			_, err := scripted(t, answering(http.StatusOK, changed)).Quote(t.Context(), bridging())
			if f := fault.Of(err); err == nil || f.Code != fault.VenueUnavailable || f.Message != "Missing required data, aborting swap" {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestABrokenVenueIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"no JSON":           answering(http.StatusOK, "<html>"),
		"half an answer":    answering(http.StatusOK, honestAnswer[:200]),
		"a gateway's error": answering(http.StatusBadGateway, "<html>bad gateway</html>"),
		"an endless answer": answering(http.StatusOK, `{"steps":[`+strings.Repeat(" ", maximumAnswer)),
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://localhost:1/", http.StatusFound)
		},
		"a dropped line":     func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"an unknown refusal": answering(http.StatusInternalServerError, `{"message":"boom","errorCode":"NEW_CODE"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := scripted(t, handler).Quote(t.Context(), bridging())
			if fault.CodeOf(err) != fault.VenueUnavailable {
				t.Errorf("got %v", err)
			}
			if err != nil && (strings.Contains(err.Error(), "a-secret-key") || strings.Contains(err.Error(), "127.0.0.1")) {
				t.Errorf("the error tells the key or the URL: %v", err)
			}
		})
	}
}

func TestARefusalWithoutAKnownCodeIsJudgedByItsText(t *testing.T) {
	t.Parallel()
	for body, code := range map[string]fault.Code{
		`{"message":"No routes found"}`:                                fault.NoRoute,
		`{"message":"Amount is higher than the available liquidity"}`:  fault.LiquidityExceeded,
		`{"message":"something new","errorCode":"NO_QUOTES"}`:          fault.NoRoute,
		`{"message":"bad","errorCode":"INVALID_ADDRESS"}`:              fault.InvalidAddress,
		`{"message":"You need more","errorCode":"INSUFFICIENT_FUNDS"}`: fault.InsufficientBalance,
		`{"message":"no idea","errorCode":"UNKNOWN_ERROR"}`:            fault.VenueUnavailable,
	} {
		_, err := scripted(t, answering(http.StatusBadRequest, body)).Quote(t.Context(), bridging())
		if fault.CodeOf(err) != code {
			t.Errorf("%s gives %v", body, err)
		}
	}
}

func TestACallerThatGivesUpIsNotKept(t *testing.T) {
	t.Parallel()
	v := scripted(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := v.Status(ctx, "0xab"); !errors.Is(err, context.DeadlineExceeded) || fault.CodeOf(err) != fault.VenueUnavailable {
		t.Errorf("got %v", err)
	}
}

const (
	evmHash    = "0xabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"
	solanaHash = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
)

func TestStatusesAreRead(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]quote.Status{
		`{"status":"waiting"}`:    {State: quote.Waiting},
		`{"status":"depositing"}`: {State: quote.Pending},
		`{"status":"pending"}`:    {State: quote.Pending},
		`{"status":"delayed"}`:    {State: quote.Pending},
		`{"status":"brand-new"}`:  {State: quote.Pending},
		`{"status":"submitted","inTxHashes":["` + evmHash + `"],"txHashes":null}`: {State: quote.Submitted, InHashes: []string{evmHash}},
		// Only what can name a transaction is taken over.
		`{"status":"success","txHashes":["0x2","../` + evmHash + `","` + evmHash + `00",""]}`:                                           {State: quote.Success},
		`{"status":"success","failReason":"N/A","txHashes":["` + solanaHash + `","` + strings.Replace(evmHash, "abc", "ABC", 1) + `"]}`: {State: quote.Success, OutHashes: []string{solanaHash, evmHash}},
		`{"status":"failure","failReason":"SLIPPAGE","refundFailReason":null}`:                                                          {State: quote.Failure, FailReason: "SLIPPAGE"},
		`{"status":"refund","failReason":"NO_QUOTES","refundFailReason":"N/A","updatedAt":1}`:                                           {State: quote.Refund, FailReason: "NO_QUOTES", UpdatedAt: time.UnixMilli(1)},
	} {
		got, err := scripted(t, answering(http.StatusOK, body)).Status(t.Context(), "0xab")
		if err != nil || got.State != want.State || got.FailReason != want.FailReason || got.RefundFailReason != want.RefundFailReason ||
			len(got.InHashes) != len(want.InHashes) || len(got.OutHashes) != len(want.OutHashes) || !got.UpdatedAt.Equal(want.UpdatedAt) {
			t.Errorf("%s is read as %+v, %v", body, got, err)
		}
		if final := want.State == quote.Success || want.State == quote.Failure || want.State == quote.Refund; got.State.Final() != final {
			t.Errorf("%s is final: %v", body, got.State.Final())
		}
	}
}

func TestIndexSendsTheChainAsText(t *testing.T) {
	t.Parallel()
	v := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/transactions/index" || string(raw) != `{"chainId":"792703809","requestId":"0xab","txHash":"5x"}` {
			t.Errorf("%s %s", r.URL.Path, raw)
		}
		_, _ = io.WriteString(w, `{"message":"ok"}`)
	})
	if err := v.Index(t.Context(), catalog.SolanaChainID, "5x", "0xab"); err != nil {
		t.Error(err)
	}
	if err := v.Index(t.Context(), 5, "5x", "0xab"); fault.CodeOf(err) != fault.UnsupportedChain {
		t.Errorf("an unknown chain: %v", err)
	}
}

func TestPricesInEveryForm(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"price":3214.6}`: "3214.6", `{"price":"1.000"}`: "1.000", `{"price":1.5e-7}`: "0.00000015", `{"price":2E3}`: "2000",
		`{"price":null}`: "", `{}`: "", `{"price":-1}`: "", `{"price":1e999999999}`: "", `{"price":"free"}`: "", `{"price":true}`: "",
	} {
		got, err := scripted(t, answering(http.StatusOK, body)).Price(t.Context(), bridging().From)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s is read as %q, %v", body, got, err)
		}
	}
}

func TestBaseURLMustBeWeb(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "api.relay.link", "file:///etc/passwd", "http://", ":"} {
		if _, err := New(Config{BaseURL: text}); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
