package stack

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestLogKeepsLinesWholeAndNamed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := newLogWriter(&out)
	app, custody := log.prefixed("app"), log.prefixed("custody")
	_, _ = fmt.Fprint(app, "half")
	_, _ = fmt.Fprint(custody, "whole\n")
	_, _ = fmt.Fprint(app, " line\nrest")
	want := "custody  │ whole\napp      │ half line\n"
	if out.String() != want {
		t.Fatalf("log is %q, want %q", out.String(), want)
	}
}

func TestSecondStackOnTheSameFolderIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	release, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockFolder(dir); err == nil || !strings.Contains(err.Error(), "already running") {
		t.Fatalf("second lock: %v", err)
	}
	release()
	again, err := lockFolder(dir)
	if err != nil {
		t.Fatalf("lock after release: %v", err)
	}
	again()
}

func TestPortInUseIsOneClearLine(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp4", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	c := UpCommand{AppPort: taken.Addr().(*net.TCPAddr).Port}
	err = c.checkPorts()
	if err == nil {
		t.Fatal("a taken port was accepted")
	}
	for _, part := range []string{"already in use", "app server", "--app-port"} {
		if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q lacks %q or has several lines", err, part)
		}
	}
}

func TestGroupStopsAChildThatIgnoresSignals(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	g := newGroup(newLogWriter(&out))
	stubborn := program{name: "stubborn", path: "/bin/sh", arguments: []string{"-c", "trap '' TERM; while :; do read -r x || sleep 1; done"}}
	if err := g.start(stubborn); err != nil {
		t.Fatal(err)
	}
	g.stop(200 * time.Millisecond)
	select {
	case e := <-g.exits:
		if e.name != "stubborn" {
			t.Fatalf("%s ended", e.name)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the child still runs")
	}
}

func TestAwaitHealthyNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	polls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if polls++; polls < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	var out bytes.Buffer
	g := newGroup(newLogWriter(&out))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := g.awaitHealthy(ctx, []program{{name: "a", waitsFor: "the slow one", healthURL: server.URL}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "Waiting for the slow one\n" {
		t.Fatalf("said %q", got)
	}
}

func TestAChildThatDiesWhileStartingIsNamed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	g := newGroup(newLogWriter(&out))
	dying := program{name: "dying", waitsFor: "it", path: "/bin/sh", arguments: []string{"-c", "echo last words; exit 3"}, healthURL: "http://localhost:1/"}
	if err := g.start(dying); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := g.awaitHealthy(ctx, []program{dying})
	if err == nil || !strings.Contains(err.Error(), "dying stopped while starting (exit status 3)") {
		t.Fatalf("error is %v", err)
	}
}

// A start that was killed between any two of its steps must be taken up by the
// next one, with the same organization.
func TestPrepareCustodyGoesOnWhereItWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	custodyDir, appDir := filepath.Join(dir, "custody"), filepath.Join(dir, "app")
	path, err := prepareCustody(t.Context(), custodyDir, appDir)
	if err != nil {
		t.Fatal(err)
	}
	first, err := readOrMakeKey(path)
	if err != nil || first.OrganizationID == "" {
		t.Fatalf("key file holds %+v, %v", first.OrganizationID, err)
	}
	// Killed after custody was initialised, before its id was written down.
	if err := writeKey(path, custodyKey{APIPublicKey: first.APIPublicKey, APIPrivateKey: first.APIPrivateKey}); err != nil {
		t.Fatal(err)
	}
	if _, err := prepareCustody(t.Context(), custodyDir, appDir); err != nil {
		t.Fatal(err)
	}
	again, err := readOrMakeKey(path)
	if err != nil || !reflect.DeepEqual(again, first) {
		t.Fatal("the second start made another organization or key")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("key file mode is %v, %v", info.Mode(), err)
	}
}
