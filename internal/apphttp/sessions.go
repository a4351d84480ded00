package apphttp

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/internal/session"
)

// Session is who is signed in.
type Session struct {
	OrganizationID string `json:"organizationId"`
	UserID         string `json:"userId"`
	ExpiresAt      int64  `json:"expiresAt" doc:"Epoch milliseconds."`
	CSRFToken      string `json:"csrfToken" doc:"To be sent as X-CSRF-Token with every mutation."`
}

type createSessionInput struct {
	Body struct {
		Body  string `json:"body" maxLength:"4096" doc:"The whoami request exactly as it was stamped."`
		Stamp struct {
			HeaderName  string `json:"stampHeaderName" maxLength:"64"`
			HeaderValue string `json:"stampHeaderValue" maxLength:"16384"`
		} `json:"stamp"`
	}
}

type sessionAnswer struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
	Body      Session
}

type deleteSessionAnswer struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
}

func (a *API) registerSessions() {
	limit := a.limited(func(l Limits) Limiter { return l.Sessions })
	create := a.operation("createSession", http.MethodPost, "/sessions", "Sign in with a stamped whoami request", public, limit, noteToken)
	create.DefaultStatus = http.StatusCreated
	huma.Register(a.huma, create, a.createSession)

	huma.Register(a.huma, a.operation("getSession", http.MethodGet, "/session", "Who is signed in", signedIn),
		func(ctx context.Context, _ *struct{}) (*answer[Session], error) {
			return &answer[Session]{Body: sessionView(sessionOf(ctx), session.CSRFToken(tokenOf(ctx)))}, nil
		})

	remove := a.operation("deleteSession", http.MethodDelete, "/session", "Sign out", signedIn)
	remove.DefaultStatus = http.StatusNoContent
	huma.Register(a.huma, remove, a.deleteSession)
}

func (a *API) createSession(ctx context.Context, in *createSessionInput) (*sessionAnswer, error) {
	opened, err := a.Sessions.Open(ctx, session.Stamped{
		Body: in.Body.Body, HeaderName: in.Body.Stamp.HeaderName, HeaderValue: in.Body.Stamp.HeaderValue,
	})
	if err != nil {
		return nil, a.failed(ctx, "createSession", err)
	}
	// The browser forgets the session that this one replaces; so must the server,
	// since the credential behind it may have been ended with it.
	if replaced := tokenOf(ctx); replaced != "" && replaced != opened.Token {
		if err := a.Sessions.Close(ctx, replaced); err != nil {
			return nil, a.failed(ctx, "createSession", err)
		}
	}
	return &sessionAnswer{
		SetCookie: a.cookie(opened.Token, opened.ExpiresAt),
		Body:      sessionView(opened.Session, opened.CSRFToken),
	}, nil
}

func (a *API) deleteSession(ctx context.Context, _ *struct{}) (*deleteSessionAnswer, error) {
	if err := a.Sessions.Close(ctx, tokenOf(ctx)); err != nil {
		return nil, a.failed(ctx, "deleteSession", err)
	}
	return &deleteSessionAnswer{SetCookie: a.cookie("", time.Unix(1, 0))}, nil
}

func (a *API) cookie(value string, expires time.Time) http.Cookie {
	return http.Cookie{
		Name: CookieName, Value: value, Path: "/", Expires: expires,
		HttpOnly: true, Secure: a.SecureCookies, SameSite: http.SameSiteStrictMode,
	}
}

func sessionView(s session.Session, csrf string) Session {
	return Session{
		OrganizationID: s.OrganizationID, UserID: s.UserID,
		ExpiresAt: s.ExpiresAt.UnixMilli(), CSRFToken: csrf,
	}
}
