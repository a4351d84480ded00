package crash

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// world is one app server on the shared network, with a gate before everything
// that it depends on.
type world struct {
	appURL               string
	data                 string
	custody, venue, base *gate

	app         *child
	environment []string
	// owner is the test that the app server ends with.
	owner *testing.T
}

// start brings up an app server with additional environment variables.
func start(t *testing.T, environment ...string) *world {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.next == len(shared.appURLs) {
		t.Fatal("raise appServers")
	}
	w := &world{
		owner: t, environment: environment, appURL: shared.appURLs[shared.next], data: t.TempDir(),
		custody: newGate(t, shared.custodyURL), venue: newGate(t, shared.network.Venue.URL), base: newGate(t, rpc(t, base)),
	}
	shared.next++
	w.startApp(t)
	return w
}

// startApp starts the app server; after a kill it is the same one again.
func (w *world) startApp(t *testing.T) {
	t.Helper()
	env := slices.Clone(w.environment)
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
