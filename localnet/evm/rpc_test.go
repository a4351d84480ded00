package evm_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"tenfold/localnet/contracts"
)

func callFrom(a account, to common.Address, data []byte) ethereum.CallMsg {
	return ethereum.CallMsg{From: a.address(), To: &to, Data: data}
}

func TestSimulationAndTracingAreServed(t *testing.T) {
	t.Parallel()
	client := dial(t, endpointsOf(t, 80094).RPCURL).Client()
	call := map[string]any{"from": shared.Accounts[0].Address, "to": nobody, "value": "0x64"}
	for method, args := range map[string][]any{
		"debug_traceCall": {call, "latest", map[string]any{"tracer": "callTracer"}},
		"eth_simulateV1": {map[string]any{
			"blockStateCalls": []any{map[string]any{"calls": []any{call}}}, "traceTransfers": true,
		}, "latest"},
		"txpool_status":      {},
		"web3_clientVersion": {},
		"eth_feeHistory":     {"0x4", "latest", []float64{50}},
		"eth_getLogs":        {map[string]any{"fromBlock": "0x0", "address": contracts.RouterAddress}},
	} {
		var result json.RawMessage
		if err := client.CallContext(t.Context(), &result, method, args...); err != nil || len(result) == 0 {
			t.Errorf("%s: %s, %v", method, result, err)
		}
	}
}

// A page must not be able to rewind a chain or to reach the node's own files.
func TestDangerousMethodsAreNotServed(t *testing.T) {
	t.Parallel()
	client := dial(t, endpointsOf(t, 80094).RPCURL).Client()
	for _, method := range []string{"debug_setHead", "debug_chaindbProperty", "admin_exportChain", "admin_nodeInfo", "miner_setGasPrice", "engine_exchangeCapabilities"} {
		err := client.CallContext(t.Context(), nil, method)
		if err == nil || !strings.Contains(err.Error(), "does not exist") {
			t.Errorf("%s: %v; want that it does not exist", method, err)
		}
	}
}

func TestQuietChainSuggestsItsTipAndRefusesLess(t *testing.T) {
	t.Parallel()
	polygon := accountOn(t, 137)
	if tip, err := polygon.client.SuggestGasTipCap(t.Context()); err != nil || tip.Cmp(big.NewInt(30_000_000_000)) != 0 {
		t.Errorf("Polygon suggests a tip of %v, %v; want 30 gwei", tip, err)
	}
	a := accountOn(t, chainOfFees)
	floor, err := a.client.SuggestGasTipCap(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	low := a.signWithTip(a.nonce(), nobody, big.NewInt(1), nil, new(big.Int).Sub(floor, big.NewInt(1)))
	if err := a.client.SendTransaction(t.Context(), low); err == nil || !strings.Contains(err.Error(), "below minimum") {
		t.Errorf("a tip under %v: %v; want a refusal", floor, err)
	}
}

func TestOnlyThisMachineIsServed(t *testing.T) {
	t.Parallel()
	url := endpointsOf(t, 8453).RPCURL
	for name, c := range map[string]struct {
		method, host, origin string
		status               int
		allowed              string
	}{
		"ok/program":             {method: "POST", status: http.StatusOK},
		"ok/page of localhost":   {method: "POST", origin: "http://localhost:8080", status: http.StatusOK, allowed: "http://localhost:8080"},
		"ok/preflight":           {method: "OPTIONS", origin: "http://localhost:5173", status: http.StatusNoContent, allowed: "http://localhost:5173"},
		"fail/rebound name":      {method: "POST", host: "evil.example:8545", status: http.StatusForbidden},
		"fail/foreign page":      {method: "POST", origin: "https://evil.example", status: http.StatusForbidden},
		"fail/look-alike":        {method: "POST", origin: "http://localhost.evil.example", status: http.StatusForbidden},
		"fail/opaque origin":     {method: "POST", origin: "null", status: http.StatusForbidden},
		"fail/foreign upgrade":   {method: "GET", origin: "https://evil.example", status: http.StatusForbidden},
		"fail/foreign preflight": {method: "OPTIONS", origin: "https://evil.example", status: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`)
			request, err := http.NewRequestWithContext(t.Context(), c.method, url, body)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			if c.host != "" {
				request.Host = c.host
			}
			if c.origin != "" {
				request.Header.Set("Origin", c.origin)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if response.StatusCode != c.status {
				t.Errorf("status %d, want %d", response.StatusCode, c.status)
			}
			if got := response.Header.Get("Access-Control-Allow-Origin"); got != c.allowed {
				t.Errorf("allowed origin %q, want %q", got, c.allowed)
			}
		})
	}
}

func TestUnknownPathIsNotFound(t *testing.T) {
	t.Parallel()
	url := strings.TrimSuffix(endpointsOf(t, 8453).RPCURL, "8453") + "8454"
	response, err := http.Post(url, "application/json", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", response.StatusCode)
	}
}

func TestForeignPageCannotOpenAWebSocket(t *testing.T) {
	t.Parallel()
	url := endpointsOf(t, 8453).WSURL
	own, err := rpc.DialWebsocket(t.Context(), url, "http://localhost:8080")
	if err != nil {
		t.Fatalf("page of localhost: %v", err)
	}
	own.Close()
	if foreign, err := rpc.DialWebsocket(t.Context(), url, "https://evil.example"); err == nil {
		foreign.Close()
		t.Error("a foreign page opened a WebSocket")
	}
}
