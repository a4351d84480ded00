// Package custodyhttp serves the custody provider over HTTP: the API under
// /public/v1, the frames under /auth/, and health.
//
// It owns paths, sizes, headers and error bodies. It must never decode a request
// or log a header, a body or an answer.
//
// Layer: edge of the custody domain.
package custodyhttp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"tenfold/catalog"
	"tenfold/internal/custody/frames"
	"tenfold/internal/custody/wire"
	"tenfold/internal/stamp"
)

// Provider answers requests; custody.Provider is the real one.
type Provider interface {
	Query(ctx context.Context, name string, header http.Header, body []byte) ([]byte, error)
	Submit(ctx context.Context, name string, header http.Header, body []byte) ([]byte, error)
	Ping(ctx context.Context) error
}

// Handler serves the provider to pages of the given origins and to programs.
func Handler(provider Provider, origins []string, logger *slog.Logger) http.Handler {
	s := &server{provider: provider, origins: origins, logger: logger}
	mux := http.NewServeMux()
	mux.Handle("/public/v1/query/{name}", s.cors(s.call(provider.Query)))
	mux.Handle("/public/v1/submit/{name}", s.cors(s.call(provider.Submit)))
	mux.HandleFunc("GET /health", s.health)
	mux.Handle(frames.Prefix, frames.Handler(origins))
	mux.Handle("/", s.cors(func(w http.ResponseWriter, r *http.Request) { s.refuse(w, r, wire.Missing("Not Found")) }))
	return collapseSlashes(mux)
}

type server struct {
	provider Provider
	origins  []string
	logger   *slog.Logger
}

// collapseSlashes serves //public/… as /public/…: clients join a base URL that
// ends in a slash with a path. The router would redirect, which loses the body.
func collapseSlashes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "//") {
			copied := *r
			location := *r.URL
			location.RawPath = ""
			for strings.Contains(location.Path, "//") {
				location.Path = strings.ReplaceAll(location.Path, "//", "/")
			}
			copied.URL = &location
			r = &copied
		}
		next.ServeHTTP(w, r)
	})
}

// allowedHeaders are what browser clients send besides the simple ones.
var allowedHeaders = strings.Join([]string{
	stamp.Header, stamp.WebAuthnHeader, "X-Stamp-Attested", "X-Client-Version", "X-Session", "Content-Type",
}, ", ")

// cors lets pages of the known origins call the API. It answers preflights; no
// cookie is ever involved.
func (s *server) cors(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Add("Vary", "Origin")
		if origin := r.Header.Get("Origin"); slices.Contains(s.origins, origin) {
			header.Set("Access-Control-Allow-Origin", origin)
			header.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
			header.Set("Access-Control-Allow-Headers", allowedHeaders)
			header.Set("Access-Control-Max-Age", "600")
		}
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next(w, r)
	}
}

// call reads the raw body, which is what stamps sign, whatever the content type.
func (s *server) call(do func(ctx context.Context, name string, header http.Header, body []byte) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST, OPTIONS")
			s.refuse(w, r, &wire.Error{Code: wire.Unimplemented, Message: "Method Not Allowed"})
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, catalog.CurrentLimits().Request.CustodyBodyBytes))
		if err != nil {
			var tooLarge *http.MaxBytesError
			if errors.As(err, &tooLarge) {
				s.refuse(w, r, wire.Invalid("bad request body: too large").Because(err))
				return
			}
			s.refuse(w, r, wire.Invalid("bad request body").Because(err))
			return
		}
		answer, err := do(r.Context(), r.PathValue("name"), r.Header, body)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		s.write(w, http.StatusOK, answer)
	}
}

// refuse writes the provider's error body. A failure nobody classified is
// "internal" to the caller; its cause goes to the log alone.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var refusal *wire.Error
	if !errors.As(err, &refusal) {
		refusal = &wire.Error{Code: wire.Internal, Message: "internal server error", Name: "INTERNAL"}
		s.logger.ErrorContext(r.Context(), "request failed", slog.String("path", r.URL.Path), slog.Any("error", err))
	} else {
		s.logger.DebugContext(r.Context(), "request refused", slog.String("path", r.URL.Path), slog.Int("code", int(refusal.Code)))
	}
	body, encodeErr := wire.Encode(refusal.Body())
	if encodeErr != nil {
		s.logger.ErrorContext(r.Context(), "error body failed", slog.Any("error", encodeErr))
	}
	s.write(w, refusal.HTTPStatus(), body)
}

func (s *server) write(w http.ResponseWriter, status int, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client has gone away, or has the answer
}

// health answers 200 when the store does.
func (s *server) health(w http.ResponseWriter, r *http.Request) {
	if err := s.provider.Ping(r.Context()); err != nil {
		s.logger.ErrorContext(r.Context(), "health check failed", slog.Any("error", err))
		s.write(w, http.StatusServiceUnavailable, []byte(`{"status":"unavailable"}`))
		return
	}
	s.write(w, http.StatusOK, []byte(`{"status":"ok"}`))
}
