package apphttp

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/catalog"
	"tenfold/internal/fault"
	"tenfold/internal/session"
)

// CookieName is the session cookie.
const CookieName = "tenfold_session"

const (
	csrfHeader        = "X-CSRF-Token"
	idempotencyHeader = "Idempotency-Key"
	maxKeyLength      = 128
)

type contextKey string

const (
	sessionKey contextKey = "session"
	tokenKey   contextKey = "token"
)

func securitySchemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		"session": {Type: "apiKey", In: "cookie", Name: CookieName, Description: "Set by createSession."},
		"csrf":    {Type: "apiKey", In: "header", Name: csrfHeader, Description: "csrfToken of the session, for every mutation."},
	}
}

// access says who may call an operation.
type access int

const (
	public   access = iota // anybody
	signedIn               // a session; for a mutation also its CSRF token
)

// operation describes an endpoint. Middlewares run in the order: rate, session,
// CSRF token, idempotency key; huma reads the body only after them.
func (a *API) operation(id, method, path, summary string, who access, extra ...func(huma.Context, func(huma.Context))) huma.Operation {
	op := huma.Operation{
		OperationID: id, Method: method, Path: Prefix + path, Summary: summary,
		MaxBodyBytes: catalog.CurrentLimits().Request.AppBodyBytes,
		Middlewares:  huma.Middlewares{noStore},
	}
	if who == signedIn {
		op.Security = []map[string][]string{{"session": {}}}
		op.Middlewares = append(op.Middlewares, a.requireSession)
		if method != http.MethodGet {
			op.Security[0]["csrf"] = []string{}
			op.Middlewares = append(op.Middlewares, a.requireCSRF)
		}
	}
	op.Middlewares = append(op.Middlewares, extra...)
	op.Responses = map[string]*huma.Response{"default": a.problemResponse()}
	return op
}

func (a *API) problemResponse() *huma.Response {
	schema := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")
	return &huma.Response{
		Description: "A problem document (RFC 9457).",
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: schema}},
	}
}

func noStore(ctx huma.Context, next func(huma.Context)) {
	ctx.SetHeader("Cache-Control", "no-store")
	next(ctx)
}

// requireSession finds the session of the cookie and puts it into the context.
func (a *API) requireSession(ctx huma.Context, next func(huma.Context)) {
	token, err := huma.ReadCookie(ctx, CookieName)
	if err != nil {
		a.refuse(ctx, errNoSession)
		return
	}
	s, err := a.Sessions.Authenticate(ctx.Context(), token.Value)
	if err != nil {
		a.refuse(ctx, err)
		return
	}
	ctx = huma.WithValue(ctx, sessionKey, s)
	next(huma.WithValue(ctx, tokenKey, token.Value))
}

// noteToken puts the cookie's token into the context, whatever it is worth.
func noteToken(ctx huma.Context, next func(huma.Context)) {
	if token, err := huma.ReadCookie(ctx, CookieName); err == nil {
		ctx = huma.WithValue(ctx, tokenKey, token.Value)
	}
	next(ctx)
}

var errNoSession = fault.New(fault.SessionExpired, session.ExpiredMessage)

func (a *API) requireCSRF(ctx huma.Context, next func(huma.Context)) {
	if !session.SameCSRFToken(tokenOf(ctx.Context()), ctx.Header(csrfHeader)) {
		a.refuse(ctx, fault.New(codeCSRF, "This page is out of date. Please reload it."))
		return
	}
	next(ctx)
}

func (a *API) requireIdempotencyKey(ctx huma.Context, next func(huma.Context)) {
	key := ctx.Header(idempotencyHeader)
	switch {
	case key == "":
		a.refuse(ctx, fault.New(fault.KeyRequired, "The request needs an Idempotency-Key header."))
	case len(key) > maxKeyLength:
		a.refuse(ctx, fault.New(fault.InvalidRequest, "The Idempotency-Key is too long."))
	default:
		next(ctx)
	}
}

// limited lets a client pass only as often as the limiter says. Clients without
// a session are told apart by network address.
func (a *API) limited(pick func(Limits) Limiter) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		limiter := pick(a.Limits)
		if limiter != nil && !limiter.Allow(clientKey(ctx)) {
			a.refuse(ctx, fault.New(fault.RateLimited, "Too many requests. Please wait and try again in a few seconds."))
			return
		}
		next(ctx)
	}
}

func clientKey(ctx huma.Context) string {
	if s, ok := ctx.Context().Value(sessionKey).(session.Session); ok {
		return "organization " + s.OrganizationID
	}
	host, _, err := net.SplitHostPort(ctx.RemoteAddr())
	if err != nil {
		return "address " + ctx.RemoteAddr()
	}
	return "address " + networkPrefix(host)
}

// networkPrefix is what a single client can't change at will: the address, or
// for IPv6 its /64.
func networkPrefix(host string) string {
	ip := net.ParseIP(host)
	if ip == nil || ip.To4() != nil {
		return host
	}
	return ip.Mask(net.CIDRMask(64, 128)).String()
}

// refuse answers from a middleware.
func (a *API) refuse(ctx huma.Context, err error) {
	p := a.failed(ctx.Context(), ctx.Operation().OperationID, err)
	ctx.SetHeader("Content-Type", p.ContentType(""))
	ctx.SetStatus(p.Status)
	_ = json.NewEncoder(ctx.BodyWriter()).Encode(p)
}

func sessionOf(ctx context.Context) session.Session {
	s, _ := ctx.Value(sessionKey).(session.Session)
	return s
}

func tokenOf(ctx context.Context) string {
	t, _ := ctx.Value(tokenKey).(string)
	return t
}
