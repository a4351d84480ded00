package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func built() fstest.MapFS {
	return fstest.MapFS{
		"index.html":         {Data: []byte("<main>page</main>")},
		"assets/app-1a2b.js": {Data: []byte("export {}")},
		"icons/chains/x.svg": {Data: []byte("<svg/>")},
		".keep":              {},
	}
}

func get(t *testing.T, h http.Handler, method, target string) (*http.Response, string) {
	t.Helper()
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequest(method, target, nil))
	answer := recorder.Result()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestHandlerServesPageForEveryRoute(t *testing.T) {
	t.Parallel()
	h := handler(built(), Policy{})
	for _, target := range []string{"/", "/index.html", "/swap?from=1", "/activity/mv_1", "/.keep", "/../etc/passwd"} {
		answer, body := get(t, h, http.MethodGet, target)
		if answer.StatusCode != http.StatusOK || body != "<main>page</main>" {
			t.Errorf("GET %s = %d %q, want the page", target, answer.StatusCode, body)
		}
		if got := answer.Header.Get("Cache-Control"); got != "no-cache" {
			t.Errorf("GET %s Cache-Control = %q, want no-cache", target, got)
		}
	}
}

func TestHandlerServesFiles(t *testing.T) {
	t.Parallel()
	h := handler(built(), Policy{})
	tests := []struct {
		target, cache string
		status        int
	}{
		{"/assets/app-1a2b.js", "public, max-age=31536000, immutable", 200},
		{"/icons/chains/x.svg", "no-cache", 200},
		{"/assets/gone.js", "", 404}, // a stale page must not run HTML as script
		{"/icons/chains/gone.svg", "", 404},
	}
	for _, test := range tests {
		answer, _ := get(t, h, http.MethodGet, test.target)
		if answer.StatusCode != test.status || answer.Header.Get("Cache-Control") != test.cache {
			t.Errorf("GET %s = %d, cache %q; want %d, %q", test.target, answer.StatusCode,
				answer.Header.Get("Cache-Control"), test.status, test.cache)
		}
	}
}

func TestHandlerPolicyNamesCustodyOnly(t *testing.T) {
	t.Parallel()
	answer, _ := get(t, handler(built(), Policy{CustodyOrigins: []string{"http://localhost:8090"}}), http.MethodGet, "/")
	policy := answer.Header.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none'", "script-src 'self';", "connect-src 'self' http://localhost:8090;",
		"frame-src http://localhost:8090;", "frame-ancestors 'none'",
	} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %q lacks %q", policy, want)
		}
	}
	answer, _ = get(t, handler(built(), Policy{}), http.MethodGet, "/")
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-src 'none';") {
		t.Errorf("policy without custody %q, want no frames", policy)
	}
}

func TestHandlerRefusesWrites(t *testing.T) {
	t.Parallel()
	answer, _ := get(t, handler(built(), Policy{}), http.MethodPost, "/")
	if answer.StatusCode != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST / = %d, Allow %q", answer.StatusCode, answer.Header.Get("Allow"))
	}
}

func TestHandlerBeforeBuild(t *testing.T) {
	t.Parallel()
	answer, body := get(t, handler(fstest.MapFS{".keep": {}}, Policy{}), http.MethodGet, "/")
	if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "make build") {
		t.Errorf("GET / without a built page = %d %q", answer.StatusCode, body)
	}
}
