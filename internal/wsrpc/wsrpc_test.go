package wsrpc_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"tenfold/internal/fault"
	"tenfold/internal/session"
	"tenfold/internal/wsrpc"
)

const (
	origin = "http://localhost:8080"
	token  = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

// oneSession knows one token, whose session ends when the test says.
type oneSession struct{ ends time.Time }

func (s oneSession) Authenticate(_ context.Context, given string) (session.Session, error) {
	if given != token {
		return session.Session{}, fault.New(fault.SessionExpired, session.ExpiredMessage)
	}
	return session.Session{OrganizationID: "organization", UserID: "user", ExpiresAt: s.ends}, nil
}

// closing is a session that its person closes while the socket is being made.
type closing struct{ asked atomic.Int32 }

func (s *closing) Authenticate(ctx context.Context, given string) (session.Session, error) {
	if s.asked.Add(1) > 1 {
		return session.Session{}, fault.New(fault.SessionExpired, session.ExpiredMessage)
	}
	return oneSession{time.Now().Add(time.Hour)}.Authenticate(ctx, given)
}

type bench struct {
	hub *wsrpc.Hub
	url string
}

func newBench(t *testing.T, lifetime time.Duration) *bench {
	t.Helper()
	return benchOf(t, oneSession{time.Now().Add(lifetime)})
}

func benchOf(t *testing.T, sessions wsrpc.Sessions) *bench {
	t.Helper()
	hub := wsrpc.NewHub(wsrpc.Options{
		Sessions: sessions, CookieName: "tenfold_session", Origins: []string{origin},
		Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Refuse: func(w http.ResponseWriter, err error) { http.Error(w, string(fault.CodeOf(err)), http.StatusForbidden) },
	})
	server := httptest.NewServer(hub)
	t.Cleanup(func() {
		hub.Close()
		server.Close()
	})
	return &bench{hub: hub, url: "ws" + strings.TrimPrefix(server.URL, "http")}
}

func headers(from, cookie string) http.Header {
	h := http.Header{}
	h.Set("Origin", from)
	h.Set("Cookie", "tenfold_session="+cookie)
	return h
}

type page struct{ socket *websocket.Conn }

func (b *bench) open(t *testing.T) page {
	t.Helper()
	socket, _, err := websocket.Dial(t.Context(), b.url, &websocket.DialOptions{HTTPHeader: headers(origin, token)}) //nolint:bodyclose // the library closes it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.CloseNow() })
	return page{socket}
}

func (p page) send(t *testing.T, text string) {
	t.Helper()
	if err := p.socket.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func (p page) read(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, message, err := p.socket.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return string(message)
}

func (p page) ask(t *testing.T, request, want string) {
	t.Helper()
	p.send(t, request)
	if got := p.read(t); got != want {
		t.Errorf("%s\n answered %s\n want     %s", request, got, want)
	}
}

func (p page) login(t *testing.T) {
	t.Helper()
	parameters, err := json.Marshal(map[string]string{"csrfToken": session.CSRFToken(token)})
	if err != nil {
		t.Fatal(err)
	}
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.login","params":`+string(parameters)+`,"id":1}`, `{"jsonrpc":"2.0","result":true,"id":1}`)
}

func TestUpgradeIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, time.Minute)
	for name, h := range map[string]http.Header{
		"another origin": headers("http://evil.example", token), "another port": headers("http://localhost:9999", token),
		"no origin": headers("", token), "made-up session": headers(origin, "x"), "no cookie": {"Origin": []string{origin}},
	} {
		_, response, err := websocket.Dial(t.Context(), b.url, &websocket.DialOptions{HTTPHeader: h}) //nolint:bodyclose // the library closes it
		if err == nil || response == nil || response.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDialect compares with what the npm package rpc-websockets sends and wants.
func TestDialect(t *testing.T) {
	t.Parallel()
	p := newBench(t, time.Minute).open(t)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.on","params":["movements"],"id":1}`, `{"jsonrpc":"2.0","error":{"code":-32606,"message":"Event forbidden"},"id":1}`)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.login","params":{"csrfToken":"wrong"},"id":2}`, `{"jsonrpc":"2.0","result":false,"id":2}`)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.login","id":3}`, `{"jsonrpc":"2.0","error":{"code":-32604,"message":"Params not found"},"id":3}`)
	p.login(t)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.on","params":["movements","secrets"],"id":4}`, `{"jsonrpc":"2.0","result":{"movements":"ok","secrets":"provided event invalid"},"id":4}`)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.off","params":["movements"],"id":5}`, `{"jsonrpc":"2.0","result":{"movements":"ok"},"id":5}`)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.on","id":6}`, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Event not provided"},"id":6}`)
	p.ask(t, `{"jsonrpc":"2.0","method":"__listMethods","params":null,"id":7}`, `{"jsonrpc":"2.0","result":["rpc.login","rpc.on","rpc.off","__listMethods"],"id":7}`)
	p.ask(t, `{"jsonrpc":"2.0","method":"transfer","params":[],"id":"x"}`, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"x"}`)
	p.ask(t, `{"jsonrpc":"1.0","method":"rpc.on","id":8}`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":8}`)
	p.ask(t, `[]`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`)
	p.ask(t, `{`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`)
	// A notification of the client's is not answered; the next answer is the next request's.
	p.send(t, `{"jsonrpc":"2.0","method":"rpc.on","params":["movements"]}`)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.on","params":["balances"],"id":9}`, `{"jsonrpc":"2.0","result":{"balances":"ok"},"id":9}`)
}

func TestNotificationsReachTheirPersonOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, time.Minute)
	p := b.open(t)
	p.login(t)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.on","params":["movements"],"id":1}`, `{"jsonrpc":"2.0","result":{"movements":"ok"},"id":1}`)
	b.hub.Publish("another", wsrpc.TopicMovements, map[string]string{"id": "not for us"})
	b.hub.Publish("organization", wsrpc.TopicBalances, map[string]string{"not": "subscribed"})
	b.hub.Publish("organization", wsrpc.TopicMovements, map[string]string{"id": "m1"})
	if got, want := p.read(t), `{"notification":"movements","params":[{"id":"m1"}]}`; got != want {
		t.Errorf("pushed %s, want %s", got, want)
	}
}

// closeCode reads to the end.
func (p page) closeCode(t *testing.T) (websocket.StatusCode, []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var messages []string
	for {
		_, message, err := p.socket.Read(ctx)
		if err != nil {
			return websocket.CloseStatus(err), messages
		}
		messages = append(messages, string(message))
	}
}

func TestSessionsEndCloses(t *testing.T) {
	t.Parallel()
	t.Run("expiry", func(t *testing.T) {
		t.Parallel()
		p := newBench(t, 300*time.Millisecond).open(t)
		p.login(t)
		p.ask(t, `{"jsonrpc":"2.0","method":"rpc.on","params":["session"],"id":1}`, `{"jsonrpc":"2.0","result":{"session":"ok"},"id":1}`)
		code, messages := p.closeCode(t)
		if code != websocket.StatusPolicyViolation || len(messages) != 1 || messages[0] != `{"notification":"session","params":[{"state":"expired"}]}` {
			t.Errorf("closed with %d after %v", code, messages)
		}
	})
	t.Run("sign-out", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, time.Minute)
		p := b.open(t)
		p.login(t)
		b.hub.EndSession("another session's key")
		b.hub.EndSession(session.Key(token))
		if code, _ := p.closeCode(t); code != websocket.StatusPolicyViolation {
			t.Errorf("closed with %d", code)
		}
	})
	t.Run("server stops", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, time.Minute)
		p := b.open(t)
		p.login(t)
		b.hub.Close()
		if code, _ := p.closeCode(t); code != websocket.StatusGoingAway {
			t.Errorf("closed with %d", code)
		}
	})
}

// TestSlowReaderIsDropped floods a page that does not read. Publishing must not
// wait for it, and the page must find its connection gone.
func TestSessionClosedDuringTheUpgradeHearsNothing(t *testing.T) {
	t.Parallel()
	p := benchOf(t, &closing{}).open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, _, err := p.socket.Read(ctx); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("the connection ended with %v", err)
	}
}

func TestSlowReaderIsDropped(t *testing.T) {
	t.Parallel()
	b := newBench(t, time.Minute)
	p := b.open(t)
	p.login(t)
	p.ask(t, `{"jsonrpc":"2.0","method":"rpc.on","params":["movements"],"id":1}`, `{"jsonrpc":"2.0","result":{"movements":"ok"},"id":1}`)
	large := strings.Repeat("x", 16<<10)
	began := time.Now()
	for range 5000 {
		b.hub.Publish("organization", wsrpc.TopicMovements, large)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("publishing took %s", took)
	}
	p.socket.SetReadLimit(-1)
	_, messages := p.closeCode(t)
	if len(messages) >= 5000 {
		t.Error("the slow page was never dropped")
	}
}

func TestHugeMessageCloses(t *testing.T) {
	t.Parallel()
	p := newBench(t, time.Minute).open(t)
	p.send(t, `{"jsonrpc":"2.0","method":"`+strings.Repeat("x", 40<<10)+`","id":1}`)
	if code, _ := p.closeCode(t); code != websocket.StatusMessageTooBig {
		t.Errorf("closed with %d", code)
	}
}
