package network

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/catalog"
)

func TestNetworkWithoutSolanaServesTheRest(t *testing.T) {
	t.Parallel()
	n, err := Start(t.Context(), Options{DataDir: t.TempDir(), WithoutSolana: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	document := n.Document()
	if len(document.Chains) != 9 || len(document.Accounts) != 2 {
		t.Errorf("%d chains and %d accounts, want 9 and 2", len(document.Chains), len(document.Accounts))
	}
	for _, c := range document.Chains {
		if c.ID == catalog.SolanaChainID {
			t.Error("Solana is in the document")
		}
	}
	response, err := http.Get(document.Venue.URL + "/health")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("health is %d", response.StatusCode)
	}
	if err := n.Close(); err != nil {
		t.Error(err)
	}
	if err := n.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	if _, err := http.Get(document.Venue.URL + "/health"); err == nil {
		t.Error("still served after Close")
	}
}

func TestNothingIsReadyBeforeTheDoorOpens(t *testing.T) {
	t.Parallel()
	var d door
	recorder := httptest.NewRecorder()
	d.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/health", nil))
	if recorder.Code != http.StatusServiceUnavailable {
		t.Errorf("before: %d", recorder.Code)
	}
	d.open(http.HandlerFunc(healthy))
	recorder = httptest.NewRecorder()
	d.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/health", nil))
	if recorder.Code != http.StatusOK {
		t.Errorf("after: %d", recorder.Code)
	}
}

// Solana's WebSocket port is the one after its JSON-RPC port; a holder of
// either is in the way.
func TestBothSolanaPortsAreChecked(t *testing.T) {
	t.Parallel()
	for _, held := range []int{0, 1} {
		first, err := freeSolanaPort(0)
		if err != nil {
			t.Fatal(err)
		}
		holder, err := listen(first+held, "test", "--none")
		if err != nil {
			t.Skip("another program was quicker with the port: ", err)
		}
		want := fmt.Sprintf("localhost:%d is already in use (local Solana)", first+held)
		if _, err := freeSolanaPort(first); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
		holder.Close()
	}
}

func TestBadSeedPricesAreRefused(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"fail/no JSON":  `ETH: 3`,
		"fail/number":   `{"ETH": 3}`,
		"fail/words":    `{"ETH": "three"}`,
		"fail/zero":     `{"ETH": "0"}`,
		"fail/negative": `{"ETH": "-3"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assets := t.TempDir()
			if err := os.WriteFile(filepath.Join(assets, "prices.json"), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if prices, err := readPrices(assets); err == nil || !strings.Contains(err.Error(), "prices.json") {
				t.Errorf("%v, %v; want a refusal that names the file", prices, err)
			}
		})
	}
}

func TestFailedStartLeavesNoPortTaken(t *testing.T) {
	t.Parallel()
	evmPort, err := freeSolanaPort(0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Start(t.Context(), Options{DataDir: t.TempDir(), Assets: t.TempDir(), EVMPort: evmPort, WithoutSolana: true})
	if err == nil {
		t.Fatal("started without contracts")
	}
	listener, err := listen(evmPort, "test", "--none")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
}
