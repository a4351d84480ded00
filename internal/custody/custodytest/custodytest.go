// Package custodytest runs a real custody provider for tests: its own data
// folder, its own clock, real HTTP.
//
// It must never be imported by production code. Layer: domain (test only).
package custodytest

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tenfold/internal/custody"
	"tenfold/internal/custody/custodyhttp"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

// RPID and Origin are the site of the rig's passkeys.
const (
	RPID   = "localhost"
	Origin = "http://localhost:8080"
)

// Rig is a running provider with its parent organization.
type Rig struct {
	URL       string
	DataDir   string
	Parent    custody.Parent
	ParentKey *stamp.Signer

	ahead atomic.Int64 // nanoseconds that the rig's clock is ahead
	log   logBuffer
}

// logBuffer collects what the provider logs, at every level.
type logBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write implements io.Writer.
func (b *logBuffer) Write(line []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(line)
}

// Log is what the provider logged so far.
func (r *Rig) Log() string {
	r.log.mutex.Lock()
	defer r.log.mutex.Unlock()
	return r.log.text.String()
}

// Start runs a provider until the test ends.
func Start(t testing.TB) *Rig {
	t.Helper()
	rig := &Rig{DataDir: filepath.Join(t.TempDir(), "custody"), ParentKey: stamptest.NewSigner(t)}
	parent, err := custody.Initialise(t.Context(), rig.DataDir, "Test parent", rig.ParentKey.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	rig.Parent = parent
	rig.Serve(t)
	return rig
}

// Serve opens the rig's data folder and serves it at a new URL.
func (r *Rig) Serve(t testing.TB) {
	t.Helper()
	provider, err := custody.Open(t.Context(), custody.Settings{
		DataDir:      r.DataDir,
		RelyingParty: stamp.RelyingParty{ID: RPID, Origins: []string{Origin}},
		Now:          r.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewJSONHandler(&r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	server := httptest.NewServer(custodyhttp.Handler(provider, []string{Origin}, logger))
	t.Cleanup(func() {
		server.Close()
		if err := provider.Close(); err != nil {
			t.Errorf("close custody: %v", err)
		}
	})
	r.URL = server.URL
}

// Now is the rig's clock.
func (r *Rig) Now() time.Time { return time.Now().Add(time.Duration(r.ahead.Load())) }

// Advance moves the rig's clock.
func (r *Rig) Advance(duration time.Duration) { r.ahead.Add(int64(duration)) }

// Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Text   string
	Body   map[string]any
}

// Code is the body's error code, zero when there is none.
func (a Answer) Code() int {
	code, _ := a.Body["code"].(float64)
	return int(code)
}

// Message is the body's error message.
func (a Answer) Message() string {
	message, _ := a.Body["message"].(string)
	return message
}

// At walks the body along keys and list indexes; nil when there is nothing.
func (a Answer) At(path ...any) any {
	var at any = a.Body
	for _, step := range path {
		switch key := step.(type) {
		case string:
			object, _ := at.(map[string]any)
			at = object[key]
		case int:
			list, _ := at.([]any)
			if key >= len(list) {
				return nil
			}
			at = list[key]
		}
	}
	return at
}

// TextAt is At for a string, empty when there is none.
func (a Answer) TextAt(path ...any) string {
	text, _ := a.At(path...).(string)
	return text
}

// Result is the activity's result under its key.
func (a Answer) Result(key string) map[string]any {
	result, _ := a.At("activity", "result", key).(map[string]any)
	return result
}

// Post sends a body as it is, with headers given as name and value.
func (r *Rig) Post(t testing.TB, path string, body []byte, headers ...string) Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	return r.Do(t, request)
}

// client follows no redirect: no API call may depend on one.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Do sends a request.
func (r *Rig) Do(t testing.TB, request *http.Request) Answer {
	t.Helper()
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer := Answer{Status: response.StatusCode, Header: response.Header, Text: string(text)}
	if len(text) > 0 && json.Unmarshal(text, &answer.Body) != nil {
		t.Fatalf("%s is no JSON object: %s", request.URL.Path, text)
	}
	return answer
}

// Stamped sends a body with a stamp of the key.
func (r *Rig) Stamped(t testing.TB, key *stamp.Signer, path string, body []byte) Answer {
	t.Helper()
	value, err := key.Stamp(body)
	if err != nil {
		t.Fatal(err)
	}
	return r.Post(t, path, body, stamp.Header, value)
}

// QueryPath is the path of a read.
func QueryPath(name string) string { return "/public/v1/query/" + name }

// SubmitPath is the path of a write.
func SubmitPath(name string) string { return "/public/v1/submit/" + name }

// Query asks with a stamp of the key; fields are name and value pairs.
func (r *Rig) Query(t testing.TB, key *stamp.Signer, name, organizationID string, fields ...string) Answer {
	t.Helper()
	return r.Stamped(t, key, QueryPath(name), QueryBody(t, organizationID, fields...))
}

// QueryBody writes a query's body.
func QueryBody(t testing.TB, organizationID string, fields ...string) []byte {
	t.Helper()
	content := map[string]string{"organizationId": organizationID}
	for i := 0; i < len(fields); i += 2 {
		content[fields[i]] = fields[i+1]
	}
	return Marshal(t, content)
}

// Submit sends an activity with a stamp of the key.
func (r *Rig) Submit(t testing.TB, key *stamp.Signer, name, kind, organizationID string, parameters any) Answer {
	t.Helper()
	return r.Stamped(t, key, SubmitPath(name), r.SubmitBody(t, kind, organizationID, parameters))
}

// serial makes every body different: a repeated body is a repeated activity.
var serial atomic.Int64

// SubmitBody writes an activity's body at the rig's time.
func (r *Rig) SubmitBody(t testing.TB, kind, organizationID string, parameters any) []byte {
	t.Helper()
	return Marshal(t, map[string]any{
		"type": "ACTIVITY_TYPE_" + kind, "timestampMs": strconv.FormatInt(r.Now().UnixMilli(), 10),
		"organizationId": organizationID, "parameters": parameters, "serial": serial.Add(1),
	})
}

// Marshal is json.Marshal for a test.
func Marshal(t testing.TB, value any) []byte {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// Person is a sub-organization with one user and one wallet.
type Person struct {
	// Key is the user's API key; nil when CreateSubOrganization made the person.
	Key                              *stamp.Signer
	OrganizationID, UserID, WalletID string
	EthereumAddress, SolanaAddress   string
	// CreationActivityID is the parent's activity that made the person.
	CreationActivityID string
}

// StartingAccounts are the accounts of a person's first wallet.
func StartingAccounts() []map[string]string {
	return []map[string]string{
		{"curve": "CURVE_SECP256K1", "pathFormat": "PATH_FORMAT_BIP32", "path": "m/44'/60'/0'/0/0", "addressFormat": "ADDRESS_FORMAT_ETHEREUM"},
		{"curve": "CURVE_ED25519", "pathFormat": "PATH_FORMAT_BIP32", "path": "m/44'/501'/0'/0'", "addressFormat": "ADDRESS_FORMAT_SOLANA"},
	}
}

// SubOrganization writes the parameters of a sub-organization with one user.
func SubOrganization(apiKeys, authenticators []map[string]any) map[string]any {
	if apiKeys == nil {
		apiKeys = []map[string]any{}
	}
	if authenticators == nil {
		authenticators = []map[string]any{}
	}
	return map[string]any{
		"subOrganizationName": "A person", "rootQuorumThreshold": 1,
		"rootUsers": []any{map[string]any{
			"userName": "Ada", "apiKeys": apiKeys, "authenticators": authenticators, "oauthProviders": []any{},
		}},
		"wallet": map[string]any{"walletName": "Wallet 1", "accounts": StartingAccounts()},
	}
}

// APIKey writes the parameters of an API key; expiration "" is for good.
func APIKey(key *stamp.Signer, expiration string) map[string]any {
	parameters := map[string]any{"apiKeyName": "key", "publicKey": key.PublicKey(), "curveType": "API_KEY_CURVE_P256"}
	if expiration != "" {
		parameters["expirationSeconds"] = expiration
	}
	return parameters
}

// Authenticator registers a passkey.
func Authenticator(t testing.TB, passkey *stamptest.Passkey) map[string]any {
	t.Helper()
	challenge := stamptest.Challenge()
	attestation := passkey.Register(t, challenge)
	return map[string]any{
		"authenticatorName": "passkey", "challenge": challenge,
		"attestation": map[string]any{
			"credentialId": attestation.CredentialID, "clientDataJson": attestation.ClientDataJSON,
			"attestationObject": attestation.AttestationObject, "transports": []string{"AUTHENTICATOR_TRANSPORT_INTERNAL"},
		},
	}
}

// CreatePerson makes a sub-organization with an API key for good.
func (r *Rig) CreatePerson(t testing.TB) Person {
	t.Helper()
	key := stamptest.NewSigner(t)
	person := r.CreateSubOrganization(t, SubOrganization([]map[string]any{APIKey(key, "")}, nil))
	person.Key = key
	return person
}

// CreateSubOrganization makes a sub-organization of the given parameters.
func (r *Rig) CreateSubOrganization(t testing.TB, parameters any) Person {
	t.Helper()
	answer := r.Submit(t, r.ParentKey, "create_sub_organization", "CREATE_SUB_ORGANIZATION_V7", r.Parent.OrganizationID, parameters)
	if answer.Status != http.StatusOK {
		t.Fatalf("create sub-organization: %d %s", answer.Status, answer.Text)
	}
	at := func(path ...any) string {
		return answer.TextAt(append([]any{"activity", "result", "createSubOrganizationResultV7"}, path...)...)
	}
	return Person{
		OrganizationID: at("subOrganizationId"), UserID: at("rootUserIds", 0), WalletID: at("wallet", "walletId"),
		EthereumAddress: at("wallet", "addresses", 0), SolanaAddress: at("wallet", "addresses", 1),
		CreationActivityID: answer.TextAt("activity", "id"),
	}
}
