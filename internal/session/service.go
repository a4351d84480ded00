package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tenfold/catalog"
	"tenfold/internal/custodyclient"
	"tenfold/internal/fault"
	"tenfold/internal/stamp"
	"tenfold/internal/strictjson"
)

const tokenBytes = 32

// Custody is what the service asks of the provider.
type Custody interface {
	OrganizationID() string
	ForwardWhoami(ctx context.Context, body []byte, headerName, headerValue string) (custodyclient.Identity, error)
	GetUser(ctx context.Context, organizationID, userID string) (custodyclient.User, error)
}

// Service opens, finds and closes sessions.
type Service struct {
	custody Custody
	store   Store
	now     func() time.Time
	// lifetime bounds every session and is the whole life of one that a passkey
	// opened.
	lifetime time.Duration
	ended    func(key string)
}

// New makes the service. now is the clock; ended is told the key of each session
// that a person closes, so that what lives on it can end at once.
func New(custody Custody, store Store, now func() time.Time, ended func(key string)) *Service {
	return &Service{
		custody: custody, store: store, now: now, ended: ended,
		lifetime: time.Duration(catalog.CurrentLimits().Session.ReadWriteSeconds) * time.Second,
	}
}

// Open proves who stamped the request and opens a session for him. Faults:
// invalid_request when it is not a whoami request of this organization,
// session_expired when custody does not accept the stamp, custody_unavailable.
func (s *Service) Open(ctx context.Context, stamped Stamped) (Opened, error) {
	request, err := s.checkRequest(stamped)
	if err != nil {
		return Opened{}, fault.Wrap(fault.InvalidRequest, "The sign-in request is not valid.", err)
	}
	who, err := s.custody.ForwardWhoami(ctx, []byte(stamped.Body), stamped.HeaderName, stamped.HeaderValue)
	if err != nil {
		return Opened{}, refused(err)
	}
	if who.OrganizationID == s.custody.OrganizationID() || who.OrganizationID == "" || who.UserID == "" {
		return Opened{}, fault.New(fault.SessionExpired, ExpiredMessage)
	}
	now := s.now()
	expires, err := s.credentialEnd(ctx, who, stamped, now)
	if err != nil {
		return Opened{}, err
	}
	if !expires.After(now) {
		return Opened{}, fault.New(fault.SessionExpired, ExpiredMessage)
	}
	return s.insert(ctx, Session{OrganizationID: who.OrganizationID, UserID: who.UserID, ExpiresAt: expires}, request, now)
}

func (s *Service) insert(ctx context.Context, session Session, request Request, now time.Time) (Opened, error) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the process instead
	token := hex.EncodeToString(raw)
	if err := s.store.DeleteExpiredSessions(ctx, now); err != nil {
		return Opened{}, fmt.Errorf("session: clear expired: %w", err)
	}
	err := s.store.InsertSession(ctx, Key(token), session, request, now)
	if errors.Is(err, ErrUsed) {
		return Opened{}, fault.Wrap(fault.SessionExpired, ExpiredMessage, err)
	}
	if err != nil {
		return Opened{}, fmt.Errorf("session: store: %w", err)
	}
	return Opened{Session: session, Token: token, CSRFToken: CSRFToken(token)}, nil
}

// checkRequest lets only a whoami request through: an object that names an
// organization and, at will, the time of the stamp. Which organization, custody
// decides; that the person belongs to ours is checked on its answer and by
// reading him as parent.
func (s *Service) checkRequest(stamped Stamped) (Request, error) {
	if !strings.EqualFold(stamped.HeaderName, stamp.Header) && !strings.EqualFold(stamped.HeaderName, stamp.WebAuthnHeader) {
		return Request{}, fmt.Errorf("unknown stamp header %q", stamped.HeaderName)
	}
	if stamped.HeaderValue == "" || strings.ContainsAny(stamped.HeaderValue, "\r\n") {
		return Request{}, errors.New("the stamp is missing or malformed")
	}
	if err := strictjson.Check([]byte(stamped.Body)); err != nil {
		return Request{}, err
	}
	decoder := json.NewDecoder(strings.NewReader(stamped.Body))
	decoder.DisallowUnknownFields()
	var whoami struct {
		OrganizationID string `json:"organizationId"`
		TimestampMs    string `json:"timestampMs"`
	}
	if err := decoder.Decode(&whoami); err != nil {
		return Request{}, err
	}
	if whoami.OrganizationID == "" {
		return Request{}, errors.New("the request names no organization")
	}
	if whoami.TimestampMs == "" {
		return Request{}, nil
	}
	return s.checkTime(stamped.Body, whoami.TimestampMs)
}

// checkTime bounds how long a request with a time can be used. The page always
// stamps one, so a request that somebody catches on its way is worth nothing;
// the provider's own clients stamp none.
func (s *Service) checkTime(body, timestampMs string) (Request, error) {
	ms, err := strconv.ParseInt(timestampMs, 10, 64)
	if err != nil {
		return Request{}, fmt.Errorf("the request's time: %w", err)
	}
	window := time.Duration(catalog.CurrentLimits().Session.StampWindowMs) * time.Millisecond
	at := time.UnixMilli(ms)
	if s.now().Sub(at).Abs() > window {
		return Request{}, errors.New("the request's time is not the present")
	}
	sum := sha256.Sum256([]byte(body))
	return Request{Hash: hex.EncodeToString(sum[:]), ForgetAt: at.Add(window)}, nil
}

// credentialEnd is when the credential that stamped ends, read as the parent:
// that read also proves that the organization is one of ours. A passkey does
// not end, so its session lasts the catalog's time.
func (s *Service) credentialEnd(ctx context.Context, who custodyclient.Identity, stamped Stamped, now time.Time) (time.Time, error) {
	user, err := s.custody.GetUser(ctx, who.OrganizationID, who.UserID)
	if err != nil {
		return time.Time{}, refused(err)
	}
	end := now.Add(s.lifetime)
	if strings.EqualFold(stamped.HeaderName, stamp.WebAuthnHeader) {
		return end, nil
	}
	key, err := stamp.ParseAPIKey(stamped.HeaderValue)
	if err != nil {
		return time.Time{}, fault.Wrap(fault.InvalidRequest, "The sign-in request is not valid.", err)
	}
	for _, known := range user.APIKeys {
		if !strings.EqualFold(known.Credential.PublicKey, key.PublicKey) {
			continue
		}
		at, expires, err := known.ExpiresAt()
		if err != nil {
			return time.Time{}, fault.Wrap(fault.CustodyUnavailable, custodyclient.UnavailableMessage, err)
		}
		if expires && at.Before(end) {
			end = at
		}
		return end, nil
	}
	// Custody accepted the stamp a moment ago: the key has just been deleted.
	return time.Time{}, fault.New(fault.SessionExpired, ExpiredMessage)
}

// Authenticate finds the live session of a token; otherwise session_expired.
func (s *Service) Authenticate(ctx context.Context, token string) (Session, error) {
	if len(token) != 2*tokenBytes {
		return Session{}, fault.New(fault.SessionExpired, ExpiredMessage)
	}
	found, ok, err := s.store.SessionByTokenHash(ctx, Key(token))
	if err != nil {
		return Session{}, fmt.Errorf("session: find: %w", err)
	}
	if !ok || !s.now().Before(found.ExpiresAt) {
		return Session{}, fault.New(fault.SessionExpired, ExpiredMessage)
	}
	return found, nil
}

// Close ends the session of a token.
func (s *Service) Close(ctx context.Context, token string) error {
	if err := s.store.DeleteSession(ctx, Key(token)); err != nil {
		return fmt.Errorf("session: delete: %w", err)
	}
	s.ended(Key(token))
	return nil
}

// refused turns custody's "not this one" into session_expired; what custody
// says in detail stays in the log, so that nobody learns who exists.
func refused(err error) error {
	var refusal *custodyclient.Refusal
	if errors.As(err, &refusal) {
		return fault.Wrap(fault.SessionExpired, ExpiredMessage, err)
	}
	return err
}
