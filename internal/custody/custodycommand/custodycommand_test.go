package custodycommand_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"tenfold/internal/custody"
	"tenfold/internal/custody/custodycommand"
	"tenfold/internal/stamp/stamptest"
)

// run parses a command line as main does, and runs it.
func run(t *testing.T, ctx context.Context, out *bytes.Buffer, args ...string) error {
	t.Helper()
	var cli struct {
		Custody custodycommand.Command `cmd:""`
	}
	parser, err := kong.New(&cli, kong.BindTo(ctx, (*context.Context)(nil)), kong.Exit(func(int) { t.Error("the parser exits") }))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(append([]string{"custody"}, args...))
	if err != nil {
		return err
	}
	cli.Custody.Init.Stdout = out
	return parsed.Run()
}

func initialised(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "data")
	if _, err := custody.Initialise(t.Context(), folder, "name", stamptest.NewSigner(t).PublicKey()); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestInit(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	args := []string{"init", "--data", folder, "--organization-name", "Tenfold", "--api-public-key", stamptest.NewSigner(t).PublicKey()}
	var out bytes.Buffer
	if err := run(t, t.Context(), &out, args...); err != nil {
		t.Fatal(err)
	}
	var printed map[string]string
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil || len(printed) != 2 ||
		printed["organizationId"] == "" || printed["userId"] == "" || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("printed %q, %v", out.String(), err)
	}
	out.Reset()
	if err := run(t, t.Context(), &out, args...); !errors.Is(err, custody.ErrInitialised) || out.Len() != 0 {
		t.Errorf("the second time: %v, printed %q", err, out.String())
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp4", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	args := []string{"--data", initialised(t), "--listen", address, "--rp-id", "localhost", "--origin", "http://localhost:8080", "--origin", "http://localhost:3000"}
	if err := run(t, t.Context(), nil, args...); err == nil || !strings.Contains(err.Error(), "already in use") || strings.Contains(err.Error(), "\n") {
		t.Errorf("port in use: %v", err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- run(t, ctx, nil, args...) }()
	waitForHealth(t, "http://"+address+"/health")
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("stop: %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it did not stop in time")
	}
}

// waitForHealth asks until the program answers.
func waitForHealth(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return
		}
	}
	t.Fatal("custody did not become healthy")
}

func TestServeRefuses(t *testing.T) {
	t.Parallel()
	folder := initialised(t)
	if err := run(t, t.Context(), nil, "--data", filepath.Join(t.TempDir(), "none"), "--rp-id", "x", "--origin", "http://x"); !errors.Is(err, custody.ErrNotInitialised) {
		t.Errorf("no data: %v", err)
	}
	if err := run(t, t.Context(), nil, "--data", folder, "--rp-id", "x"); err == nil {
		t.Error("served without an origin")
	}
	if err := run(t, t.Context(), nil, "--data", folder, "--origin", "http://x"); err == nil {
		t.Error("served without a relying party")
	}
	for _, origin := range []string{"localhost:8080", "http://x/", "http://x/path", "ftp://x", "http://", "http://x?q", "*", "null", "http://user@x"} {
		err := run(t, t.Context(), nil, "--data", folder, "--rp-id", "x", "--origin", origin)
		if err == nil || !strings.Contains(err.Error(), "--origin") {
			t.Errorf("origin %q: %v", origin, err)
		}
	}
}
