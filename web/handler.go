package web

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// Policy names the origins, besides its own, that the page may talk to.
type Policy struct {
	// CustodyOrigins are the origins of the custody provider's API and frames,
	// such as "http://localhost:8090".
	CustodyOrigins []string
}

const notBuilt = "The page is not built yet. Run `make build` and start again.\n"

// Handler serves the built page. A path that names no file is answered with
// index.html, whose router shows the page or says that there is none. Without
// a built page every request gets 503 and a sentence that says what to do.
func Handler(policy Policy) http.Handler {
	return handler(FS(), policy)
}

func handler(files fs.FS, policy Policy) http.Handler {
	index, err := fs.ReadFile(files, "index.html")
	if err != nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, notBuilt, http.StatusServiceUnavailable)
		})
	}
	headers := securityHeaders(policy)
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if isFile(files, name) {
			w.Header().Set("Cache-Control", cacheControl(name))
			server.ServeHTTP(w, r)
			return
		}
		if strings.HasPrefix(name, "assets/") || strings.HasPrefix(name, "icons/") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(index) // the client went away; nothing to mend here
	})
}

// isFile reports whether name is a file to serve as it is. index.html is not:
// the file server would redirect it to "/".
func isFile(files fs.FS, name string) bool {
	if name == "" || name == "index.html" || strings.HasPrefix(path.Base(name), ".") {
		return false
	}
	info, err := fs.Stat(files, name)
	return err == nil && !info.IsDir()
}

// cacheControl lets browsers keep files whose name carries a hash of their
// content for ever; all others are asked for again.
func cacheControl(name string) string {
	if strings.HasPrefix(name, "assets/") {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

func securityHeaders(policy Policy) map[string]string {
	custody := strings.Join(append([]string{""}, policy.CustodyOrigins...), " ")
	return map[string]string{
		"Content-Security-Policy": strings.Join([]string{
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			"img-src 'self' data:",
			"font-src 'self'",
			"manifest-src 'self'",
			"connect-src 'self'" + custody,
			"frame-src" + orNone(custody),
			"base-uri 'none'",
			"form-action 'self'",
			"frame-ancestors 'none'",
		}, "; "),
		"Cross-Origin-Opener-Policy": "same-origin",
		"Permissions-Policy":         "camera=(), geolocation=(), microphone=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
		"Referrer-Policy":            "no-referrer",
		"X-Content-Type-Options":     "nosniff",
	}
}

func orNone(sources string) string {
	if strings.TrimSpace(sources) == "" {
		return " 'none'"
	}
	return sources
}
