// Package custodytest starts the real custody provider for tests of the app
// server's domains, reached over HTTP as everywhere, and signs people up.
//
// It must never be imported by production code. Layer: domain (test only).
package custodytest

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"tenfold/internal/custody"
	"tenfold/internal/custody/custodyhttp"
	"tenfold/internal/custodyclient"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

// Origin is the page whose passkeys custody accepts.
const Origin = "http://localhost:8080"

// Custody is a running provider with a parent organization.
type Custody struct {
	Client *custodyclient.Client
	URL    string
	server *httptest.Server

	mu    sync.Mutex
	clock time.Time
}

// Start runs a provider until the test ends. Its clock is the system's until it
// is moved by Pass.
func Start(t testing.TB) *Custody {
	t.Helper()
	folder := t.TempDir()
	signer := stamptest.NewSigner(t)
	parent, err := custody.Initialise(t.Context(), folder, "Tenfold", signer.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	c := &Custody{clock: time.Now()}
	provider, err := custody.Open(t.Context(), custody.Settings{
		DataDir: folder, RelyingParty: stamp.RelyingParty{ID: "localhost", Origins: []string{Origin}}, Now: c.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	c.server = httptest.NewServer(custodyhttp.Handler(provider, []string{Origin}, slog.New(slog.DiscardHandler)))
	t.Cleanup(func() {
		c.server.Close()
		if err := provider.Close(); err != nil {
			t.Error(err)
		}
	})
	c.URL = c.server.URL
	c.Client = custodyclient.New(custodyclient.Options{
		BaseURL: c.URL, OrganizationID: parent.OrganizationID, Signer: signer, Now: c.Now,
	})
	return c
}

// Now is the provider's clock.
func (c *Custody) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clock
}

// Pass moves the provider's clock on.
func (c *Custody) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clock = c.clock.Add(d)
}

// Stop takes the provider off the network, as a crash would.
func (c *Custody) Stop() {
	c.server.Listener.Close()
	c.server.CloseClientConnections()
}

// Person is somebody with a sub-organization.
type Person struct {
	OrganizationID, UserID string
	Signer                 *stamp.Signer // the session key
	Passkey                *stamptest.Passkey
}

// SignUp makes a sub-organization whose session key lives for so many seconds.
func (c *Custody) SignUp(t testing.TB, seconds string) Person {
	t.Helper()
	p := Person{Signer: stamptest.NewSigner(t), Passkey: stamptest.NewPasskey(t, "localhost", Origin)}
	parameters, err := json.Marshal(SignUpParameters(t, p, seconds))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := c.Client.ServerSign(t.Context(), "createSubOrganization", parameters)
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		SubOrganizationID string   `json:"subOrganizationId"`
		RootUserIDs       []string `json:"rootUserIds"`
	}
	if err := json.Unmarshal(raw, &made); err != nil {
		t.Fatal(err)
	}
	p.OrganizationID, p.UserID = made.SubOrganizationID, made.RootUserIDs[0]
	return p
}

// SignUpParameters are what the page sends for a person.
func SignUpParameters(t testing.TB, p Person, seconds string) custodyclient.SubOrganization {
	t.Helper()
	challenge := stamptest.Challenge()
	attestation := p.Passkey.Register(t, challenge)
	return custodyclient.SubOrganization{
		Name: "Person", RootThreshold: 1,
		RootUsers: []custodyclient.SubOrganizationUser{{
			UserName: "Default User",
			APIKeys: []custodyclient.SubOrganizationAPIKey{{
				Name: "Session Key 1", PublicKey: p.Signer.PublicKey(), CurveType: "API_KEY_CURVE_P256", ExpirationSeconds: seconds,
			}},
			Authenticators: []custodyclient.SubOrganizationAuthenticator{{
				Name: "Passkey", Challenge: challenge,
				Attestation: custodyclient.Attestation{
					CredentialID: attestation.CredentialID, ClientDataJSON: attestation.ClientDataJSON,
					AttestationObject: attestation.AttestationObject, Transports: []string{"AUTHENTICATOR_TRANSPORT_INTERNAL"},
				},
			}},
			OauthProviders: []struct{}{},
		}},
		Wallet: custodyclient.SubOrganizationWallet{Name: "Wallet", Accounts: custodyclient.DefaultAccounts},
	}
}

// Refusing is a service that answers everything with one status and body.
func Refusing(t testing.TB, status int, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL
}
