package session_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"tenfold/internal/appdb"
	"tenfold/internal/custodyclient/custodytest"
	"tenfold/internal/fault"
	"tenfold/internal/session"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

// bench is the service on the real custody and a real database; all share one
// clock.
type bench struct {
	custody *custodytest.Custody
	service *session.Service

	mu    sync.Mutex
	ended []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	store, err := appdb.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bench{custody: custodytest.Start(t)}
	b.service = session.New(b.custody.Client, store, b.custody.Now, func(key string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.ended = append(b.ended, key)
	})
	return b
}

func whoami(organizationID string) string {
	return fmt.Sprintf(`{"organizationId":%q}`, organizationID)
}

func byKey(t *testing.T, signer *stamp.Signer, body string) session.Stamped {
	t.Helper()
	header, err := signer.Stamp([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return session.Stamped{Body: body, HeaderName: stamp.Header, HeaderValue: header}
}

func wantCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("the error is %v, want %s", err, code)
	}
}

func TestSignInWithASessionKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	for name, organization := range map[string]string{
		"his own organization": p.OrganizationID, "the parent, as the provider's clients do": b.custody.Client.OrganizationID(),
	} {
		t.Run(name, func(t *testing.T) {
			opened, err := b.service.Open(t.Context(), byKey(t, p.Signer, whoami(organization)))
			if err != nil {
				t.Fatal(err)
			}
			if opened.OrganizationID != p.OrganizationID || opened.UserID != p.UserID {
				t.Errorf("signed in as %+v", opened.Session)
			}
			found, err := b.service.Authenticate(t.Context(), opened.Token)
			if err != nil || found.OrganizationID != p.OrganizationID {
				t.Errorf("authenticated as %+v, %v", found, err)
			}
			if !session.SameCSRFToken(opened.Token, opened.CSRFToken) || session.SameCSRFToken(opened.Token, "") {
				t.Error("the CSRF token does not belong to the session")
			}
		})
	}
}

// TestSessionEndsWithTheCredential checks the rule that the app's session never
// outlives what custody would accept.
func TestSessionEndsWithTheCredential(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	b.custody.Pass(200 * time.Second)
	opened, err := b.service.Open(t.Context(), byKey(t, p.Signer, whoami(p.OrganizationID)))
	if err != nil {
		t.Fatal(err)
	}
	if left := opened.ExpiresAt.Sub(b.custody.Now()); left > 100*time.Second || left < 95*time.Second {
		t.Errorf("the session lives for %s, the key for 100 s", left)
	}
	b.custody.Pass(99 * time.Second)
	if _, err := b.service.Authenticate(t.Context(), opened.Token); err != nil {
		t.Errorf("a second before its end: %v", err)
	}
	b.custody.Pass(2 * time.Second)
	_, err = b.service.Authenticate(t.Context(), opened.Token)
	wantCode(t, err, fault.SessionExpired)
	_, err = b.service.Open(t.Context(), byKey(t, p.Signer, whoami(p.OrganizationID)))
	wantCode(t, err, fault.SessionExpired)
}

func TestSignInWithAPasskey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	p.Passkey.SignCount++
	body := whoami(p.OrganizationID)
	opened, err := b.service.Open(t.Context(), session.Stamped{
		Body: body, HeaderName: stamp.WebAuthnHeader, HeaderValue: p.Passkey.Stamp(t, []byte(body)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if left := opened.ExpiresAt.Sub(b.custody.Now()); left != 900*time.Second {
		t.Errorf("the session lives for %s", left)
	}
}

func TestSignInRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	good := whoami(p.OrganizationID)
	with := func(change func(*session.Stamped)) session.Stamped {
		s := byKey(t, p.Signer, good)
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		stamped session.Stamped
		code    fault.Code
	}{
		"altered body":         {with(func(s *session.Stamped) { s.Body += " " }), fault.SessionExpired},
		"somebody else's key":  {byKey(t, stamptest.NewSigner(t), good), fault.SessionExpired},
		"no stamp":             {with(func(s *session.Stamped) { s.HeaderValue = "" }), fault.InvalidRequest},
		"another header":       {with(func(s *session.Stamped) { s.HeaderName = "Authorization" }), fault.InvalidRequest},
		"a session token":      {with(func(s *session.Stamped) { s.HeaderName = "X-Session" }), fault.InvalidRequest},
		"header injection":     {with(func(s *session.Stamped) { s.HeaderValue += "\r\nX-Stamp: y" }), fault.InvalidRequest},
		"no organization":      {byKey(t, p.Signer, `{}`), fault.InvalidRequest},
		"another query's body": {byKey(t, p.Signer, `{"organizationId":"`+p.OrganizationID+`","userId":"x"}`), fault.InvalidRequest},
		"a write":              {byKey(t, p.Signer, `{"organizationId":"x","type":"ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION"}`), fault.InvalidRequest},
		"field twice":          {byKey(t, p.Signer, `{"organizationId":"x","organizationId":"`+p.OrganizationID+`"}`), fault.InvalidRequest},
		"a list":               {byKey(t, p.Signer, `[]`), fault.InvalidRequest},
		"unknown organization": {byKey(t, p.Signer, whoami("00000000-0000-7000-8000-000000000000")), fault.SessionExpired},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.service.Open(t.Context(), c.stamped)
			wantCode(t, err, c.code)
		})
	}
}

func TestTwoPeopleDoNotMeet(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, second := b.custody.SignUp(t, "300"), b.custody.SignUp(t, "300")
	_, err := b.service.Open(t.Context(), byKey(t, first.Signer, whoami(second.OrganizationID)))
	wantCode(t, err, fault.SessionExpired)
}

func TestSignOut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	opened, err := b.service.Open(t.Context(), byKey(t, p.Signer, whoami(p.OrganizationID)))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.service.Close(t.Context(), opened.Token); err != nil {
		t.Fatal(err)
	}
	_, err = b.service.Authenticate(t.Context(), opened.Token)
	wantCode(t, err, fault.SessionExpired)
	if len(b.ended) != 1 || b.ended[0] != session.Key(opened.Token) {
		t.Errorf("ended: %v", b.ended)
	}
}

func TestCustodyDown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	opened, err := b.service.Open(t.Context(), byKey(t, p.Signer, whoami(p.OrganizationID)))
	if err != nil {
		t.Fatal(err)
	}
	b.custody.Stop()
	_, err = b.service.Open(t.Context(), byKey(t, p.Signer, whoami(p.OrganizationID)))
	wantCode(t, err, fault.CustodyUnavailable)
	if _, err := b.service.Authenticate(t.Context(), opened.Token); err != nil {
		t.Errorf("a running session ended with custody: %v", err)
	}
}

func TestMadeUpTokens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, token := range []string{"", "x", session.Key("x"), session.Key("x") + "0"} {
		_, err := b.service.Authenticate(t.Context(), token)
		wantCode(t, err, fault.SessionExpired)
	}
}

func whoamiAt(organizationID string, at time.Time) string {
	return fmt.Sprintf(`{"organizationId":%q,"timestampMs":"%d"}`, organizationID, at.UnixMilli())
}

// What somebody catches on its way must be worth nothing, also after the person
// has signed out, and also with the stamp's other form of the same signature.
func TestATimedRequestOpensOneSession(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	request := byKey(t, p.Signer, whoamiAt(p.OrganizationID, b.custody.Now()))
	opened, err := b.service.Open(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.service.Open(t.Context(), request)
	wantCode(t, err, fault.SessionExpired)
	if err := b.service.Close(t.Context(), opened.Token); err != nil {
		t.Fatal(err)
	}
	_, err = b.service.Open(t.Context(), byKey(t, p.Signer, request.Body))
	wantCode(t, err, fault.SessionExpired)
	later := whoamiAt(p.OrganizationID, b.custody.Now().Add(time.Millisecond))
	if _, err := b.service.Open(t.Context(), byKey(t, p.Signer, later)); err != nil {
		t.Errorf("a new request: %v", err)
	}
}

func TestATimedRequestIsOfThePresent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.custody.SignUp(t, "300")
	for name, body := range map[string]string{
		"past":         whoamiAt(p.OrganizationID, b.custody.Now().Add(-301*time.Second)),
		"future":       whoamiAt(p.OrganizationID, b.custody.Now().Add(301*time.Second)),
		"not a number": fmt.Sprintf(`{"organizationId":%q,"timestampMs":"soon"}`, p.OrganizationID),
		"a number":     fmt.Sprintf(`{"organizationId":%q,"timestampMs":1}`, p.OrganizationID),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.service.Open(t.Context(), byKey(t, p.Signer, body))
			wantCode(t, err, fault.InvalidRequest)
		})
	}
}
