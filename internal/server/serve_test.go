package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenfold/internal/server"
	"tenfold/internal/stamp"
)

// command is a complete configuration whose surroundings do not exist: the
// server must start without them.
func command(t *testing.T, address string) *server.ServeCommand {
	t.Helper()
	scalar, public, err := stamp.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key.json")
	text := fmt.Sprintf(`{"organizationId":"o","apiPublicKey":%q,"apiPrivateKey":"%x"}`, public, scalar.Expose())
	if err := os.WriteFile(key, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return &server.ServeCommand{
		Listen: address, Data: filepath.Join(t.TempDir(), "app"), Network: "local", CustodyKeyFile: key,
		CustodyURL: "http://localhost:1", RelayURL: "http://localhost:1", FaucetURL: "http://localhost:1/faucet",
		Version: "test", Log: slog.New(slog.DiscardHandler),
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return fmt.Sprintf("localhost:%d", listener.Addr().(*net.TCPAddr).Port)
}

func TestServeStartsAndStops(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- command(t, address).Run(ctx) }()
	var config struct {
		Network string `json:"network"`
		Faucet  bool   `json:"faucet"`
		Version string `json:"version"`
		Custody struct {
			AuthFrameURL string `json:"authFrameUrl"`
		} `json:"custody"`
	}
	get(t, "http://"+address+"/api/v1/config", &config)
	if config.Network != "local" || !config.Faucet || config.Version != "test" || config.Custody.AuthFrameURL != "http://localhost:1/auth/" {
		t.Errorf("the page is told %+v", config)
	}
	began := time.Now()
	cancel()
	if err := <-stopped; err != nil {
		t.Errorf("it stopped with %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("stopping took %s", took)
	}
}

// get waits for the server to answer.
func get(t *testing.T, url string, answer any) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			defer func() { _ = response.Body.Close() }()
			if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
				t.Fatal(err)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	address := fmt.Sprintf("localhost:%d", listener.Addr().(*net.TCPAddr).Port)
	err = command(t, address).Run(t.Context())
	want := address + " is already in use (app server); stop the program that holds it or choose another with --listen"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Error("it is more than a line")
	}
}
