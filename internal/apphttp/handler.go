package apphttp

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"tenfold/internal/fault"
)

// Site is everything that the app server answers on its one address.
type Site struct {
	API *API
	// Live is the WebSocket endpoint at /ws.
	Live http.Handler
	// Page answers every path that is not the API's.
	Page http.Handler
	// Origins are the pages that may change anything, such as http://localhost:8080.
	Origins []string
}

// Handler puts the parts together with the rules that hold for all of them:
// requests that other sites make a browser send change nothing, a panic is a
// problem document, and nothing is sniffed or cached that should not be.
func (s Site) Handler() (http.Handler, error) {
	protection := http.NewCrossOriginProtection()
	for _, origin := range s.Origins {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeProblem(w, fault.New(codeForbiddenOrigin, "This page may not do that."))
	}))
	mux := http.NewServeMux()
	mux.Handle("/api/", s.API.routes())
	mux.Handle("/ws", s.Live)
	mux.Handle("/", s.Page)
	return headers(protection.Handler(s.API.recovered(mux))), nil
}

// routes answers unknown API paths and wrong methods as problem documents.
func (a *API) routes() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := a.mux.Handler(r); pattern != "" {
			a.mux.ServeHTTP(w, r)
			return
		}
		writeProblem(w, fault.New(codeNotFound, "There is nothing here."))
	})
}

// recovered turns a panic into an internal problem and a log entry.
func (a *API) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			a.log.ErrorContext(r.Context(), "panic", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			writeProblem(w, fault.New(fault.Internal, fault.DefaultMessage))
		}()
		next.ServeHTTP(w, r)
	})
}

func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if strings.HasPrefix(r.URL.Path, "/api/") {
			h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		}
		next.ServeHTTP(w, r)
	})
}

// WriteProblem answers a failure outside the API in the API's form.
func WriteProblem(w http.ResponseWriter, err error) { writeProblem(w, err) }
