// Package frames owns the static pages that the custody provider shows inside
// other origins' pages: today the auth frame, which holds a session's
// credential in the browser and stamps requests with it. The code that runs in
// the frame is in auth/; this package only serves it, with the headers that
// decide who may embed it.
//
// It must never see a credential, a stamp or a request of the custody API, and
// must never serve third-party code. Layer: edge of the custody domain,
// standard library only.
package frames

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"strings"
	"time"
)

// Prefix is the path under which Handler answers. Mount the handler there
// without stripping it.
const Prefix = "/auth/"

//go:embed auth/*.html auth/*.mjs
var files embed.FS

// document is the frame's page. Its only variable part is the list of origins
// that may open a channel to the frame.
var document = template.Must(template.ParseFS(files, "auth/index.html"))

// Handler serves the auth frame under Prefix. appOrigins are the origins
// (scheme://host[:port], no trailing slash) whose pages may embed the frame
// and talk to it; with none, nobody may. Anything but GET and HEAD gets 405,
// an unknown path 404.
func Handler(appOrigins []string) http.Handler {
	page := renderDocument(appOrigins)
	policy := contentSecurityPolicy(appOrigins)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header(), policy)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		if name == "" {
			serve(w, r, "text/html; charset=utf-8", page)
			return
		}
		module, err := files.ReadFile(path.Join("auth", name))
		if err != nil || path.Ext(name) != ".mjs" || strings.Contains(name, "/") {
			http.NotFound(w, r)
			return
		}
		serve(w, r, "text/javascript; charset=utf-8", module)
	})
}

// serve writes content with its type. The zero time keeps Last-Modified out:
// embedded files have none.
func serve(w http.ResponseWriter, r *http.Request, contentType string, content []byte) {
	w.Header().Set("Content-Type", contentType)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func renderDocument(appOrigins []string) []byte {
	var page bytes.Buffer
	// The template is compiled in and its data is a list of strings, so a
	// failure is a fault of this package, found by its tests.
	if err := document.Execute(&page, strings.Join(appOrigins, " ")); err != nil {
		panic(fmt.Sprintf("frames: render the auth frame: %v", err))
	}
	return page.Bytes()
}

// contentSecurityPolicy lets the frame run its own modules and nothing else:
// it loads no style, image or font, opens no connection, submits no form. The
// frame-ancestors list keeps every other origin from embedding it.
func contentSecurityPolicy(appOrigins []string) string {
	ancestors := "'none'"
	if len(appOrigins) > 0 {
		ancestors = strings.Join(appOrigins, " ")
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"connect-src 'none'",
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"frame-ancestors " + ancestors,
	}, "; ")
}

func setHeaders(header http.Header, policy string) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	// A frame of last week's code must not stamp today's requests.
	header.Set("Cache-Control", "no-cache")
	// The frame shares its site with the app (localhost, or two subdomains);
	// these two keep it out of the app page's process and opener group.
	header.Set("Origin-Agent-Cluster", "?1")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), "+
		"publickey-credentials-get=(), publickey-credentials-create=()")
}
