package crash

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"tenfold/catalog"
)

// balance reads an asset's balance from the chain's own node, with none of the
// product's code in between. Base units.
func balance(t *testing.T, asset catalog.Asset, owner string) *big.Int {
	t.Helper()
	url := rpc(t, asset.ChainID)
	switch {
	case asset.ChainID == catalog.SolanaChainID && asset.Native:
		var answer struct {
			Value json.Number `json:"value"`
		}
		ask(t, url, &answer, "getBalance", owner, map[string]string{"commitment": "confirmed"})
		return number(t, answer.Value.String(), 10)
	case asset.ChainID == catalog.SolanaChainID:
		return tokensOfOwner(t, url, asset, owner)
	case asset.Native:
		var answer string
		ask(t, url, &answer, "eth_getBalance", owner, "latest")
		return number(t, answer, 16)
	default:
		var answer string
		call := map[string]string{"to": asset.Address, "data": "0x70a08231" + strings.Repeat("0", 24) + strings.ToLower(owner[2:])}
		ask(t, url, &answer, "eth_call", call, "latest")
		return number(t, answer, 16)
	}
}

func tokensOfOwner(t *testing.T, url string, asset catalog.Asset, owner string) *big.Int {
	t.Helper()
	var answer struct {
		Value []struct {
			Account struct {
				Data struct {
					Parsed struct {
						Info struct {
							TokenAmount struct {
								Amount string `json:"amount"`
							} `json:"tokenAmount"`
						} `json:"info"`
					} `json:"parsed"`
				} `json:"data"`
			} `json:"account"`
		} `json:"value"`
	}
	ask(t, url, &answer, "getTokenAccountsByOwner", owner, map[string]string{"mint": asset.Address},
		map[string]string{"encoding": "jsonParsed", "commitment": "confirmed"})
	sum := new(big.Int)
	for _, a := range answer.Value {
		sum.Add(sum, number(t, a.Account.Data.Parsed.Info.TokenAmount.Amount, 10))
	}
	return sum
}

func number(t *testing.T, text string, base int) *big.Int {
	t.Helper()
	v, ok := new(big.Int).SetString(strings.TrimPrefix(text, "0x"), base)
	if !ok {
		t.Fatalf("%q is not a number", text)
	}
	return v
}

// ask makes one JSON-RPC call.
func ask(t *testing.T, url string, answer any, method string, params ...any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var envelope struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.NewDecoder(response.Body).Decode(&envelope); err != nil {
		t.Fatal(err)
	}
	if envelope.Result == nil {
		t.Fatalf("%s: %s", method, envelope.Error)
	}
	if err := json.Unmarshal(envelope.Result, answer); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", method, err))
	}
}

// native is the native coin of a chain.
func native(t *testing.T, chainID int64) catalog.Asset {
	t.Helper()
	c, ok := catalog.ChainByID(chainID)
	if !ok {
		t.Fatalf("no chain %d", chainID)
	}
	return c.NativeAsset()
}

// token is a chain's token with a symbol.
func token(t *testing.T, chainID int64, symbol string) catalog.Asset {
	t.Helper()
	c, _ := catalog.ChainByID(chainID)
	for _, a := range c.Assets() {
		if a.Symbol == symbol {
			return a
		}
	}
	t.Fatalf("no %s on chain %d", symbol, chainID)
	return catalog.Asset{}
}
