// Package session owns who is signed in to the app server: it proves a person
// by forwarding the request that he stamped to custody, and opens a short
// session of its own that never outlives the custody credential. It stores the
// sub-organization's and the user's id and a hash of the session token, nothing
// more about the person.
//
// It must never store or log a token or a stamp, and never alter the stamped
// bytes.
//
// Layer: domain.
package session

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// ExpiredMessage is what a person sees when he is not signed in any more
// (specification, section 8, session errors).
const ExpiredMessage = "Please log out and log back in."

// Session is one signed-in person.
type Session struct {
	OrganizationID string // the person's sub-organization
	UserID         string
	ExpiresAt      time.Time
}

// Opened is a new session with its secrets, which exist only here and in the
// answer to the person.
type Opened struct {
	Session
	Token     string // the cookie's value: 32 random bytes, hex
	CSRFToken string
}

// Stamped is a custody request as the browser signed it. Body is sent on byte
// for byte.
type Stamped struct {
	Body        string
	HeaderName  string // X-Stamp or X-Stamp-Webauthn
	HeaderValue string
}

// Request is a stamped request as far as it must be remembered: so that one that
// carried a time opens one session and no more. Hash is the SHA-256 of the body
// in hex, empty when the body carried no time.
type Request struct {
	Hash     string
	ForgetAt time.Time // from then on its time refuses it
}

// ErrUsed says that a request has opened a session already.
var ErrUsed = errors.New("the sign-in request has been used")

// Store keeps sessions by the hash of their token.
type Store interface {
	// InsertSession adds a session and notes the request that opened it, or gives
	// ErrUsed when that request has opened one before.
	InsertSession(ctx context.Context, tokenHash string, s Session, r Request, createdAt time.Time) error
	// SessionByTokenHash finds a session; ok is false when there is none.
	SessionByTokenHash(ctx context.Context, tokenHash string) (s Session, ok bool, err error)
	// DeleteSession removes a session; removing a missing one is no error.
	DeleteSession(ctx context.Context, tokenHash string) error
	// DeleteExpiredSessions removes the sessions and the noted requests that expired
	// before the moment.
	DeleteExpiredSessions(ctx context.Context, before time.Time) error
}

// CSRFToken derives the token that a page must echo in a header from the
// session token. A page of another origin can make the browser send the cookie,
// but can't read it, and so can't compute this.
func CSRFToken(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("tenfold csrf v1"))
	return hex.EncodeToString(mac.Sum(nil))
}

// SameCSRFToken compares in constant time what a page sent with what the
// session token asks for.
func SameCSRFToken(token, sent string) bool {
	return hmac.Equal([]byte(CSRFToken(token)), []byte(sent))
}

// Key names a session without revealing its token: the token's SHA-256 in hex.
func Key(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
