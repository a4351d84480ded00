package custodyclient_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenfold/internal/custodyclient"
	"tenfold/internal/custodyclient/custodytest"
	"tenfold/internal/fault"
	"tenfold/internal/stamp/stamptest"
)

func person(t *testing.T) custodytest.Person {
	t.Helper()
	return custodytest.Person{
		Signer: stamptest.NewSigner(t), Passkey: stamptest.NewPasskey(t, "localhost", custodytest.Origin),
	}
}

func TestServerSignMakesASubOrganization(t *testing.T) {
	t.Parallel()
	c := custodytest.Start(t)
	for name, wrap := range map[string]string{"an object": "%", "the provider's own client's list": "[%]"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parameters, err := json.Marshal(custodytest.SignUpParameters(t, person(t), "900"))
			if err != nil {
				t.Fatal(err)
			}
			raw, err := c.Client.ServerSign(t.Context(), "createSubOrganization", []byte(strings.Replace(wrap, "%", string(parameters), 1)))
			if err != nil {
				t.Fatal(err)
			}
			var made struct {
				SubOrganizationID string   `json:"subOrganizationId"`
				RootUserIDs       []string `json:"rootUserIds"`
				Wallet            struct {
					Addresses []string `json:"addresses"`
				} `json:"wallet"`
				Activity struct {
					Status string `json:"status"`
				} `json:"activity"`
			}
			if err := json.Unmarshal(raw, &made); err != nil {
				t.Fatal(err)
			}
			if made.SubOrganizationID == "" || len(made.RootUserIDs) != 1 || len(made.Wallet.Addresses) != 2 || made.Activity.Status != "ACTIVITY_STATUS_COMPLETED" {
				t.Errorf("the answer is %s", raw)
			}
		})
	}
}

func TestServerSignAllowsNothingElse(t *testing.T) {
	t.Parallel()
	c := custodytest.Start(t)
	for _, method := range []string{
		"", "createReadWriteSession", "deleteSubOrganization", "createApiKeys", "signTransaction", "CreateSubOrganization",
		"createSubOrganization ", "constructor",
	} {
		_, err := c.Client.ServerSign(t.Context(), method, []byte(`{}`))
		if fault.CodeOf(err) != fault.UnauthorizedMethod {
			t.Errorf("%q: %v", method, err)
		}
	}
}

// TestServerSignParameters bends one thing at a time. Nothing of it may reach
// custody: the client's custody answers every call with an error that would show.
func TestServerSignParameters(t *testing.T) {
	t.Parallel()
	unreached := custodyclient.New(custodyclient.Options{
		BaseURL: custodytest.Refusing(t, 418, `{}`), OrganizationID: "parent", Signer: stamptest.NewSigner(t),
	})
	type params = custodyclient.SubOrganization
	user := func(p *params) *custodyclient.SubOrganizationUser { return &p.RootUsers[0] }
	for name, bend := range map[string]func(*params){
		"no name":              func(p *params) { p.Name = "" },
		"long name":            func(p *params) { p.Name = strings.Repeat("x", 257) },
		"two root users":       func(p *params) { p.RootUsers = append(p.RootUsers, p.RootUsers[0]) },
		"no root user":         func(p *params) { p.RootUsers = nil },
		"threshold two":        func(p *params) { p.RootThreshold = 2 },
		"no authenticator":     func(p *params) { user(p).Authenticators = nil },
		"two API keys":         func(p *params) { user(p).APIKeys = append(user(p).APIKeys, user(p).APIKeys[0]) },
		"key that never ends":  func(p *params) { user(p).APIKeys[0].ExpirationSeconds = "" },
		"key that lives long":  func(p *params) { user(p).APIKeys[0].ExpirationSeconds = "901" },
		"key that is over":     func(p *params) { user(p).APIKeys[0].ExpirationSeconds = "0" },
		"key of another curve": func(p *params) { user(p).APIKeys[0].CurveType = "API_KEY_CURVE_SECP256K1" },
		"no key at all":        func(p *params) { user(p).APIKeys[0].PublicKey = "02" },
		"OAuth provider":       func(p *params) { user(p).OauthProviders = []struct{}{{}} },
		"unknown transport":    func(p *params) { user(p).Authenticators[0].Attestation.Transports = []string{"PIGEON"} },
		"no attestation":       func(p *params) { user(p).Authenticators[0].Attestation.AttestationObject = "" },
		"another path":         func(p *params) { p.Wallet.Accounts = other(p.Wallet.Accounts) },
		"one account":          func(p *params) { p.Wallet.Accounts = p.Wallet.Accounts[:1] },
		"odd mnemonic":         func(p *params) { p.Wallet.MnemonicLength = 13 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := custodytest.SignUpParameters(t, person(t), "900")
			bend(&p)
			encoded, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			_, err = unreached.ServerSign(t.Context(), "createSubOrganization", encoded)
			if fault.CodeOf(err) != fault.InvalidRequest {
				t.Errorf("%v", err)
			}
		})
	}
	good, err := json.Marshal(custodytest.SignUpParameters(t, person(t), "900"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"nothing": ``, "null": `null`, "a text": `"x"`, "two of them": "[" + string(good) + "," + string(good) + "]",
		"unknown field":    strings.Replace(string(good), `{`, `{"disableEmailAuth":true,`, 1),
		"field twice":      strings.Replace(string(good), `{`, `{"rootQuorumThreshold":1,`, 1),
		"something behind": string(good) + "{}",
	} {
		if _, err := unreached.ServerSign(t.Context(), "createSubOrganization", []byte(text)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func other(accounts []custodyclient.SubOrganizationAccount) []custodyclient.SubOrganizationAccount {
	bent := append([]custodyclient.SubOrganizationAccount{}, accounts...)
	bent[0].Path = "m/44'/60'/1'/0/0"
	return bent
}

func TestCustodysErrors(t *testing.T) {
	t.Parallel()
	parameters, err := json.Marshal(custodytest.SignUpParameters(t, person(t), "900"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		status  int
		body    string
		code    fault.Code
		message string
	}{
		"a refusal":           {400, `{"code":3,"message":"invalid authenticator attestation","details":[]}`, fault.CustodyRefused, "invalid authenticator attestation"},
		"its own failure":     {500, `{"code":13,"message":"internal"}`, fault.CustodyUnavailable, custodyclient.UnavailableMessage},
		"another's error":     {404, `<html>`, fault.CustodyUnavailable, custodyclient.UnavailableMessage},
		"nonsense":            {200, `<html>`, fault.CustodyUnavailable, custodyclient.UnavailableMessage},
		"a redirect":          {302, ``, fault.CustodyUnavailable, custodyclient.UnavailableMessage},
		"not yet carried out": {200, `{"activity":{"status":"ACTIVITY_STATUS_CONSENSUS_NEEDED"}}`, fault.CustodyRefused, "Expected COMPLETED status, got ACTIVITY_STATUS_CONSENSUS_NEEDED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := custodyclient.New(custodyclient.Options{
				BaseURL: custodytest.Refusing(t, c.status, c.body), OrganizationID: "parent", Signer: stamptest.NewSigner(t),
			})
			_, err := client.ServerSign(t.Context(), "createSubOrganization", parameters)
			if f := fault.Of(err); f.Code != c.code || f.Message != c.message {
				t.Errorf("%s %q, want %s %q", f.Code, f.Message, c.code, c.message)
			}
		})
	}
}
