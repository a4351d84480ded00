package venue_test

import (
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// stranger is a well-formed address that no test uses.
const stranger = "0x1111111111111111111111111111111111111111"

// refused asks for a quote that must not be given.
func refused(t *testing.T, request any) (int, errorJSON) {
	t.Helper()
	var answer errorJSON
	status := call(t, http.MethodPost, "/quote/v2", request, nil, &answer)
	if status == http.StatusOK {
		t.Fatal("the quote was given")
	}
	return status, answer
}

// Every bad request gets Relay's status and code.
func TestBadQuoteRequestsAreRefused(t *testing.T) {
	t.Parallel()
	ether := coins(1, asset(t, base, "native"))
	good := pair(t, base, "native", base, "USDC", ether).with(object{"user": stranger})
	crossing := pair(t, base, "native", solanaID, "native", ether).with(object{"user": stranger})
	checksummed := "0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	for name, test := range map[string]struct {
		change object
		from   object
		code   string
	}{
		"no user":                     {change: object{"user": nil}, code: "UNKNOWN_ERROR"},
		"no amount":                   {change: object{"amount": ""}, code: "UNKNOWN_ERROR"},
		"negative amount":             {change: object{"amount": "-1"}, code: "UNKNOWN_ERROR"},
		"amount with a point":         {change: object{"amount": "1.5"}, code: "UNKNOWN_ERROR"},
		"amount in hex":               {change: object{"amount": "0x10"}, code: "UNKNOWN_ERROR"},
		"amount as a number":          {change: object{"amount": 5}, code: "UNKNOWN_ERROR"},
		"amount beyond 256 bits":      {change: object{"amount": "2" + strings.Repeat("0", 77)}, code: "UNKNOWN_ERROR"},
		"amount of nothing":           {change: object{"amount": "0"}, code: "AMOUNT_TOO_LOW"},
		"amount under five cents":     {change: object{"amount": "10000000000000"}, code: "AMOUNT_TOO_LOW"},
		"amount that fees eat up":     {from: crossing, change: object{"amount": "1000000000000"}, code: "AMOUNT_TOO_LOW"},
		"amount beyond the pool":      {change: object{"amount": coins(1_000_000, asset(t, base, "native")).String()}, code: "INSUFFICIENT_LIQUIDITY"},
		"amount beyond the solver":    {from: crossing, change: object{"amount": coins(1_000_000_000_000_000, asset(t, base, "native")).String()}, code: "INSUFFICIENT_LIQUIDITY"},
		"amount that ruins the price": {change: object{"amount": coins(3_000, asset(t, base, "native")).String()}, code: "SWAP_IMPACT_TOO_HIGH"},
		"unknown chain":               {change: object{"originChainId": 10}, code: "UNSUPPORTED_CHAIN"},
		"unknown destination":         {change: object{"destinationChainId": 7565164}, code: "UNSUPPORTED_CHAIN"},
		"chain as text":               {change: object{"originChainId": "8453"}, code: "UNKNOWN_ERROR"},
		"unknown token":               {change: object{"destinationCurrency": stranger}, code: "UNSUPPORTED_CURRENCY"},
		"garbage token":               {change: object{"originCurrency": "ETH"}, code: "UNSUPPORTED_CURRENCY"},
		"garbage user":                {change: object{"user": "0x1234"}, code: "INVALID_ADDRESS"},
		"user without 0x":             {change: object{"user": stranger[2:]}, code: "INVALID_ADDRESS"},
		"wrong checksum":              {change: object{"user": checksummed}, code: "INVALID_ADDRESS"},
		"Solana recipient on EVM":     {change: object{"recipient": solana.NewWallet().PublicKey().String()}, code: "INVALID_ADDRESS"},
		"EVM recipient on Solana":     {from: crossing, change: object{"recipient": stranger}, code: "INVALID_ADDRESS"},
		"no recipient on Solana":      {from: crossing, code: "INVALID_ADDRESS"},
		"Solana refund on EVM":        {change: object{"refundTo": solana.NewWallet().PublicKey().String()}, code: "INVALID_ADDRESS"},
		"recipient is the token":      {change: object{"recipient": asset(t, base, "USDC").Address}, code: "INVALID_RECIPIENT"},
		"slippage as a number":        {change: object{"slippageTolerance": 50}, code: "INVALID_SLIPPAGE_TOLERANCE"},
		"slippage with a point":       {change: object{"slippageTolerance": "0.5"}, code: "INVALID_SLIPPAGE_TOLERANCE"},
		"negative slippage":           {change: object{"slippageTolerance": "-1"}, code: "INVALID_SLIPPAGE_TOLERANCE"},
		"slippage above all":          {change: object{"slippageTolerance": "10001"}, code: "INVALID_SLIPPAGE_TOLERANCE"},
		"unknown trade type":          {change: object{"tradeType": "GIVE"}, code: "UNKNOWN_ERROR"},
		"exact output":                {change: object{"tradeType": "EXACT_OUTPUT"}, code: "UNSUPPORTED_EXECUTION_TYPE"},
		"extra calls":                 {change: object{"txs": []object{{"to": stranger}}}, code: "EXTRA_TXS_NOT_SUPPORTED"},
		"send to oneself":             {change: object{"destinationCurrency": asset(t, base, "native").Address}, code: "UNSUPPORTED_ROUTE"},
		"wrap for another": {
			change: object{"destinationCurrency": asset(t, base, "wrapped").Address, "recipient": "0x2222222222222222222222222222222222222222"},
			code:   "USER_RECIPIENT_MISMATCH",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := good
			if test.from != nil {
				request = test.from.with(object{"recipient": solana.NewWallet().PublicKey().String()})
				if test.change == nil {
					request = test.from
				}
			}
			status, answer := refused(t, request.with(test.change))
			if status != http.StatusBadRequest || answer.ErrorCode != test.code || answer.Message == "" {
				t.Errorf("answer %d %+v, want 400 with %s", status, answer, test.code)
			}
		})
	}
}

// Half a million lamports are worth enough, but not to an account that does not
// exist: it would be below its rent.
func TestTooFewLamportsForANewAccountAreRefused(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]object{
		"sent":    pair(t, solanaID, "native", solanaID, "native", big.NewInt(500_000)).with(object{"user": shared.treasury.PublicKey().String()}),
		"bridged": pair(t, bsc, "USDC", solanaID, "native", big.NewInt(150_000_000_000_000_000)).with(object{"user": stranger}),
	} {
		_, answer := refused(t, request.with(object{"recipient": solana.NewWallet().PublicKey().String()}))
		if answer.ErrorCode != "AMOUNT_TOO_LOW" {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestBodiesThatAreNoJSONAreRefused(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "{", "[]", `"text"`, strings.Repeat("x", 300<<10)} {
		if status, answer := refused(t, []byte(body)); status != http.StatusBadRequest || answer.Message == "" {
			t.Errorf("body of %d bytes: %d %+v", len(body), status, answer)
		}
	}
}

// The faults that a client asks for by its referrer come with the bodies that
// Relay sends.
func TestFaultReferrersOfTheQuote(t *testing.T) {
	t.Parallel()
	request := pair(t, base, "native", base, "USDC", coins(1, asset(t, base, "native"))).with(object{"user": stranger})
	for referrer, want := range map[string]struct {
		status int
		code   string
	}{
		"fault-too-low":           {400, "AMOUNT_TOO_LOW"},
		"fault-liquidity":         {400, "INSUFFICIENT_LIQUIDITY"},
		"fault-no-route":          {400, "NO_SWAP_ROUTES_FOUND"},
		"fault-too-large":         {400, "SOLANA_TX_TOO_LARGE"},
		"fault-unauthorized":      {401, "UNAUTHORIZED"},
		"fault-too-many-requests": {429, ""},
		"fault-unavailable":       {503, "SERVICE_UNAVAILABLE"},
		"fault-internal":          {500, "UNKNOWN_ERROR"},
	} {
		status, answer := refused(t, request.with(object{"referrer": referrer}))
		if status != want.status || answer.ErrorCode != want.code || answer.Message == "" {
			t.Errorf("%s: %d %+v, want %d with %q", referrer, status, answer, want.status, want.code)
		}
	}
}
