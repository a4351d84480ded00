package crash

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tenfold/internal/apphttp"
	"tenfold/internal/custodyclient"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

// person is somebody with a wallet who uses the app server's API as the page does.
type person struct {
	world   *world
	signer  *stamp.Signer // the session key
	passkey *stamptest.Passkey
	cookie  *http.Cookie
	csrf    string

	organizationID, userID string
	evm, solana            string
	keys                   int
}

// problem is the API's error document.
type problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func (p *problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// newPerson signs up through server-sign and signs in with the session key.
func newPerson(t *testing.T, w *world) *person {
	t.Helper()
	p := &person{world: w, signer: stamptest.NewSigner(t), passkey: stamptest.NewPasskey(t, "localhost", w.appURL)}
	challenge := stamptest.Challenge()
	attestation := p.passkey.Register(t, challenge)
	parameters := custodyclient.SubOrganization{
		Name: "Person", RootThreshold: 1,
		RootUsers: []custodyclient.SubOrganizationUser{{
			UserName: "Default User",
			APIKeys: []custodyclient.SubOrganizationAPIKey{{
				Name: "Session Key 1", PublicKey: p.signer.PublicKey(), CurveType: "API_KEY_CURVE_P256", ExpirationSeconds: "900",
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
	var made struct {
		SubOrganizationID string   `json:"subOrganizationId"`
		RootUserIDs       []string `json:"rootUserIds"`
	}
	p.must(t, http.MethodPost, "/server-sign", map[string]any{"methodName": "createSubOrganization", "params": parameters}, &made)
	p.organizationID, p.userID = made.SubOrganizationID, made.RootUserIDs[0]
	p.signIn(t)
	var accounts apphttp.AccountList
	p.must(t, http.MethodGet, "/accounts", nil, &accounts)
	for _, a := range accounts.Accounts {
		if a.Kind == "evm" {
			p.evm = a.Address
		} else {
			p.solana = a.Address
		}
	}
	if p.evm == "" || p.solana == "" {
		t.Fatalf("the accounts are %+v", accounts)
	}
	return p
}

func (p *person) signIn(t *testing.T) {
	t.Helper()
	var session apphttp.Session
	p.must(t, http.MethodPost, "/sessions", p.signInRequest(t), &session)
	p.csrf = session.CSRFToken
}

// signInRequest is a stamped whoami request.
func (p *person) signInRequest(t *testing.T) map[string]any {
	t.Helper()
	body := fmt.Sprintf(`{"organizationId":%q}`, p.organizationID)
	header, err := p.signer.Stamp([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"body": body, "stamp": map[string]string{"stampHeaderName": stamp.Header, "stampHeaderValue": header},
	}
}

// must calls the API and fails the test on a problem.
func (p *person) must(t *testing.T, method, path string, body, answer any) {
	t.Helper()
	if err := p.call(t.Context(), method, path, p.nextKey(), body, answer); err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (p *person) nextKey() string {
	p.keys++
	return fmt.Sprintf("key-%d", p.keys)
}

// call makes one request; a refusal is a *problem.
func (p *person) call(ctx context.Context, method, path, key string, body, answer any) error {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, p.world.appURL+"/api/v1"+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", p.world.appURL)
	request.Header.Set("X-CSRF-Token", p.csrf)
	if method != http.MethodGet {
		request.Header.Set("Idempotency-Key", key)
	}
	if p.cookie != nil {
		request.AddCookie(p.cookie)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	for _, c := range response.Cookies() {
		if c.Name == apphttp.CookieName {
			p.cookie = c
		}
	}
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		refused := &problem{Status: response.StatusCode}
		if err := json.Unmarshal(raw, refused); err != nil {
			return fmt.Errorf("status %d: %s", response.StatusCode, raw)
		}
		return refused
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(raw, answer)
}

// fund claims the faucet.
func (p *person) fund(t *testing.T) {
	t.Helper()
	var claim apphttp.FaucetClaim
	p.must(t, http.MethodPost, "/faucet-claims", nil, &claim)
	if len(claim.Transactions) == 0 {
		t.Fatal("the faucet paid nothing")
	}
}

// sign asks custody for the signature of a step, stamped by the person.
func (p *person) sign(t *testing.T, step apphttp.MovementStep) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"type": "ACTIVITY_TYPE_SIGN_TRANSACTION_V2", "organizationId": p.organizationID,
		"timestampMs": strconv.FormatInt(time.Now().UnixMilli(), 10),
		"parameters": map[string]string{
			"signWith": step.SignWith, "unsignedTransaction": step.UnsignedTransaction, "type": step.TransactionType,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	header, err := p.signer.Stamp(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, shared.custodyURL+"/public/v1/submit/sign_transaction", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set(stamp.Header, header)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Activity struct {
			Result struct {
				Sign struct {
					Signed string `json:"signedTransaction"`
				} `json:"signTransactionResult"`
			} `json:"result"`
		} `json:"activity"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil || answer.Activity.Result.Sign.Signed == "" {
		t.Fatalf("sign_transaction: status %d: %s", response.StatusCode, raw)
	}
	return answer.Activity.Result.Sign.Signed
}

// transfer prepares a payment.
func (p *person) transfer(t *testing.T, request apphttp.MovementRequest) apphttp.Movement {
	t.Helper()
	request.Kind = "transfer"
	var m apphttp.Movement
	p.must(t, http.MethodPost, "/movements", request, &m)
	return m
}

// swap asks for quotes and accepts the first.
func (p *person) swap(t *testing.T, ask map[string]any) (apphttp.Quote, apphttp.Movement) {
	t.Helper()
	var list apphttp.QuoteList
	p.must(t, http.MethodPost, "/quotes", ask, &list)
	if len(list.Quotes) == 0 {
		t.Fatal("no quote")
	}
	q := list.Quotes[0]
	var m apphttp.Movement
	p.must(t, http.MethodPost, "/movements", apphttp.MovementRequest{Kind: "swap", QuoteID: q.ID, Digest: q.Digest}, &m)
	return q, m
}

// signatures signs every step of a movement.
func (p *person) signatures(t *testing.T, m apphttp.Movement) apphttp.SignatureList {
	t.Helper()
	var list apphttp.SignatureList
	for _, step := range m.Steps {
		list.Signatures = append(list.Signatures, apphttp.Signature{Step: step.Index, SignedTransaction: p.sign(t, step)})
	}
	return list
}

// confirm signs a movement and brings the signatures.
func (p *person) confirm(t *testing.T, m apphttp.Movement) apphttp.Movement {
	t.Helper()
	p.must(t, http.MethodPost, "/movements/"+m.ID+"/signatures", p.signatures(t, m), &m)
	return m
}

// finished waits until a movement is final.
func (p *person) finished(t *testing.T, id string, patience time.Duration) apphttp.Movement {
	t.Helper()
	var m apphttp.Movement
	eventually(t, "the end of movement "+id, patience, func() (bool, string) {
		if err := p.call(t.Context(), http.MethodGet, "/movements/"+id, "", nil, &m); err != nil {
			return false, err.Error()
		}
		switch m.State {
		case "done", "failed", "expired", "refunded", "cancelled":
			return true, ""
		}
		return false, string(m.State)
	})
	return m
}

// strangerEVM is a fresh address that holds nothing.
func strangerEVM(t *testing.T) string {
	t.Helper()
	challenge := []byte(stamptest.Challenge())
	return "0x" + hex.EncodeToString(challenge[:20])
}

// strangerSolana is a fresh address that holds nothing.
func strangerSolana(t *testing.T) string {
	t.Helper()
	key, err := solana.NewRandomPrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	return key.PublicKey().String()
}
