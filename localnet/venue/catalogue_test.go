package venue_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestChainsAreDescribed(t *testing.T) {
	t.Parallel()
	var answer struct {
		Chains []struct {
			ID             int64  `json:"id"`
			HTTPRPCURL     string `json:"httpRpcUrl"`
			VMType         string `json:"vmType"`
			DepositEnabled bool   `json:"depositEnabled"`
			Disabled       bool   `json:"disabled"`
			Currency       struct {
				Address  string `json:"address"`
				Decimals int    `json:"decimals"`
			} `json:"currency"`
			ERC20Currencies  []struct{ Address string } `json:"erc20Currencies"`
			SolverCurrencies []struct{ Address string } `json:"solverCurrencies"`
			SolverAddresses  []string                   `json:"solverAddresses"`
			Protocol         struct {
				V2 struct{ Depository string } `json:"v2"`
			} `json:"protocol"`
		} `json:"chains"`
	}
	call(t, http.MethodGet, "/chains", nil, &answer, nil)
	seen := map[int64]string{}
	for _, chain := range answer.Chains {
		seen[chain.ID] = chain.VMType
		if !chain.DepositEnabled || chain.Disabled || chain.HTTPRPCURL == "" || len(chain.SolverAddresses) != 1 {
			t.Errorf("chain %d is not usable: %+v", chain.ID, chain)
		}
		if len(chain.ERC20Currencies) != 3 || len(chain.SolverCurrencies) != 4 {
			t.Errorf("chain %d has %d tokens and %d solver currencies", chain.ID, len(chain.ERC20Currencies), len(chain.SolverCurrencies))
		}
		if chain.VMType == "evm" && chain.Protocol.V2.Depository != "0x4cd00e387622c35bddb9b4c962c136462338bc31" {
			t.Errorf("chain %d has depository %s", chain.ID, chain.Protocol.V2.Depository)
		}
	}
	for id, vm := range map[int64]string{1: "evm", 8453: "evm", 56: "evm", relaySolana: "svm"} {
		if seen[id] != vm {
			t.Errorf("chain %d is %q, want %s", id, seen[id], vm)
		}
	}
}

func TestCurrenciesAreFiltered(t *testing.T) {
	t.Parallel()
	usdc := asset(t, base, "USDC").Address
	for name, test := range map[string]struct {
		filter object
		want   int
	}{
		"all of four chains":    {object{"limit": 100}, 16},
		"default limit":         {object{"defaultList": true}, 16},
		"limit":                 {object{"limit": 3}, 3},
		"one chain":             {object{"chainIds": []int64{8453}}, 4},
		"Solana by its number":  {object{"chainIds": []int64{relaySolana}}, 4},
		"term":                  {object{"term": "usdc", "limit": 100}, 4},
		"address in any case":   {object{"address": strings.ToUpper(usdc[2:]), "chainIds": []int64{8453}}, 0},
		"address":               {object{"address": strings.ToLower(usdc)}, 1},
		"tokens":                {object{"tokens": []string{"8453:" + usdc, "1:" + usdc}}, 1},
		"not verified: nothing": {object{"verified": false}, 0},
	} {
		var answer []struct {
			ChainID  int64  `json:"chainId"`
			Address  string `json:"address"`
			Decimals int    `json:"decimals"`
			VMType   string `json:"vmType"`
		}
		call(t, http.MethodPost, "/currencies/v2", test.filter, &answer, nil)
		if len(answer) != test.want {
			t.Errorf("%s: %d currencies, want %d", name, len(answer), test.want)
		}
		for _, currency := range answer {
			if currency.VMType == "evm" && currency.Address != strings.ToLower(currency.Address) {
				t.Errorf("address %s is not lower case", currency.Address)
			}
		}
	}
}

func TestPrices(t *testing.T) {
	t.Parallel()
	var number struct{ Price float64 }
	call(t, http.MethodGet, query("/currencies/token/price", map[string]string{
		"chainId": "8453", "address": asset(t, base, "wrapped").Address,
	}), nil, &number, nil)
	if number.Price != 3214.6 {
		t.Errorf("price of WETH %v", number.Price)
	}
	var text struct{ Price string }
	call(t, http.MethodGet, query("/currencies/token/price/v2", map[string]string{
		"chainId": "792703809", "address": asset(t, solanaID, "native").Address,
	}), nil, &text, nil)
	if text.Price != "168" {
		t.Errorf("price of SOL %q", text.Price)
	}
	for _, fields := range []map[string]string{
		{"chainId": "10", "address": stranger}, {"chainId": "8453", "address": stranger}, {"address": stranger}, {"chainId": "8453"},
	} {
		var failure struct{ Error string }
		if status := call(t, http.MethodGet, query("/currencies/token/price", fields), nil, nil, &failure); status != 400 || failure.Error == "" {
			t.Errorf("%v: %d %+v", fields, status, failure)
		}
	}
}
