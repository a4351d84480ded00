package stamp_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

// specification is testdata/webauthn.json: hexadecimal vectors of the W3C.
type specification struct {
	Source        string `json:"source"`
	Registrations []struct {
		Name              string `json:"name"`
		Challenge         string `json:"challenge"`
		CredentialID      string `json:"credentialId"`
		ClientData        string `json:"clientData"`
		AttestationObject string `json:"attestationObject"`
	} `json:"registrations"`
	Assertions []struct {
		Name              string `json:"name"`
		Challenge         string `json:"challenge"`
		CredentialID      string `json:"credentialId"`
		ClientData        string `json:"clientData"`
		AuthenticatorData string `json:"authenticatorData"`
		Signature         string `json:"signature"`
		PublicKey         string `json:"publicKey"`
	} `json:"assertions"`
}

// The relying party of the W3C's vectors.
var exampleOrg = stamp.RelyingParty{ID: "example.org", Origins: []string{"https://example.org"}}

func fromHex(t *testing.T, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

func base64Of(t *testing.T, hexText string) string {
	t.Helper()
	return base64.RawURLEncoding.EncodeToString(fromHex(t, hexText))
}

// crossOrigin tells the vectors made inside another site's page, which we refuse.
func crossOrigin(name string) bool { return strings.Contains(name, "Origin") }

func TestW3CRegistrations(t *testing.T) {
	t.Parallel()
	var vectors specification
	readVectors(t, "webauthn.json", &vectors)
	for _, v := range vectors.Registrations {
		attestation := stamp.Attestation{
			CredentialID: base64Of(t, v.CredentialID), ClientDataJSON: base64Of(t, v.ClientData),
			AttestationObject: base64Of(t, v.AttestationObject),
		}
		registration, err := stamp.VerifyAttestation(base64Of(t, v.Challenge), attestation, exampleOrg)
		if crossOrigin(v.Name) {
			if !errors.Is(err, stamp.ErrSignature) {
				t.Errorf("%s: %v", v.Name, err)
			}
			continue
		}
		if err != nil || registration.CredentialID != attestation.CredentialID {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}

func TestW3CAssertions(t *testing.T) {
	t.Parallel()
	var vectors specification
	readVectors(t, "webauthn.json", &vectors)
	for _, v := range vectors.Assertions {
		header, err := json.Marshal(map[string]string{
			"authenticatorData": base64Of(t, v.AuthenticatorData), "clientDataJson": base64Of(t, v.ClientData),
			"credentialId": base64Of(t, v.CredentialID), "signature": base64Of(t, v.Signature),
		})
		if err != nil {
			t.Fatal(err)
		}
		assertion, err := stamp.ParseAssertion(string(header))
		if err != nil {
			t.Fatal(err)
		}
		_, err = stamp.VerifyChallenge(assertion, fromHex(t, v.Challenge), fromHex(t, v.PublicKey), exampleOrg)
		if crossOrigin(v.Name) != errors.Is(err, stamp.ErrSignature) {
			t.Errorf("%s: %v", v.Name, err)
		}
		if _, err := assertion.Verify(fromHex(t, v.Challenge), fromHex(t, v.PublicKey), exampleOrg); !errors.Is(err, stamp.ErrSignature) {
			t.Errorf("%s: a challenge that is no hash of the body passed: %v", v.Name, err)
		}
	}
}

// party is the site of the software passkeys below.
var party = stamp.RelyingParty{ID: "localhost", Origins: []string{"http://localhost:8080"}}

func honest(t *testing.T) *stamptest.Passkey {
	t.Helper()
	return stamptest.NewPasskey(t, party.ID, party.Origins[0])
}

// publicKey registers the passkey as it is now.
func publicKey(t *testing.T, p *stamptest.Passkey) []byte {
	t.Helper()
	challenge := stamptest.Challenge()
	registration, err := stamp.VerifyAttestation(challenge, p.Register(t, challenge), party)
	if err != nil {
		t.Fatal(err)
	}
	return registration.PublicKey
}

// bent lists what can be wrong with a ceremony, for both kinds.
var bent = map[string]func(*stamptest.Passkey){
	"fail/other origin":       func(p *stamptest.Passkey) { p.Origin = "http://evil.example" },
	"fail/other port":         func(p *stamptest.Passkey) { p.Origin = "http://localhost:8081" },
	"fail/other scheme":       func(p *stamptest.Passkey) { p.Origin = "https://localhost:8080" },
	"fail/origin and slash":   func(p *stamptest.Passkey) { p.Origin = "http://localhost:8080/" },
	"fail/origin prefix":      func(p *stamptest.Passkey) { p.Origin = "http://localhost:8080.evil.example" },
	"fail/origin upper case":  func(p *stamptest.Passkey) { p.Origin = "http://LOCALHOST:8080" },
	"fail/no origin":          func(p *stamptest.Passkey) { p.Origin = "" },
	"fail/other site":         func(p *stamptest.Passkey) { p.RPID = "evil.example" },
	"fail/user not present":   func(p *stamptest.Passkey) { p.Flags = 0 },
	"fail/inside other frame": func(p *stamptest.Passkey) { p.CrossOrigin = true },
	"fail/other ceremony":     func(p *stamptest.Passkey) { p.Type = "payment.get" },
}

func TestAssertion(t *testing.T) {
	t.Parallel()
	passkey := honest(t)
	key := publicKey(t, passkey)
	body := []byte(`{"organizationId":"x"}`)
	passkey.SignCount = 7
	assertion, err := stamp.ParseAssertion(passkey.Stamp(t, body))
	if err != nil {
		t.Fatal(err)
	}
	gesture, err := assertion.Verify(body, key, party)
	if err != nil || gesture.SignCount != 7 || !gesture.UserVerified {
		t.Fatalf("%+v, %v", gesture, err)
	}
	if _, err := assertion.Verify(append(body, ' '), key, party); !errors.Is(err, stamp.ErrSignature) {
		t.Errorf("another body: %v", err)
	}
	if _, err := assertion.Verify(body, publicKey(t, honest(t)), party); !errors.Is(err, stamp.ErrSignature) {
		t.Errorf("another passkey's key: %v", err)
	}
	if _, err := assertion.Verify(body, []byte{0xa0}, party); !errors.Is(err, stamp.ErrSignature) {
		t.Errorf("no key: %v", err)
	}
}

func TestBentAssertions(t *testing.T) {
	t.Parallel()
	body := []byte(`{"organizationId":"x"}`)
	for name, bend := range bent {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passkey := honest(t)
			key := publicKey(t, passkey)
			bend(passkey)
			assertion, err := stamp.ParseAssertion(passkey.Stamp(t, body))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := assertion.Verify(body, key, party); !errors.Is(err, stamp.ErrSignature) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("fail/registration as assertion", func(t *testing.T) {
		t.Parallel()
		passkey := honest(t)
		key := publicKey(t, passkey)
		passkey.Type = "webauthn.create"
		assertion, err := stamp.ParseAssertion(passkey.Stamp(t, body))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := assertion.Verify(body, key, party); !errors.Is(err, stamp.ErrSignature) {
			t.Errorf("got %v", err)
		}
	})
}

func TestBentRegistrations(t *testing.T) {
	t.Parallel()
	for name, bend := range bent {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passkey := honest(t)
			bend(passkey)
			challenge := stamptest.Challenge()
			if _, err := stamp.VerifyAttestation(challenge, passkey.Register(t, challenge), party); !errors.Is(err, stamp.ErrSignature) {
				t.Errorf("got %v", err)
			}
		})
	}
	passkey := honest(t)
	challenge := stamptest.Challenge()
	good := passkey.Register(t, challenge)
	other := good
	other.CredentialID = base64.RawURLEncoding.EncodeToString([]byte("somebody else's id"))
	cut := good
	cut.AttestationObject = good.AttestationObject[:len(good.AttestationObject)-8]
	tests := map[string]struct {
		challenge   string
		attestation stamp.Attestation
	}{
		"fail/other challenge":     {stamptest.Challenge(), good},
		"fail/no challenge":        {"", good},
		"fail/not base64":          {"%", good},
		"fail/other credential id": {challenge, other},
		"fail/cut":                 {challenge, cut},
		"fail/empty":               {challenge, stamp.Attestation{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := stamp.VerifyAttestation(test.challenge, test.attestation, party)
			if !errors.Is(err, stamp.ErrSignature) && !errors.Is(err, stamp.ErrMalformed) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestParseAssertionRefuses(t *testing.T) {
	t.Parallel()
	good := honest(t).Stamp(t, nil)
	tests := map[string]string{
		"fail/empty":         "",
		"fail/base64 JSON":   base64.RawURLEncoding.EncodeToString([]byte(good)),
		"fail/no fields":     "{}",
		"fail/duplicate key": strings.Replace(good, "{", `{"credentialId":"AA",`, 1),
		"fail/bad base64":    strings.Replace(good, `"credentialId":"`, `"credentialId":"%`, 1),
		"fail/too long":      `{"signature":"` + strings.Repeat("A", 20000) + `"}`,
	}
	for name, header := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := stamp.ParseAssertion(header); !errors.Is(err, stamp.ErrMalformed) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzAssertion(f *testing.F) {
	f.Add(`{"authenticatorData":"AAAA","clientDataJson":"e30","credentialId":"AA","signature":"AA"}`)
	f.Fuzz(func(t *testing.T, header string) {
		assertion, err := stamp.ParseAssertion(header)
		if err != nil {
			return
		}
		if _, err := assertion.Verify([]byte("body"), []byte{0xa0}, party); err == nil {
			t.Errorf("forged: %s", header)
		}
	})
}
