package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"

	"tenfold/internal/quote"
)

// quoteRequest is the body of POST /quote/v2, as far as we use it.
type quoteRequest struct {
	User                string `json:"user"`
	Recipient           string `json:"recipient"`
	RefundTo            string `json:"refundTo"`
	OriginChainID       int64  `json:"originChainId"`
	DestinationChainID  int64  `json:"destinationChainId"`
	OriginCurrency      string `json:"originCurrency"`
	DestinationCurrency string `json:"destinationCurrency"`
	Amount              string `json:"amount"`
	TradeType           string `json:"tradeType"`
	SlippageTolerance   string `json:"slippageTolerance"` // whole basis points
	// ExplicitDeposit asks for a call of the depository; without it Relay may ask
	// for a plain transfer to an account of its own.
	ExplicitDeposit bool   `json:"explicitDeposit"`
	Referrer        string `json:"referrer,omitempty"`
}

// quoteAnswer is Relay's answer. Fields that we don't use are left out, and
// unknown ones ignored: Relay adds some every few weeks.
type quoteAnswer struct {
	Steps []step `json:"steps"`
	Fees  struct {
		Gas            amountOf `json:"gas"`
		Relayer        amountOf `json:"relayer"`
		RelayerGas     amountOf `json:"relayerGas"`
		RelayerService amountOf `json:"relayerService"`
		App            amountOf `json:"app"`
	} `json:"fees"`
	Details struct {
		Sender      string   `json:"sender"`
		Recipient   string   `json:"recipient"`
		CurrencyIn  amountOf `json:"currencyIn"`
		CurrencyOut amountOf `json:"currencyOut"`
		TotalImpact struct {
			Percent string `json:"percent"`
		} `json:"totalImpact"`
		TimeEstimate numeral `json:"timeEstimate"`
	} `json:"details"`
}

type step struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	RequestID string `json:"requestId"`
	Items     []struct {
		Data json.RawMessage `json:"data"`
	} `json:"items"`
}

// evmTransaction is an item's data on EVM chains. Numbers come as decimal strings
// or as JSON numbers, and some are at times absent.
type evmTransaction struct {
	From    string  `json:"from"`
	To      string  `json:"to"`
	Data    string  `json:"data"`
	Value   numeral `json:"value"`
	ChainID numeral `json:"chainId"`
	Gas     numeral `json:"gas"`
}

// solanaTransaction is an item's data on Solana. Instruction data is hex without
// 0x.
type solanaTransaction struct {
	Instructions []struct {
		Keys []struct {
			Address  string `json:"pubkey"`
			Signer   bool   `json:"isSigner"`
			Writable bool   `json:"isWritable"`
		} `json:"keys"`
		ProgramID string `json:"programId"`
		Data      string `json:"data"`
	} `json:"instructions"`
	LookupTables []string `json:"addressLookupTableAddresses"`
}

type currency struct {
	ChainID int64  `json:"chainId"`
	Address string `json:"address"`
}

type amountOf struct {
	Currency      currency `json:"currency"`
	Amount        numeral  `json:"amount"`
	AmountUSD     string   `json:"amountUsd"`
	MinimumAmount numeral  `json:"minimumAmount"`
}

// usd is the value when it is a proper decimal, else empty.
func (a amountOf) usd() string {
	if decimalForm.MatchString(a.AmountUSD) {
		return a.AmountUSD
	}
	return ""
}

// statusAnswer is the answer of /intents/status/v3.
type statusAnswer struct {
	Status           string   `json:"status"`
	InHashes         []string `json:"inTxHashes"`
	OutHashes        []string `json:"txHashes"`
	FailReason       string   `json:"failReason"`
	RefundFailReason string   `json:"refundFailReason"`
	UpdatedAt        numeral  `json:"updatedAt"` // epoch milliseconds
}

var states = map[string]quote.State{
	"waiting": quote.Waiting, "submitted": quote.Submitted,
	"success": quote.Success, "failure": quote.Failure, "refund": quote.Refund,
}

func (a statusAnswer) status() quote.Status {
	state, known := states[a.Status]
	if !known { // pending, depositing, delayed, fallback, and words to come
		state = quote.Pending
	}
	s := quote.Status{
		State: state, InHashes: hashesIn(a.InHashes), OutHashes: hashesIn(a.OutHashes),
		FailReason: reasonOf(a.FailReason), RefundFailReason: reasonOf(a.RefundFailReason),
	}
	if ms, err := a.UpdatedAt.integer(); err == nil && ms.IsInt64() {
		s.UpdatedAt = time.UnixMilli(ms.Int64())
	}
	return s
}

// hashForm is an EVM transaction hash or a Solana signature in base58.
var hashForm = regexp.MustCompile(`^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$`)

// hashesIn leaves out what can't be a transaction's name: hashes are stored, put
// into links and asked of nodes. Those in hexadecimal are given one spelling, so
// that a transaction is known again.
func hashesIn(list []string) []string {
	var hashes []string
	for _, text := range list {
		if hashForm.MatchString(text) {
			if strings.HasPrefix(text, "0x") {
				text = strings.ToLower(text)
			}
			hashes = append(hashes, text)
		}
	}
	return hashes
}

// reasonOf drops Relay's word for "nothing failed".
func reasonOf(text string) string {
	if text == "N/A" {
		return ""
	}
	return text
}

// numeral is a JSON number or a string of one, kept as text; empty when absent or
// null.
type numeral string

// UnmarshalJSON implements json.Unmarshaler.
func (n *numeral) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if bytes.Equal(raw, []byte("null")) {
		*n = ""
		return nil
	}
	if len(raw) > 0 && raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
		*n = numeral(text)
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(raw, &number); err != nil {
		return fmt.Errorf("%s is neither a number nor a string", raw)
	}
	*n = numeral(number)
	return nil
}

var errNoNumber = errors.New("not a number")

// integer reads an unsigned integer of at most 256 bits.
func (n numeral) integer() (*big.Int, error) {
	const digits = 78
	if n == "" || len(n) > digits || strings.Trim(string(n), "0123456789") != "" {
		return nil, errNoNumber
	}
	v, ok := new(big.Int).SetString(string(n), 10)
	if !ok || v.BitLen() > 256 {
		return nil, errNoNumber
	}
	return v, nil
}

// decimal reads a number as a plain decimal text. JSON writes small prices with
// an exponent.
func (n numeral) decimal() (string, error) {
	if decimalForm.MatchString(string(n)) {
		return string(n), nil
	}
	const longest, most = 40, 20 // characters, and the exponent's size
	mantissa, exponent, found := strings.Cut(strings.ToLower(string(n)), "e")
	size, err := numeral(strings.TrimLeft(exponent, "+-")).integer()
	if !found || len(n) > longest || err != nil || size.Cmp(big.NewInt(most)) > 0 || !decimalForm.MatchString(mantissa) {
		return "", errNoNumber
	}
	value, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return "", errNoNumber
	}
	text := value.FloatString(longest)
	return strings.TrimRight(strings.TrimRight(text, "0"), "."), nil
}
