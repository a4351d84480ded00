package custody_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"tenfold/internal/bundle"
	"tenfold/internal/custody/custodytest"
	"tenfold/internal/secret"
	"tenfold/internal/stamp"
)

// newTarget makes a frame's key: the scalar and the public key in hex.
func newTarget(t *testing.T) (secret.Bytes, string) {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return secret.Own(key.Bytes()), hex.EncodeToString(key.PublicKey().Bytes())
}

// openSession makes a read-write session and returns the key that it carries.
func openSession(t *testing.T, rig *custodytest.Rig, person custodytest.Person, parameters map[string]any) (*stamp.Signer, custodytest.Answer) {
	t.Helper()
	private, public := newTarget(t)
	parameters["targetPublicKey"] = public
	answer := rig.Submit(t, person.Key, "create_read_write_session", "CREATE_READ_WRITE_SESSION_V2", person.OrganizationID, parameters)
	accepted(t, answer)
	sealed, _ := answer.Result("createReadWriteSessionResultV2")["credentialBundle"].(string)
	credential, err := bundle.OpenCredential(sealed, private)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := stamp.NewSigner(credential)
	if err != nil {
		t.Fatal(err)
	}
	return signer, answer
}

func TestReadWriteSession(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	session, answer := openSession(t, rig, person, map[string]any{})
	result := answer.Result("createReadWriteSessionResultV2")
	if result["organizationId"] != person.OrganizationID || result["organizationName"] != "A person" ||
		result["userId"] != person.UserID || result["username"] != "Ada" || result["apiKeyId"] == "" {
		t.Errorf("result: %v", result)
	}
	accepted(t, rig.Submit(t, session, "create_wallet", "CREATE_WALLET", person.OrganizationID, map[string]any{"walletName": "In session", "accounts": []any{}}))
	user := rig.Query(t, session, "get_user", person.OrganizationID, "userId", person.UserID)
	if user.TextAt("user", "apiKeys", 1, "credential", "type") != "CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256" ||
		user.TextAt("user", "apiKeys", 1, "expirationSeconds") != "900" ||
		!strings.HasPrefix(user.TextAt("user", "apiKeys", 1, "apiKeyName"), "Read Write Session - ") {
		t.Errorf("the session's key: %s", user.Text)
	}
	rig.Advance(15 * time.Minute)
	refused(t, rig.Query(t, session, "whoami", person.OrganizationID), http.StatusUnauthorized, 16, "expired api key")
}

func TestInvalidateExisting(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	first, _ := openSession(t, rig, person, map[string]any{})
	second, _ := openSession(t, rig, person, map[string]any{"expirationSeconds": "60"})
	accepted(t, rig.Query(t, first, "whoami", person.OrganizationID))
	third, _ := openSession(t, rig, person, map[string]any{"invalidateExisting": true, "apiKeyName": "third"})
	for _, gone := range []*stamp.Signer{first, second} {
		refused(t, rig.Query(t, gone, "whoami", person.OrganizationID), http.StatusUnauthorized, 16, "could not find public key")
	}
	accepted(t, rig.Query(t, third, "whoami", person.OrganizationID))
	// The person's own key is of another type and stays.
	accepted(t, rig.Query(t, person.Key, "whoami", person.OrganizationID))
}

// TestSessionLimit makes more sessions than a user may have: expired ones go
// first, then the oldest.
func TestSessionLimit(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	oldest, _ := openSession(t, rig, person, map[string]any{"expirationSeconds": "100000"})
	rig.Advance(time.Second)
	short, _ := openSession(t, rig, person, map[string]any{"expirationSeconds": "5"})
	for range 8 {
		openSession(t, rig, person, map[string]any{"expirationSeconds": "100000"})
	}
	rig.Advance(10 * time.Second)
	openSession(t, rig, person, map[string]any{"expirationSeconds": "100000"})
	accepted(t, rig.Query(t, oldest, "whoami", person.OrganizationID))
	refused(t, rig.Query(t, short, "whoami", person.OrganizationID), http.StatusUnauthorized, 16, "could not find public key")
	openSession(t, rig, person, map[string]any{})
	refused(t, rig.Query(t, oldest, "whoami", person.OrganizationID), http.StatusUnauthorized, 16, "could not find public key")
	user := rig.Query(t, person.Key, "get_user", person.OrganizationID, "userId", person.UserID)
	if keys, _ := user.At("user", "apiKeys").([]any); len(keys) != 11 {
		t.Errorf("%d keys, want 10 sessions and 1 for good", len(keys))
	}
}

func TestReadWriteSessionRefuses(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	_, target := newTarget(t)
	tests := map[string]struct {
		parameters map[string]any
		status     int
		code       int
		message    string
	}{
		"fail/no target":        {map[string]any{}, 400, 3, "target public key is not a valid compressed public key"},
		"fail/bad target":       {map[string]any{"targetPublicKey": "04" + strings.Repeat("1", 128)}, 400, 3, "target public key is not a valid compressed public key"},
		"fail/endless target":   {map[string]any{"targetPublicKey": strings.Repeat("1", 5000)}, 400, 3, "…"},
		"fail/other user":       {map[string]any{"targetPublicKey": target, "userId": rig.Parent.UserID}, 403, 7, "request not authorized"},
		"fail/no time":          {map[string]any{"targetPublicKey": target, "expirationSeconds": "0"}, 400, 3, "invalid api key expiration"},
		"fail/negative time":    {map[string]any{"targetPublicKey": target, "expirationSeconds": "-900"}, 400, 3, "invalid api key expiration"},
		"fail/endless time":     {map[string]any{"targetPublicKey": target, "expirationSeconds": "2592001"}, 400, 3, "invalid api key expiration"},
		"fail/overflowing time": {map[string]any{"targetPublicKey": target, "expirationSeconds": "9223372036854775808"}, 400, 3, "bad request body"},
		"fail/endless name":     {map[string]any{"targetPublicKey": target, "apiKeyName": strings.Repeat("x", 300)}, 400, 3, "apiKeyName"},
	}
	t.Run("all", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				answer := rig.Submit(t, person.Key, "create_read_write_session", "CREATE_READ_WRITE_SESSION_V2", person.OrganizationID, test.parameters)
				refused(t, answer, test.status, test.code, test.message)
			})
		}
	})
	user := rig.Query(t, person.Key, "get_user", person.OrganizationID, "userId", person.UserID)
	if keys, _ := user.At("user", "apiKeys").([]any); len(keys) != 1 {
		t.Errorf("a refused session left keys: %s", user.Text)
	}
}
