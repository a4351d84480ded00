// Package relaywire holds the JSON shapes of Relay's HTTP API, as published in
// its OpenAPI document and its SDK. It is vocabulary of the local venue: data
// only, no behaviour beyond encoding.
package relaywire

import "encoding/json"

// NoReason is what failReason and refundFailReason say when nothing failed.
const NoReason = "N/A"

// QuoteRequest is the body of POST /quote and /quote/v2: the fields that the
// local venue acts on. Others are accepted and have no effect.
type QuoteRequest struct {
	User                string `json:"user"`
	Recipient           string `json:"recipient"`
	OriginChainID       int64  `json:"originChainId"`
	DestinationChainID  int64  `json:"destinationChainId"`
	OriginCurrency      string `json:"originCurrency"`
	DestinationCurrency string `json:"destinationCurrency"`
	Amount              string `json:"amount"` // base units of the input
	TradeType           string `json:"tradeType"`
	RefundTo            string `json:"refundTo"`
	Referrer            string `json:"referrer"`
	// SlippageTolerance is kept raw: only a JSON string of whole basis points is
	// right, and a number must be told from one.
	SlippageTolerance   json.RawMessage   `json:"slippageTolerance"`
	OverridePriceImpact bool              `json:"overridePriceImpact"`
	Txs                 []json.RawMessage `json:"txs"`
}

// Quote is the answer of POST /quote/v2.
type Quote struct {
	Steps   []Step  `json:"steps"`
	Fees    Fees    `json:"fees"`
	Details Details `json:"details"`
}

// Step is one thing that the user signs.
type Step struct {
	ID             string `json:"id"` // "approve", "deposit", "swap" or "send"
	Action         string `json:"action"`
	Description    string `json:"description"`
	Kind           string `json:"kind"` // always "transaction" here
	RequestID      string `json:"requestId"`
	DepositAddress string `json:"depositAddress"`
	Items          []Item `json:"items"`
}

// Item is one transaction of a step: Data is an EVMTransaction or a
// SolanaTransaction.
type Item struct {
	Status string `json:"status"`
	Data   any    `json:"data"`
	Check  *Check `json:"check,omitempty"`
}

// Check says where to ask whether the item took effect; Endpoint is a path.
type Check struct {
	Endpoint string `json:"endpoint"`
	Method   string `json:"method"`
}

// EVMTransaction is what an EVM user signs. Gas is a decimal string, a number or
// nil: the real API is not of one mind either.
type EVMTransaction struct {
	From                 string `json:"from"`
	To                   string `json:"to"`
	Data                 string `json:"data"`  // 0x hex
	Value                string `json:"value"` // wei
	ChainID              int64  `json:"chainId"`
	Gas                  any    `json:"gas,omitempty"`
	MaxFeePerGas         string `json:"maxFeePerGas,omitempty"`
	MaxPriorityFeePerGas string `json:"maxPriorityFeePerGas,omitempty"`
}

// SolanaTransaction is what a Solana user compiles and signs.
type SolanaTransaction struct {
	Instructions                []Instruction `json:"instructions"`
	AddressLookupTableAddresses []string      `json:"addressLookupTableAddresses"`
}

// Instruction is one Solana instruction; Data is hex without 0x.
type Instruction struct {
	Keys      []AccountMeta `json:"keys"`
	ProgramID string        `json:"programId"`
	Data      string        `json:"data"`
}

// AccountMeta is one account of an Instruction.
type AccountMeta struct {
	PublicKey  string `json:"pubkey"`
	IsSigner   bool   `json:"isSigner"`
	IsWritable bool   `json:"isWritable"`
}

// Currency is an asset as the API names it: EVM addresses in lower case, chain
// ids of the venue.
type Currency struct {
	ChainID  int64    `json:"chainId"`
	Address  string   `json:"address"`
	Symbol   string   `json:"symbol"`
	Name     string   `json:"name"`
	Decimals int      `json:"decimals"`
	VMType   string   `json:"vmType,omitempty"` // in POST /currencies/v2 only
	Metadata Metadata `json:"metadata"`
}

// Metadata is the rest of a Currency.
type Metadata struct {
	LogoURI  string `json:"logoURI"`
	Verified bool   `json:"verified"`
	IsNative bool   `json:"isNative"`
}

// Amount is an amount of a currency.
type Amount struct {
	Currency        Currency `json:"currency"`
	Amount          string   `json:"amount"`          // base units
	AmountFormatted string   `json:"amountFormatted"` // whole coins
	AmountUSD       string   `json:"amountUsd,omitempty"`
	MinimumAmount   string   `json:"minimumAmount"`
}

// Fees are what a quote costs. Relayer is RelayerGas and RelayerService together.
type Fees struct {
	Gas            Amount `json:"gas"`
	Relayer        Amount `json:"relayer"`
	RelayerGas     Amount `json:"relayerGas"`
	RelayerService Amount `json:"relayerService"`
	App            Amount `json:"app"`
	Subsidized     Amount `json:"subsidized"`
}

// Details say what a quote does.
type Details struct {
	Operation           string              `json:"operation"`
	Sender              string              `json:"sender"`
	Recipient           string              `json:"recipient"`
	CurrencyIn          Amount              `json:"currencyIn"`
	CurrencyOut         Amount              `json:"currencyOut"`
	RefundCurrency      Amount              `json:"refundCurrency"`
	TotalImpact         Impact              `json:"totalImpact"`
	SwapImpact          Impact              `json:"swapImpact"`
	ExpandedPriceImpact ExpandedPriceImpact `json:"expandedPriceImpact"`
	Rate                string              `json:"rate"`
	SlippageTolerance   SlippageTolerance   `json:"slippageTolerance"`
	TimeEstimate        int64               `json:"timeEstimate"` // seconds
	UserBalance         string              `json:"userBalance"`  // base units of the input
	IsFixedRate         bool                `json:"isFixedRate"`
	Route               Routes              `json:"route"`
}

// Impact is a change of value; negative is a loss.
type Impact struct {
	USD     string `json:"usd"`
	Percent string `json:"percent"`
}

// DollarPart is one part of ExpandedPriceImpact.
type DollarPart struct {
	USD string `json:"usd"`
}

// ExpandedPriceImpact splits the total impact by its causes.
type ExpandedPriceImpact struct {
	Swap      DollarPart `json:"swap"`
	Execution DollarPart `json:"execution"`
	Relay     DollarPart `json:"relay"`
	App       DollarPart `json:"app"`
	Sponsored DollarPart `json:"sponsored"`
}

// SlippageTolerance is how far the output may fall; Total in basis points.
type SlippageTolerance struct {
	Total       string       `json:"total"`
	Origin      SlippagePart `json:"origin"`
	Destination SlippagePart `json:"destination"`
}

// SlippagePart is the tolerance on one side; Value in base units.
type SlippagePart struct {
	USD     string `json:"usd"`
	Value   string `json:"value"`
	Percent string `json:"percent"`
}

// Routes name the exchange used on each side; Destination is absent where the
// destination needs none.
type Routes struct {
	Origin      *RoutePart `json:"origin,omitempty"`
	Destination *RoutePart `json:"destination,omitempty"`
}

// RoutePart is an exchange of one currency for another on one chain.
type RoutePart struct {
	InputCurrency       Amount   `json:"inputCurrency"`
	OutputCurrency      Amount   `json:"outputCurrency"`
	Router              string   `json:"router"`
	IncludedSwapSources []string `json:"includedSwapSources"`
}
