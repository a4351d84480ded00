package custodyhttp_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"tenfold/internal/custody/custodytest"
	"tenfold/internal/stamp"
)

func send(t *testing.T, rig *custodytest.Rig, method, path string, headers ...string) custodytest.Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, rig.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return rig.Do(t, request)
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	path := custodytest.SubmitPath("create_wallet")
	preflight := func(origin string) custodytest.Answer {
		return send(t, rig, http.MethodOptions, path, "Origin", origin,
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x-stamp,x-client-version")
	}
	known := preflight(custodytest.Origin)
	if known.Status != http.StatusNoContent || known.Header.Get("Access-Control-Allow-Origin") != custodytest.Origin ||
		known.Header.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" || !strings.Contains(known.Header.Get("Vary"), "Origin") {
		t.Errorf("known origin: %d %v", known.Status, known.Header)
	}
	for _, name := range []string{"X-Stamp", "X-Stamp-Webauthn", "X-Stamp-Attested", "X-Client-Version", "X-Session", "Content-Type"} {
		if !strings.Contains(known.Header.Get("Access-Control-Allow-Headers"), name) {
			t.Errorf("header %s is not allowed", name)
		}
	}
	for _, origin := range []string{"http://evil.example", "http://localhost:8080.evil.example", "null"} {
		if got := preflight(origin).Header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s is allowed as %s", origin, got)
		}
	}
	// An error has to be readable by the page too.
	refused := rig.Post(t, custodytest.QueryPath("whoami"), []byte("{}"), "Origin", custodytest.Origin)
	if refused.Status != http.StatusUnauthorized || refused.Header.Get("Access-Control-Allow-Origin") != custodytest.Origin {
		t.Errorf("error answer: %d %v", refused.Status, refused.Header)
	}
}

func TestRouting(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := custodytest.QueryBody(t, person.OrganizationID)
	for _, path := range []string{"//public/v1/query/whoami", "/public//v1///query/whoami", custodytest.QueryPath("whoami")} {
		if answer := rig.Stamped(t, person.Key, path, body); answer.TextAt("userId") != person.UserID {
			t.Errorf("%s: %d %s", path, answer.Status, answer.Text)
		}
	}
	if answer := send(t, rig, http.MethodGet, "/health"); answer.Status != http.StatusOK {
		t.Errorf("health: %d", answer.Status)
	}
	if answer := send(t, rig, http.MethodGet, custodytest.QueryPath("whoami")); answer.Code() != 12 || answer.Header.Get("Allow") == "" {
		t.Errorf("GET: %d %s", answer.Status, answer.Text)
	}
	for _, path := range []string{"/", "/public/v1/query/", "/public/v1/query/none", "/public/v1/submit/whoami", "/public/v1/query/create_wallet", "/public/v2/query/whoami"} {
		if answer := rig.Stamped(t, person.Key, path, body); answer.Status != http.StatusNotFound || answer.Code() != 5 {
			t.Errorf("%s: %d %s", path, answer.Status, answer.Text)
		}
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := custodytest.QueryBody(t, person.OrganizationID)
	value, err := person.Key.Stamp(body)
	if err != nil {
		t.Fatal(err)
	}
	for _, contentType := range []string{"", "text/plain;charset=UTF-8", "application/json", "image/png"} {
		answer := rig.Post(t, custodytest.QueryPath("whoami"), body, stamp.Header, value, "Content-Type", contentType)
		if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != "application/json" || answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("content type %q: %d %v", contentType, answer.Status, answer.Header)
		}
	}
	large := rig.Stamped(t, person.Key, custodytest.QueryPath("whoami"), bytes.Repeat([]byte(" "), 1<<20+1))
	if large.Status != http.StatusBadRequest || large.Code() != 3 {
		t.Errorf("too large: %d %s", large.Status, large.Text)
	}
	// A compressed body is bytes like any other: it is not unpacked.
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	value, err = person.Key.Stamp(packed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	answer := rig.Post(t, custodytest.QueryPath("whoami"), packed.Bytes(), stamp.Header, value, "Content-Encoding", "gzip")
	if answer.Status != http.StatusBadRequest || answer.Code() != 3 {
		t.Errorf("compressed: %d %s", answer.Status, answer.Text)
	}
}
