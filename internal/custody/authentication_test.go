package custody_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tenfold/internal/custody/custodytest"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

const unknownID = "00000000-0000-7000-8000-000000000000"

// refused asserts an error answer and returns its message.
func refused(t *testing.T, answer custodytest.Answer, status, code int, message string) {
	t.Helper()
	if answer.Status != status || answer.Code() != code || !strings.Contains(answer.Message(), message) {
		t.Errorf("want %d, code %d, %q; got %d %s", status, code, message, answer.Status, answer.Text)
	}
	if details, isList := answer.At("details").([]any); !isList || len(details) != 0 {
		t.Errorf("details must be an empty list: %s", answer.Text)
	}
}

func accepted(t *testing.T, answer custodytest.Answer) {
	t.Helper()
	if answer.Status != http.StatusOK {
		t.Fatalf("refused: %d %s", answer.Status, answer.Text)
	}
}

func TestProofs(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := custodytest.QueryBody(t, person.OrganizationID)
	good, err := person.Key.Stamp(body)
	if err != nil {
		t.Fatal(err)
	}
	passkey := stamptest.NewPasskey(t, custodytest.RPID, custodytest.Origin)
	const noStamp = "cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)"
	tests := map[string]struct {
		headers []string
		message string
	}{
		"fail/none":                  {nil, noStamp},
		"fail/empty":                 {[]string{stamp.Header, ""}, noStamp},
		"fail/garbage":               {[]string{stamp.Header, "e30"}, "could not extract api key stamp"},
		"fail/webauthn garbage":      {[]string{stamp.WebAuthnHeader, "{}"}, "could not extract webauthn stamp"},
		"fail/two stamps":            {[]string{stamp.Header, good, stamp.WebAuthnHeader, passkey.Stamp(t, body)}, "malformed activity stamp"},
		"fail/two of a kind":         {[]string{stamp.Header, good, stamp.Header, good}, "malformed activity stamp"},
		"fail/stamp and session":     {[]string{stamp.Header, good, "X-Session", "token"}, "malformed activity stamp"},
		"fail/stamp and empty other": {[]string{stamp.Header, good, stamp.WebAuthnHeader, ""}, "malformed activity stamp"},
		"fail/attested":              {[]string{"X-Stamp-Attested", "{}"}, "malformed activity stamp"},
		"fail/unknown session":       {[]string{"X-Session", "token"}, "no valid authentication signature found for request"},
		"fail/unknown passkey":       {[]string{stamp.WebAuthnHeader, passkey.Stamp(t, body)}, "credential ID could not be found in organization or its parent organization"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused(t, rig.Post(t, custodytest.QueryPath("whoami"), body, test.headers...), http.StatusUnauthorized, 16, test.message)
		})
	}
	t.Run("fail/other body", func(t *testing.T) {
		t.Parallel()
		answer := rig.Post(t, custodytest.QueryPath("whoami"), append(body, '\n'), stamp.Header, good)
		refused(t, answer, http.StatusUnauthorized, 16, "could not verify api key signature")
	})
	t.Run("fail/signature before syntax", func(t *testing.T) {
		t.Parallel()
		answer := rig.Post(t, custodytest.QueryPath("whoami"), []byte("{not JSON"), stamp.Header, good)
		refused(t, answer, http.StatusUnauthorized, 16, "could not verify api key signature")
	})
	t.Run("ok/good", func(t *testing.T) {
		t.Parallel()
		accepted(t, rig.Post(t, custodytest.QueryPath("whoami"), body, stamp.Header, good))
	})
}

func TestUnknownKey(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	stranger := stamptest.NewSigner(t)
	for _, organization := range []string{person.OrganizationID, rig.Parent.OrganizationID, unknownID} {
		refused(t, rig.Query(t, stranger, "whoami", organization), http.StatusUnauthorized, 16,
			"could not find public key in organization or its parent organization organizationId="+organization+" publicKey="+stranger.PublicKey())
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	key := stamptest.NewSigner(t)
	person := rig.CreateSubOrganization(t, custodytest.SubOrganization([]map[string]any{custodytest.APIKey(key, "900")}, nil))
	rig.Advance(898 * time.Second)
	accepted(t, rig.Query(t, key, "whoami", person.OrganizationID))
	user := rig.Query(t, rig.ParentKey, "get_user", person.OrganizationID, "userId", person.UserID)
	if user.TextAt("user", "apiKeys", 0, "expirationSeconds") != "900" ||
		user.TextAt("user", "apiKeys", 0, "credential", "publicKey") != key.PublicKey() {
		t.Errorf("the parent cannot read the key's expiry: %s", user.Text)
	}
	rig.Advance(2 * time.Second)
	expired := rig.Query(t, key, "whoami", person.OrganizationID)
	refused(t, expired, http.StatusUnauthorized, 16, "expired api key")
	if expired.TextAt("turnkeyErrorCode") != "API_KEY_EXPIRED" {
		t.Errorf("got %s", expired.Text)
	}
	// By the parent's id too, where the key is discovered.
	refused(t, rig.Query(t, key, "whoami", rig.Parent.OrganizationID), http.StatusUnauthorized, 16, "expired api key")
	refused(t, rig.Submit(t, key, "create_read_only_session", "CREATE_READ_ONLY_SESSION", person.OrganizationID, map[string]any{}),
		http.StatusUnauthorized, 16, "expired api key")
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	for _, organization := range []string{person.OrganizationID, rig.Parent.OrganizationID} {
		answer := rig.Query(t, person.Key, "whoami", organization)
		if answer.TextAt("organizationId") != person.OrganizationID || answer.TextAt("userId") != person.UserID ||
			answer.TextAt("username") != "Ada" || answer.TextAt("organizationName") != "A person" {
			t.Errorf("asked under %s: %s", organization, answer.Text)
		}
	}
	// Only identification and sessions discover: other reads under the parent's id
	// would read the parent.
	refused(t, rig.Query(t, person.Key, "list_wallets", rig.Parent.OrganizationID), http.StatusUnauthorized, 16, "could not find public key")
	session := rig.Submit(t, person.Key, "create_read_only_session", "CREATE_READ_ONLY_SESSION", rig.Parent.OrganizationID, map[string]any{})
	accepted(t, session)
	if session.TextAt("activity", "organizationId") != person.OrganizationID {
		t.Errorf("the session was made elsewhere: %s", session.Text)
	}
	// A second sub-organization with the same key makes it ambiguous.
	rig.CreateSubOrganization(t, custodytest.SubOrganization([]map[string]any{custodytest.APIKey(person.Key, "")}, nil))
	refused(t, rig.Query(t, person.Key, "whoami", rig.Parent.OrganizationID), http.StatusUnauthorized, 16,
		"more than one suborg associated with a public key")
	accepted(t, rig.Query(t, person.Key, "whoami", person.OrganizationID))
}

func TestPasskeys(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	passkey := stamptest.NewPasskey(t, custodytest.RPID, custodytest.Origin)
	person := rig.CreateSubOrganization(t, custodytest.SubOrganization(nil, []map[string]any{custodytest.Authenticator(t, passkey)}))
	ask := func(t *testing.T, organization string) custodytest.Answer {
		t.Helper()
		body := custodytest.QueryBody(t, organization)
		return rig.Post(t, custodytest.QueryPath("whoami"), body, stamp.WebAuthnHeader, passkey.Stamp(t, body))
	}
	passkey.SignCount++
	accepted(t, ask(t, person.OrganizationID))
	// The counter has to grow with every gesture.
	refused(t, ask(t, person.OrganizationID), http.StatusUnauthorized, 16, "could not verify WebAuthN signature")
	passkey.SignCount += 5
	if found := ask(t, rig.Parent.OrganizationID); found.TextAt("organizationId") != person.OrganizationID {
		t.Errorf("discovery by the parent's id: %s", found.Text)
	}
	passkey.SignCount -= 2
	refused(t, ask(t, person.OrganizationID), http.StatusUnauthorized, 16, "could not verify WebAuthN signature")
	passkey.SignCount += 3

	// Sending one signed request again is a retry.
	body := custodytest.QueryBody(t, person.OrganizationID)
	header := passkey.Stamp(t, body)
	for range 2 {
		accepted(t, rig.Post(t, custodytest.QueryPath("whoami"), body, stamp.WebAuthnHeader, header))
	}
	// The other spelling of the header's name is the same header.
	accepted(t, rig.Post(t, custodytest.QueryPath("whoami"), body, "X-Stamp-WebAuthn", header))

	other := rig.CreatePerson(t)
	passkey.SignCount++
	refused(t, ask(t, other.OrganizationID), http.StatusUnauthorized, 16, "credential ID could not be found")
	refused(t, ask(t, unknownID), http.StatusUnauthorized, 16, "credential ID could not be found")
	passkey.Origin = "http://localhost:9999"
	refused(t, ask(t, person.OrganizationID), http.StatusUnauthorized, 16, "could not verify WebAuthN signature")
	// In another organization a wrong signature says no more than a right one.
	refused(t, ask(t, other.OrganizationID), http.StatusUnauthorized, 16, "credential ID could not be found")
}

// TestClaimedCredentialID registers somebody's credential id with another key: it
// must not lock the owner out of discovery.
func TestClaimedCredentialID(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	passkey := stamptest.NewPasskey(t, custodytest.RPID, custodytest.Origin)
	person := rig.CreateSubOrganization(t, custodytest.SubOrganization(nil, []map[string]any{custodytest.Authenticator(t, passkey)}))
	thief := stamptest.NewPasskey(t, custodytest.RPID, custodytest.Origin)
	thief.CredentialID = passkey.CredentialID
	rig.CreateSubOrganization(t, custodytest.SubOrganization(nil, []map[string]any{custodytest.Authenticator(t, thief)}))
	passkey.SignCount++
	body := custodytest.QueryBody(t, rig.Parent.OrganizationID)
	answer := rig.Post(t, custodytest.QueryPath("whoami"), body, stamp.WebAuthnHeader, passkey.Stamp(t, body))
	if answer.TextAt("organizationId") != person.OrganizationID {
		t.Errorf("got %s", answer.Text)
	}
}

func TestReadOnlySession(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person, other := rig.CreatePerson(t), rig.CreatePerson(t)
	created := rig.Submit(t, person.Key, "create_read_only_session", "CREATE_READ_ONLY_SESSION", person.OrganizationID, map[string]any{})
	accepted(t, created)
	token := created.TextAt("activity", "result", "createReadOnlySessionResult", "session")
	ask := func(name, organization string, fields ...string) custodytest.Answer {
		return rig.Post(t, custodytest.QueryPath(name), custodytest.QueryBody(t, organization, fields...), "X-Session", token)
	}
	if who := ask("whoami", person.OrganizationID); who.TextAt("userId") != person.UserID {
		t.Errorf("whoami: %s", who.Text)
	}
	if who := ask("whoami", rig.Parent.OrganizationID); who.TextAt("organizationId") != person.OrganizationID {
		t.Errorf("whoami under the parent's id: %s", who.Text)
	}
	accepted(t, ask("get_wallet", person.OrganizationID, "walletId", person.WalletID))
	for _, organization := range []string{other.OrganizationID, rig.Parent.OrganizationID, unknownID} {
		refused(t, ask("list_wallets", organization), http.StatusUnauthorized, 16, "no valid authentication signature found for request")
	}
	for name, kind := range map[string]string{
		"create_wallet": "CREATE_WALLET", "create_read_only_session": "CREATE_READ_ONLY_SESSION",
		"create_read_write_session": "CREATE_READ_WRITE_SESSION_V2", "sign_transaction": "SIGN_TRANSACTION_V2",
	} {
		body := rig.SubmitBody(t, kind, person.OrganizationID, map[string]any{"walletName": "x", "accounts": []any{}})
		refused(t, rig.Post(t, custodytest.SubmitPath(name), body, "X-Session", token), http.StatusUnauthorized, 16,
			"cannot authenticate public API activity request without a stamp")
	}
	rig.Advance(time.Hour)
	refused(t, ask("whoami", person.OrganizationID), http.StatusUnauthorized, 16, "no valid authentication signature found for request")
}
