package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// scripted is a node that gives one raw answer per method, and counts.
type scripted struct {
	url   string
	calls atomic.Int64 // without the question which chain it serves
}

const broken = "broken" // drops the connection

// newNode serves answers by method: the JSON of a result or of a whole "error"
// member, an HTTP status in the form "HTTP 503 body", or broken.
func newNode(t *testing.T, answers map[string]string) *scripted {
	t.Helper()
	n := &scripted{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		if q.Method != "identity" {
			n.calls.Add(1)
		}
		answer := answers[q.Method]
		var status int
		var body string
		switch {
		case answer == broken:
			panic(http.ErrAbortHandler)
		case strings.HasPrefix(answer, "HTTP "):
			status, body = 503, ""
			_, _ = fmt.Sscanf(answer, "HTTP %d", &status)
			if parts := strings.SplitN(answer, " ", 3); len(parts) == 3 {
				body = parts[2]
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		case strings.HasPrefix(answer, `"error"`):
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, answer)
		default:
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, answer)
		}
	}))
	t.Cleanup(server.Close)
	n.url = server.URL + "/v2/a-secret-key?token=another"
	return n
}

func identity(ctx context.Context, n Caller) (string, error) {
	var id string
	err := n.Call(ctx, &id, "identity")
	return id, err
}

func open(t *testing.T, expected string, nodes ...*scripted) *Pool {
	t.Helper()
	urls := make([]string, len(nodes))
	for i, n := range nodes {
		urls[i] = n.url
	}
	p, err := Open(urls, identity, expected)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func ask(t *testing.T, p *Pool) (int, error) {
	t.Helper()
	var got int
	err := p.Call(t.Context(), &got, "ask")
	return got, err
}

func TestTheNextNodeAnswersWhenOneFails(t *testing.T) {
	t.Parallel()
	for name, failing := range map[string]string{
		"dropped":              broken,
		"down":                 "HTTP 503 <html>",
		"forbidden":            "HTTP 403 a-secret-key is not valid",
		"rate limit over HTTP": "HTTP 429 slow down",
		"rate limit in JSON":   `"error":{"code":-32005,"message":"limit exceeded"}`,
		"behind":               `"error":{"code":-32016,"message":"Minimum context slot has not been reached"}`,
		"nonsense":             `"seven"`,
		"too long":             `"` + strings.Repeat("x", maximumAnswer) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := newNode(t, map[string]string{"identity": `"1"`, "ask": failing})
			good := newNode(t, map[string]string{"identity": `"1"`, "ask": "7"})
			p := open(t, "1", bad, good)
			for range 3 {
				if got, err := ask(t, p); err != nil || got != 7 {
					t.Fatalf("got %d, %v", got, err)
				}
			}
			if n := bad.calls.Load(); n != 1 {
				t.Errorf("the failing node was asked %d times", n)
			}
		})
	}
}

func TestARefusalIsAnAnswer(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"in JSON":            `"error":{"code":3,"message":"execution reverted","data":"0x08"}`,
		"with a status, too": `HTTP 400 {"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x08"}}`,
	} {
		refusing := newNode(t, map[string]string{"identity": `"1"`, "ask": answer})
		other := newNode(t, map[string]string{"identity": `"1"`, "ask": "7"})
		_, err := ask(t, open(t, "1", refusing, other))
		var refusal *RefusalError
		if !errors.As(err, &refusal) || refusal.Code != 3 || refusal.Message != "execution reverted" || refusal.Data != "0x08" {
			t.Errorf("%s: got %v", name, err)
		}
		if other.calls.Load() != 0 {
			t.Errorf("%s: another node was asked as well", name)
		}
	}
}

func TestANodeOfAnotherChainIsNeverAsked(t *testing.T) {
	t.Parallel()
	wrong := newNode(t, map[string]string{"identity": `"56"`, "ask": "6"})
	right := newNode(t, map[string]string{"identity": `"1"`, "ask": "7"})
	if got, err := ask(t, open(t, "1", wrong, right)); err != nil || got != 7 {
		t.Fatalf("got %d, %v", got, err)
	}
	if _, err := ask(t, open(t, "1", wrong)); !errors.As(err, new(*UnreachableError)) || !strings.Contains(err.Error(), `it serves chain "56" instead of "1"`) {
		t.Fatalf("got %v", err)
	}
	if wrong.calls.Load() != 0 {
		t.Error("the wrong node was asked")
	}
}

func TestWithoutAnExpectedChainTheFirstAnswerBindsTheOthers(t *testing.T) {
	t.Parallel()
	first := newNode(t, map[string]string{"identity": `"abc"`, "ask": "7"})
	other := newNode(t, map[string]string{"identity": `"xyz"`, "ask": "8"})
	p := open(t, "", first, other)
	if got, err := ask(t, p); err != nil || got != 7 {
		t.Fatalf("got %d, %v", got, err)
	}
	var got string
	err := p.Call(t.Context(), &got, "missing") // the first answers nonsense, the second must not help
	if !errors.As(err, new(*UnreachableError)) || other.calls.Load() != 0 {
		t.Errorf("got %v", err)
	}
}

func TestOneNodeAnswersAllOfOnePieceOfWork(t *testing.T) {
	t.Parallel()
	half := newNode(t, map[string]string{"identity": `"1"`, "ask": "6", "then": broken})
	whole := newNode(t, map[string]string{"identity": `"1"`, "ask": "7", "then": "8"})
	var sum int
	err := open(t, "1", half, whole).OnOne(t.Context(), func(ctx context.Context, n Caller) error {
		var a, b int
		if err := n.Call(ctx, &a, "ask"); err != nil {
			return err
		}
		if err := n.Call(ctx, &b, "then"); err != nil {
			return err
		}
		sum = a + b
		return nil
	})
	if err != nil || sum != 15 {
		t.Errorf("got %d, %v", sum, err)
	}
}

func TestAnErrorOfTheWorkEndsIt(t *testing.T) {
	t.Parallel()
	mine := errors.New("mine")
	n := newNode(t, map[string]string{"identity": `"1"`})
	if err := open(t, "1", n, n).OnOne(t.Context(), func(context.Context, Caller) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("got %v", err)
	}
	err := open(t, "1", n).OnOne(t.Context(), func(context.Context, Caller) error { return Broken(mine) })
	if !errors.Is(err, mine) || !errors.As(err, new(*UnreachableError)) {
		t.Errorf("got %v", err)
	}
}

func TestErrorsHideTheURLsSecrets(t *testing.T) {
	t.Parallel()
	down := newNode(t, map[string]string{"identity": broken})
	telling := newNode(t, map[string]string{"identity": "HTTP 403 a-secret-key is not valid"})
	_, err := ask(t, open(t, "1", down, telling))
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "another") {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{"", "ftp://a-secret", "://a-secret", "localhost:8545/a-secret", "http://"} {
		if _, err := Open([]string{text}, identity, "1"); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Open(nil, identity, "1"); err == nil {
		t.Error("a pool without nodes opens")
	}
}

func TestACallerThatGivesUpIsNotKept(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server would not notice that the caller is gone
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	p, err := Open([]string{silent.URL, silent.URL}, identity, "1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	var got int
	if err := p.Call(ctx, &got, "ask"); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*UnreachableError)) {
		t.Errorf("got %v", err)
	}
}
