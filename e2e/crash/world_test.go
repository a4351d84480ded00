package crash

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// world is one app server on the shared network, with a gate before everything
// that it depends on.
type world struct {
	appURL               string
	data                 string
	custody, venue, base *gate

	app *child
	// owner is the test that the app server ends with.
	owner *testing.T
}

// start brings up an app server.
func start(t *testing.T) *world {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.next == len(shared.appURLs) {
		t.Fatal("raise appServers")
	}
	w := &world{
		owner: t, appURL: shared.appURLs[shared.next], data: t.TempDir(),
		custody: newGate(t, shared.custodyURL), venue: newGate(t, shared.network.Venue.URL), base: newGate(t, rpc(t, base)),
	}
	shared.next++
	w.startApp(t)
	return w
}

// startApp starts the app server; after a kill it is the same one again.
func (w *world) startApp(t *testing.T) {
	t.Helper()
	var env []string
	for _, c := range shared.network.Chains {
		url := c.RPCURL
		if c.ID == base {
			url = w.base.url
		}
		env = append(env, fmt.Sprintf("TENFOLD_RPC_%d=%s", c.ID, url))
	}
	app, err := launch("tenfold", env, "serve",
		"--listen", strings.TrimPrefix(w.appURL, "http://"), "--data", w.data, "--network", "local",
		"--custody-url", w.custody.url, "--custody-key-file", shared.keyFile, "--rp-id", "localhost", "--origin", w.appURL,
		"--relay-url", w.venue.url, "--faucet-url", shared.network.Faucet.URL)
	if err != nil {
		t.Fatal(err)
	}
	w.app = app
	w.owner.Cleanup(func() {
		app.stop()
		if w.owner.Failed() {
			w.owner.Logf("app server:\n%s", app.log)
		}
	})
	if err := waitHealthy(w.appURL + "/api/v1/health"); err != nil {
		t.Fatal(err)
	}
}

// gate passes requests on to a service. Shut, connections break as if the
// service were gone; deaf, the service gets the request and its answer is lost.
type gate struct {
	url  string
	mu   sync.Mutex
	mode gateMode
}

type gateMode int

const (
	open gateMode = iota
	shut
	deaf
)

func newGate(t *testing.T, target string) *gate {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // a killed app server abandons requests
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch g.now() {
		case shut:
			panic(http.ErrAbortHandler)
		case deaf:
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

func (g *gate) now() gateMode {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode
}

func (g *gate) set(mode gateMode) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode = mode
}

// during sets a mode until the test (or subtest) ends.
func (g *gate) during(t *testing.T, mode gateMode) {
	t.Helper()
	g.set(mode)
	t.Cleanup(func() { g.set(open) })
}
