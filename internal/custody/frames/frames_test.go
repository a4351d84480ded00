package frames_test

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"tenfold/internal/custody/frames"
)

const appOrigin = "http://localhost:8080"

func get(t *testing.T, method, path string, origins ...string) (*http.Response, string) {
	t.Helper()
	recorder := httptest.NewRecorder()
	frames.Handler(origins).ServeHTTP(recorder, httptest.NewRequest(method, path, nil))
	response := recorder.Result()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func directives(t *testing.T, response *http.Response) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, directive := range strings.Split(response.Header.Get("Content-Security-Policy"), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), " ")
		found[name] = value
	}
	return found
}

func TestFrameIsClosedToEveryOriginButTheApps(t *testing.T) {
	t.Parallel()
	response, page := get(t, http.MethodGet, "/auth/", appOrigin, "https://app.example")
	if response.StatusCode != http.StatusOK {
		t.Fatalf("status %d", response.StatusCode)
	}
	policy := directives(t, response)
	want := map[string]string{
		"default-src":     "'none'",
		"script-src":      "'self'",
		"connect-src":     "'none'",
		"base-uri":        "'none'",
		"form-action":     "'none'",
		"frame-ancestors": appOrigin + " https://app.example",
	}
	for name, value := range want {
		if policy[name] != value {
			t.Errorf("%s is %q, want %q", name, policy[name], value)
		}
	}
	if !strings.Contains(page, `content="http://localhost:8080 https://app.example"`) {
		t.Error("the page does not name the origins it may talk to")
	}
	for name, value := range map[string]string{
		"X-Content-Type-Options": "nosniff",
		"Referrer-Policy":        "no-referrer",
		"Cache-Control":          "no-cache",
		"Content-Type":           "text/html; charset=utf-8",
	} {
		if got := response.Header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

func TestWithoutOriginsNobodyMayEmbed(t *testing.T) {
	t.Parallel()
	response, _ := get(t, http.MethodGet, "/auth/")
	if got := directives(t, response)["frame-ancestors"]; got != "'none'" {
		t.Errorf("frame-ancestors is %q, want 'none'", got)
	}
}

func TestOriginsCannotLeaveTheirAttribute(t *testing.T) {
	t.Parallel()
	_, page := get(t, http.MethodGet, "/auth/", `http://x"><script>alert(1)</script>`)
	if strings.Contains(page, "<script>alert") {
		t.Error("an origin became markup")
	}
}

// TestEveryModuleAndItsImportsAreServed follows what the page loads.
func TestEveryModuleAndItsImportsAreServed(t *testing.T) {
	t.Parallel()
	_, page := get(t, http.MethodGet, "/auth/", appOrigin)
	pending := regexp.MustCompile(`src="([^"]+)"`).FindStringSubmatch(page)[1:]
	imported := regexp.MustCompile(`from "\./([^"]+)"`)
	served := map[string]bool{}
	for len(pending) > 0 {
		name := pending[0]
		pending = pending[1:]
		if served[name] {
			continue
		}
		response, source := get(t, http.MethodGet, "/auth/"+name, appOrigin)
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d", name, response.StatusCode)
		}
		if got := response.Header.Get("Content-Type"); got != "text/javascript; charset=utf-8" {
			t.Errorf("%s is served as %q, which a browser refuses as a module", name, got)
		}
		served[name] = true
		for _, match := range imported.FindAllStringSubmatch(source, -1) {
			pending = append(pending, match[1])
		}
	}
	modules, err := fs.Glob(os.DirFS("auth"), "*.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range modules {
		if !served[name] {
			t.Errorf("%s is embedded but nothing loads it", name)
		}
	}
}

func TestOtherPathsAndMethodsAreRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		method, path string
		status       int
	}{
		"an unknown module":      {http.MethodGet, "/auth/none.mjs", http.StatusNotFound},
		"the template's source":  {http.MethodGet, "/auth/index.html", http.StatusNotFound},
		"a path upwards":         {http.MethodGet, "/auth/../frames.go", http.StatusNotFound},
		"a path upwards, module": {http.MethodGet, "/auth/../auth/main.mjs", http.StatusNotFound},
		"the folder's own name":  {http.MethodGet, "/auth/auth", http.StatusNotFound},
		"a post":                 {http.MethodPost, "/auth/", http.StatusMethodNotAllowed},
		"a preflight":            {http.MethodOptions, "/auth/main.mjs", http.StatusMethodNotAllowed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response, body := get(t, c.method, c.path, appOrigin)
			if response.StatusCode != c.status {
				t.Errorf("status %d, want %d", response.StatusCode, c.status)
			}
			if strings.Contains(body, "import ") || strings.Contains(body, "{{") {
				t.Error("the refusal carries source")
			}
			if response.Header.Get("Content-Security-Policy") == "" {
				t.Error("the refusal has no policy")
			}
		})
	}
}
