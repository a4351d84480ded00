package crash

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"tenfold/internal/apphttp"
)

// liveEvent is one line of live.mjs.
type liveEvent struct {
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// follow starts the npm client and gives its lines.
func (p *person) follow(t *testing.T) func() liveEvent {
	t.Helper()
	url := "ws" + strings.TrimPrefix(p.world.appURL, "http") + "/ws"
	command := exec.CommandContext(t.Context(), "node", "live.mjs", url, p.world.appURL, apphttp.CookieName+"="+p.cookie.Value, p.csrf)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Wait() })
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	return func() liveEvent {
		t.Helper()
		if !lines.Scan() {
			t.Fatal("the live client ended: ", lines.Err())
		}
		var e liveEvent
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		return e
	}
}

// TestLiveUpdates follows a payment with the page's own client from the
// confirmation to the end, and then signs out.
func TestLiveUpdates(t *testing.T) {
	t.Parallel()
	w := start(t)
	p, other := newPerson(t, w), newPerson(t, w)
	p.fund(t)
	other.fund(t)
	next := p.follow(t)
	for _, want := range []string{"refused authentication failed", "login true", `methods ["rpc.login","rpc.on","rpc.off","__listMethods"]`, `subscribed {"balances":"ok","movements":"ok","session":"ok"}`} {
		e := next()
		if got := e.Event + " " + strings.Trim(string(e.Data), `"`); got != want {
			t.Fatalf("the client says %s, want %s", got, want)
		}
	}
	pay := apphttp.MovementRequest{ChainID: base, Asset: native(t, base).Address, Amount: "5", Recipient: strangerEVM(t)}
	foreign := other.confirm(t, other.transfer(t, pay))
	m := p.confirm(t, p.transfer(t, pay))
	var states []string
	balances := 0
	for len(states) == 0 || states[len(states)-1] != "done" {
		e := next()
		if e.Event == "balances" {
			if string(e.Data) != `{"chainIds":[8453]}` {
				t.Errorf("balances changed: %s", e.Data)
			}
			balances++
			continue
		}
		var update apphttp.Movement
		if err := json.Unmarshal(e.Data, &update); err != nil || e.Event != "movements" {
			t.Fatalf("%s %s: %v", e.Event, e.Data, err)
		}
		if update.ID == foreign.ID {
			t.Fatal("another person's movement was told")
		}
		if update.ID == m.ID && !slices.Contains(states, string(update.State)) {
			states = append(states, string(update.State))
		}
	}
	if !slices.Equal(states, []string{"signed", "sent", "confirming", "done"}) || balances == 0 {
		t.Errorf("told %v and %d changes of balances", states, balances)
	}
	p.must(t, "DELETE", "/session", nil, nil)
	for e := next(); e.Event != "close"; e = next() {
		if e.Event == "error" {
			t.Errorf("the client says %s", e.Data)
		}
	}
}
