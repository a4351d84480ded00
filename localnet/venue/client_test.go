package venue_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tenfold/catalog"
)

// object is a JSON object of a request.
type object map[string]any

// amountJSON, stepJSON and quoteJSON are written from the published API, not
// from the venue's own types.
type amountJSON struct {
	Currency struct {
		ChainID  int64  `json:"chainId"`
		Address  string `json:"address"`
		Symbol   string `json:"symbol"`
		Decimals int    `json:"decimals"`
		Metadata struct {
			IsNative bool `json:"isNative"`
		} `json:"metadata"`
	} `json:"currency"`
	Amount          string `json:"amount"`
	AmountFormatted string `json:"amountFormatted"`
	AmountUSD       string `json:"amountUsd"`
	MinimumAmount   string `json:"minimumAmount"`
}

type stepJSON struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	RequestID string `json:"requestId"`
	Items     []struct {
		Status string          `json:"status"`
		Data   json.RawMessage `json:"data"`
		Check  *struct {
			Endpoint string `json:"endpoint"`
			Method   string `json:"method"`
		} `json:"check"`
	} `json:"items"`
}

type quoteJSON struct {
	Steps   []stepJSON            `json:"steps"`
	Fees    map[string]amountJSON `json:"fees"`
	Details struct {
		Operation   string     `json:"operation"`
		Sender      string     `json:"sender"`
		Recipient   string     `json:"recipient"`
		CurrencyIn  amountJSON `json:"currencyIn"`
		CurrencyOut amountJSON `json:"currencyOut"`
		TotalImpact struct {
			USD     string `json:"usd"`
			Percent string `json:"percent"`
		} `json:"totalImpact"`
		Rate              string `json:"rate"`
		SlippageTolerance struct {
			Total string `json:"total"`
		} `json:"slippageTolerance"`
		TimeEstimate float64 `json:"timeEstimate"`
		UserBalance  string  `json:"userBalance"`
	} `json:"details"`
}

type statusJSON struct {
	Status             string   `json:"status"`
	InTxHashes         []string `json:"inTxHashes"`
	TxHashes           []string `json:"txHashes"`
	UpdatedAt          int64    `json:"updatedAt"`
	OriginChainID      int64    `json:"originChainId"`
	DestinationChainID int64    `json:"destinationChainId"`
	FailReason         string   `json:"failReason"`
	RefundFailReason   string   `json:"refundFailReason"`
}

type errorJSON struct {
	Message   string `json:"message"`
	ErrorCode string `json:"errorCode"`
}

// call sends a request to the shared venue.
func call(t *testing.T, method, path string, body any, good, bad any) int {
	t.Helper()
	return callAt(t, shared.url, method, path, body, good, bad)
}

// callAt sends a request and decodes the answer into one of two values, by status.
func callAt(t *testing.T, at, method, path string, body any, good, bad any) int {
	t.Helper()
	var reader io.Reader
	if body != nil {
		raw, ok := body.([]byte)
		if !ok {
			var err error
			if raw, err = json.Marshal(body); err != nil {
				t.Fatal(err)
			}
		}
		reader = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, at+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	into := good
	if answer.StatusCode != http.StatusOK {
		into = bad
	}
	if into == nil {
		t.Fatalf("%s %s: unexpected status %d: %s", method, path, answer.StatusCode, raw)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s %s: decode %s: %v", method, path, raw, err)
	}
	return answer.StatusCode
}

// pair is a quote request's two ends.
func pair(t *testing.T, from int64, in string, to int64, out string, units *big.Int) object {
	t.Helper()
	venueID := func(id int64) int64 {
		if id == solanaID {
			return relaySolana
		}
		return id
	}
	return object{
		"originChainId": venueID(from), "originCurrency": asset(t, from, in).Address,
		"destinationChainId": venueID(to), "destinationCurrency": asset(t, to, out).Address,
		"amount": units.String(), "tradeType": "EXACT_INPUT",
	}
}

// with adds or replaces fields.
func (o object) with(fields object) object {
	merged := maps.Clone(o)
	maps.Copy(merged, fields)
	return merged
}

var (
	requestIDShape = regexp.MustCompile(`^0x[0-9a-f]{64}$`)
	lowerAddress   = regexp.MustCompile(`^0x[0-9a-f]{40}$`)
)

// quote asks for a quote and checks what every good answer has.
func quote(t *testing.T, request object) quoteJSON {
	t.Helper()
	return quoteAt(t, shared.url, request)
}

func quoteAt(t *testing.T, at string, request object) quoteJSON {
	t.Helper()
	var answer quoteJSON
	callAt(t, at, http.MethodPost, "/quote/v2", request, &answer, nil)
	id := answer.Steps[0].RequestID
	if !requestIDShape.MatchString(id) {
		t.Errorf("request id %q is not 32 bytes of hex", id)
	}
	for i, step := range answer.Steps {
		if step.RequestID != id {
			t.Errorf("step %d has request id %s, the first %s", i, step.RequestID, id)
		}
		if step.Kind != "transaction" || len(step.Items) != 1 || step.Items[0].Status != "incomplete" {
			t.Errorf("step %d is not one incomplete transaction: %+v", i, step)
		}
		check := step.Items[0].Check
		switch {
		case i < len(answer.Steps)-1 && check != nil:
			t.Errorf("step %d (%s) has a check that only the last step can pass", i, step.ID)
		case i == len(answer.Steps)-1 && (check == nil || check.Endpoint != "/intents/status/v3?requestId="+id || check.Method != "GET"):
			t.Errorf("the last step's check is %+v", check)
		}
	}
	for _, address := range []string{answer.Details.Sender, answer.Details.Recipient, answer.Details.CurrencyIn.Currency.Address} {
		if strings.HasPrefix(address, "0x") && !lowerAddress.MatchString(address) {
			t.Errorf("address %s is not lower case", address)
		}
	}
	return answer
}

// stepIDs lists the steps by name.
func (q quoteJSON) stepIDs() string {
	var ids []string
	for _, step := range q.Steps {
		ids = append(ids, step.ID)
	}
	return strings.Join(ids, " ")
}

// out is the promised output, and minimum its lower bound.
func (q quoteJSON) out(t *testing.T) *big.Int { return integer(t, q.Details.CurrencyOut.Amount) }

func (q quoteJSON) minimum(t *testing.T) *big.Int {
	return integer(t, q.Details.CurrencyOut.MinimumAmount)
}

func integer(t *testing.T, text string) *big.Int {
	t.Helper()
	value, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("%q is not an integer", text)
	}
	return value
}

// evmData is the one transaction of an EVM step.
func (s stepJSON) evmData(t *testing.T) evmTransaction {
	t.Helper()
	var data evmTransaction
	if err := json.Unmarshal(s.Items[0].Data, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// execute carries out all steps of a quote that starts on an EVM chain, and
// gives the hash of the last and all gas paid.
func (u evmUser) execute(t *testing.T, q quoteJSON) (hash string, gas *big.Int) {
	t.Helper()
	gas = new(big.Int)
	for _, step := range q.Steps {
		data := step.evmData(t)
		receipt := u.send(t, data)
		if receipt.Status != 1 {
			t.Fatalf("step %s reverted", step.ID)
		}
		gas.Add(gas, gasPaid(receipt))
		hash = receipt.TxHash.Hex()
	}
	return hash, gas
}

// execute carries out the one step of a quote that starts on Solana.
func (u solanaUser) execute(t *testing.T, q quoteJSON) string {
	t.Helper()
	var data solanaTransaction
	if err := json.Unmarshal(q.Steps[0].Items[0].Data, &data); err != nil {
		t.Fatal(err)
	}
	if len(q.Steps) != 1 {
		t.Fatalf("a Solana quote has %d steps, not 1", len(q.Steps))
	}
	return u.send(t, data).String()
}

// index posts the hash as a client does after broadcasting.
func index(t *testing.T, chainID int64, hash, requestID string) {
	t.Helper()
	if chainID == solanaID {
		chainID = relaySolana
	}
	var answer errorJSON
	body := object{"chainId": strconv.FormatInt(chainID, 10), "txHash": hash}
	if requestID != "" {
		body["requestId"] = requestID
	}
	call(t, http.MethodPost, "/transactions/index", body, &answer, nil)
}

func statusOf(t *testing.T, q quoteJSON) statusJSON {
	t.Helper()
	return statusAt(t, shared.url, q)
}

func statusAt(t *testing.T, at string, q quoteJSON) statusJSON {
	t.Helper()
	var answer statusJSON
	callAt(t, at, http.MethodGet, q.Steps[len(q.Steps)-1].Items[0].Check.Endpoint, nil, &answer, nil)
	return answer
}

// final follows an order to its end, which must be the wanted one.
func final(t *testing.T, q quoteJSON, wanted string) statusJSON {
	t.Helper()
	return finalAt(t, shared.url, q, wanted)
}

func finalAt(t *testing.T, at string, q quoteJSON, wanted string) statusJSON {
	t.Helper()
	var answer statusJSON
	eventually(t, "status "+wanted, func() bool {
		answer = statusAt(t, at, q)
		switch answer.Status {
		case "success", "failure", "refund":
			if answer.Status != wanted {
				t.Fatalf("status %s (%s, %s), want %s", answer.Status, answer.FailReason, answer.RefundFailReason, wanted)
			}
			return true
		}
		return false
	})
	return answer
}

func coins(whole int64, of catalog.Asset) *big.Int {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(of.Decimals)), nil)
	return unit.Mul(unit, big.NewInt(whole))
}

func query(path string, fields map[string]string) string {
	values := url.Values{}
	for name, value := range fields {
		values.Set(name, value)
	}
	return path + "?" + values.Encode()
}

func same(t *testing.T, what string, got, want *big.Int) {
	t.Helper()
	if got.Cmp(want) != 0 {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func minus(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
