package apphttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/internal/account"
	"tenfold/internal/apphttp"
	"tenfold/internal/fault"
	"tenfold/internal/movement"
	"tenfold/internal/session"
)

const (
	origin  = "http://localhost:8080"
	goodTok = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

// oneSession knows one person.
type oneSession struct{ apphttp.Sessions }

func (oneSession) Authenticate(_ context.Context, token string) (session.Session, error) {
	if token != goodTok {
		return session.Session{}, fault.New(fault.SessionExpired, session.ExpiredMessage)
	}
	return session.Session{OrganizationID: "organization", UserID: "user", ExpiresAt: time.UnixMilli(1000)}, nil
}

func (oneSession) Open(context.Context, session.Stamped) (session.Opened, error) {
	return session.Opened{Token: goodTok, CSRFToken: session.CSRFToken(goodTok), Session: session.Session{ExpiresAt: time.Now().Add(time.Hour)}}, nil
}

func (oneSession) Close(context.Context, string) error { return nil }

// brokenAccounts fails as an unclassified fault would.
type brokenAccounts struct{}

func (brokenAccounts) Of(context.Context, string) ([]account.Account, error) {
	return nil, errors.New("password=hunter2 at /var/lib/secret")
}

type panics struct{ apphttp.Movements }

func (panics) Get(context.Context, string, string) (movement.Movement, error) {
	panic("a bug")
}

type never struct{}

func (never) Allow(string) bool { return false }

type signer struct{}

func (signer) ServerSign(context.Context, string, []byte) ([]byte, error) {
	return []byte(`{"subOrganizationId":"x"}`), nil
}

func site(t *testing.T, change func(*apphttp.Services)) http.Handler {
	t.Helper()
	services := apphttp.Services{
		Sessions: oneSession{}, Accounts: brokenAccounts{}, Movements: panics{}, ServerSign: signer{},
		Log: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&services)
	}
	api, err := apphttp.New(services)
	if err != nil {
		t.Fatal(err)
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the page")) })
	handler, err := apphttp.Site{API: api, Live: page, Page: page, Origins: []string{origin}}.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// call makes a request as a signed-in page does; change bends it.
func call(handler http.Handler, method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:8080"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", origin)
	r.Header.Set("X-CSRF-Token", session.CSRFToken(goodTok))
	r.Header.Set("Idempotency-Key", "key")
	r.AddCookie(&http.Cookie{Name: apphttp.CookieName, Value: goodTok})
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func wantProblem(t *testing.T, w *httptest.ResponseRecorder, status int, code string) apphttp.Problem {
	t.Helper()
	var p apphttp.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	if w.Code != status || p.Status != status || p.Code != code || p.Detail == "" || p.Type != "about:blank" {
		t.Errorf("answered %d with %+v, want %d %s", w.Code, p, status, code)
	}
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("the content type is %q", got)
	}
	return p
}

func TestWhoMayCallWhat(t *testing.T) {
	t.Parallel()
	handler := site(t, nil)
	noCookie := func(r *http.Request) { r.Header.Del("Cookie") }
	for name, c := range map[string]struct {
		method, path, body string
		change             func(*http.Request)
		status             int
		code               string
	}{
		"no session":            {"GET", "/accounts", "", noCookie, 401, "session_expired"},
		"made-up session":       {"GET", "/accounts", "", func(r *http.Request) { noCookie(r); r.Header.Set("Cookie", "tenfold_session=x") }, 401, "session_expired"},
		"no CSRF token":         {"DELETE", "/session", "", func(r *http.Request) { r.Header.Del("X-CSRF-Token") }, 403, "csrf_token_wrong"},
		"wrong CSRF token":      {"DELETE", "/session", "", func(r *http.Request) { r.Header.Set("X-CSRF-Token", "x") }, 403, "csrf_token_wrong"},
		"another site":          {"DELETE", "/session", "", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403, "forbidden_origin"},
		"another site, fetch":   {"POST", "/sessions", "{}", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site"); r.Header.Set("Origin", "null") }, 403, "forbidden_origin"},
		"another local port":    {"POST", "/server-sign", "{}", func(r *http.Request) { r.Header.Set("Origin", "http://localhost:9999") }, 403, "forbidden_origin"},
		"no idempotency key":    {"POST", "/movements", "{}", func(r *http.Request) { r.Header.Del("Idempotency-Key") }, 400, "idempotency_key_required"},
		"long idempotency key":  {"POST", "/movements", "{}", func(r *http.Request) { r.Header.Set("Idempotency-Key", strings.Repeat("k", 129)) }, 400, "invalid_request"},
		"no faucet":             {"POST", "/faucet-claims", "", nil, 404, "faucet_unavailable"},
		"unknown route":         {"GET", "/nothing", "", nil, 404, "not_found"},
		"wrong method":          {"PUT", "/accounts", "", nil, 404, "not_found"},
		"unknown query":         {"GET", "/movements?limit=5&sort=x", "", nil, 400, "invalid_request"},
		"limit out of range":    {"GET", "/movements?limit=1000", "", nil, 400, "invalid_request"},
		"no JSON":               {"POST", "/quotes", "{", nil, 400, "invalid_request"},
		"no body":               {"POST", "/quotes", "", nil, 400, "invalid_request"},
		"field twice":           {"POST", "/quotes", `{"fromChainId":1,"fromChainId":8453,"fromAsset":"a","toChainId":1,"toAsset":"b","amount":"1"}`, nil, 400, "invalid_request"},
		"unknown field":         {"POST", "/quotes", `{"fromChainId":1,"fromAsset":"a","toChainId":1,"toAsset":"b","amount":"1","slippage":1}`, nil, 400, "invalid_request"},
		"amount as a number":    {"POST", "/quotes", `{"fromChainId":1,"fromAsset":"a","toChainId":1,"toAsset":"b","amount":1}`, nil, 400, "invalid_request"},
		"unknown kind":          {"POST", "/movements", `{"kind":"gift"}`, nil, 400, "invalid_request"},
		"fields of both kinds":  {"POST", "/movements", `{"kind":"swap","quoteId":"x","digest":"y","amount":"1"}`, nil, 400, "invalid_request"},
		"too large":             {"POST", "/quotes", `{"amount":"` + strings.Repeat("9", 300_000) + `"}`, nil, 413, "invalid_request"},
		"signature without hex": {"POST", "/movements/x/signatures", `{"signatures":[{"step":0,"signedTransaction":"zz"}]}`, nil, 422, "signature_mismatch"},
		"no signatures":         {"POST", "/movements/x/signatures", `{"signatures":[]}`, nil, 400, "invalid_request"},
		"a bug":                 {"GET", "/movements/x", "", nil, 500, "internal"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, call(handler, c.method, apphttp.Prefix+c.path, c.body, c.change), c.status, c.code)
		})
	}
}

func TestCausesStayInside(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	handler := site(t, func(s *apphttp.Services) { s.Log = slog.New(slog.NewTextHandler(&logged, nil)) })
	w := call(handler, "GET", apphttp.Prefix+"/accounts", "", nil)
	p := wantProblem(t, w, 500, "internal")
	if p.Detail != fault.DefaultMessage || strings.Contains(w.Body.String(), "hunter2") {
		t.Errorf("the person sees %s", w.Body)
	}
	if !strings.Contains(logged.String(), "hunter2") {
		t.Errorf("the operator does not see the cause: %s", &logged)
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	handler := site(t, func(s *apphttp.Services) {
		s.Limits = apphttp.Limits{ServerSign: never{}, Sessions: never{}, Quotes: never{}}
	})
	for _, path := range []string{"/server-sign", "/sessions", "/quotes", "/movements"} {
		wantProblem(t, call(handler, "POST", apphttp.Prefix+path, "{}", nil), 429, "rate_limited")
	}
}

// closes notes which sessions are ended.
type closes struct {
	oneSession
	tokens *[]string
}

func (c closes) Close(_ context.Context, token string) error {
	*c.tokens = append(*c.tokens, token)
	return nil
}

func TestANewSessionEndsTheOneItReplaces(t *testing.T) {
	t.Parallel()
	var ended []string
	handler := site(t, func(s *apphttp.Services) { s.Sessions = closes{tokens: &ended} })
	body := `{"body":"{}","stamp":{"stampHeaderName":"X-Stamp","stampHeaderValue":"x"}}`
	for _, cookie := range []string{"", "tenfold_session=old"} {
		w := call(handler, "POST", apphttp.Prefix+"/sessions", body, func(r *http.Request) { r.Header.Set("Cookie", cookie) })
		if w.Code != http.StatusCreated {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if len(ended) != 1 || ended[0] != "old" {
		t.Errorf("ended %q", ended)
	}
}

func TestSessionCookie(t *testing.T) {
	t.Parallel()
	body := `{"body":"{}","stamp":{"stampHeaderName":"X-Stamp","stampHeaderValue":"x"}}`
	for secure, want := range map[bool]string{false: "", true: "; Secure"} {
		handler := site(t, func(s *apphttp.Services) { s.SecureCookies = secure })
		w := call(handler, "POST", apphttp.Prefix+"/sessions", body, func(r *http.Request) { r.Header.Del("Cookie") })
		if w.Code != http.StatusCreated {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		got := w.Header().Get("Set-Cookie")
		for _, part := range []string{apphttp.CookieName + "=" + goodTok, "Path=/", "HttpOnly", "SameSite=Strict"} {
			if !strings.Contains(got, part) {
				t.Errorf("the cookie %q lacks %s", got, part)
			}
		}
		if strings.Contains(got, "Secure") != secure || !strings.Contains(got, want) {
			t.Errorf("secure %v: the cookie is %q", secure, got)
		}
		if strings.Contains(w.Body.String(), goodTok) {
			t.Error("the token is in the body too")
		}
	}
	w := call(site(t, nil), "DELETE", apphttp.Prefix+"/session", "", nil)
	if w.Code != http.StatusNoContent || !strings.Contains(w.Header().Get("Set-Cookie"), apphttp.CookieName+"=;") {
		t.Errorf("signing out: %d %q", w.Code, w.Header().Get("Set-Cookie"))
	}
}

func TestPublicAnswers(t *testing.T) {
	t.Parallel()
	handler := site(t, func(s *apphttp.Services) { s.Config.Network = "mainnet" })
	anonymous := func(r *http.Request) { r.Header = http.Header{} }
	var chains apphttp.ChainList
	w := call(handler, "GET", apphttp.Prefix+"/chains", "", anonymous)
	if err := json.Unmarshal(w.Body.Bytes(), &chains); err != nil || len(chains.Chains) != 10 {
		t.Errorf("%d chains, %v", len(chains.Chains), err)
	}
	if strings.Contains(w.Body.String(), "$schema") {
		t.Error("answers carry $schema")
	}
	if got := w.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("the cache rule is %q", got)
	}
	w = call(handler, "GET", apphttp.Prefix+"/openapi.json", "", anonymous)
	var document struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil || document.OpenAPI != "3.1.0" || len(document.Paths) < 15 {
		t.Errorf("the document: %v, %s, %d paths", err, document.OpenAPI, len(document.Paths))
	}
	if w = call(handler, "GET", "/swap", "", anonymous); w.Body.String() != "the page" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("a page path answers %s with %v", w.Body, w.Header())
	}
	for _, path := range []string{"/docs", "/schemas/Movement.json", "/openapi.yaml"} {
		if w = call(handler, "GET", path, "", anonymous); w.Body.String() != "the page" {
			t.Errorf("%s answers %.80s", path, w.Body)
		}
	}
}

// TestStatesInTheDocument checks that the page's union is the domain's table.
func TestStatesInTheDocument(t *testing.T) {
	t.Parallel()
	w := call(site(t, nil), "GET", apphttp.Prefix+"/openapi.json", "", nil)
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Enum []string `json:"enum"`
				} `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range movement.States() {
		want = append(want, string(s))
	}
	if got := document.Components.Schemas["Movement"].Properties["state"].Enum; !slices.Equal(got, want) {
		t.Errorf("the document has %v, the domain %v", got, want)
	}
}
