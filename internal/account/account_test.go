package account_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"tenfold/catalog"
	"tenfold/internal/account"
	"tenfold/internal/custodyclient/custodytest"
	"tenfold/internal/fault"
)

func service(t *testing.T, c *custodytest.Custody) *account.Service {
	t.Helper()
	s, err := account.New(c.Client)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAddressesComeFromCustody(t *testing.T) {
	t.Parallel()
	custody := custodytest.Start(t)
	s := service(t, custody)
	first, second := custody.SignUp(t, "300"), custody.SignUp(t, "300")
	seen := map[string]bool{}
	for _, p := range []custodytest.Person{first, second} {
		accounts, err := s.Of(t.Context(), p.OrganizationID)
		if err != nil {
			t.Fatal(err)
		}
		if len(accounts) != 2 || accounts[0].Kind != account.EVM || len(accounts[0].ChainIDs) != 9 ||
			accounts[1].Kind != account.Solana || len(accounts[1].ChainIDs) != 1 {
			t.Errorf("the accounts are %+v", accounts)
		}
		for _, a := range accounts {
			if seen[a.Address] {
				t.Errorf("%s belongs to two people", a.Address)
			}
			seen[a.Address] = true
		}
		for _, c := range catalog.Chains() {
			want := accounts[0].Address
			if !c.IsEVM {
				want = accounts[1].Address
			}
			if got, err := s.AddressOn(t.Context(), p.OrganizationID, c); err != nil || got != want {
				t.Errorf("on %s: %s, %v", c.Name, got, err)
			}
		}
	}
	// An address never changes hands, so a short outage of custody is not felt.
	custody.Stop()
	if _, err := s.Of(t.Context(), first.OrganizationID); err != nil {
		t.Errorf("with custody down: %v", err)
	}
	if _, err := s.Of(t.Context(), "00000000-0000-7000-8000-000000000000"); fault.CodeOf(err) != fault.CustodyUnavailable {
		t.Errorf("unknown and custody down: %v", err)
	}
}

func TestFaucet(t *testing.T) {
	t.Parallel()
	custody := custodytest.Start(t)
	s := service(t, custody)
	p := custody.SignUp(t, "300")
	accounts, err := s.Of(t.Context(), p.OrganizationID)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]string
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked["evmAddress"] != accounts[0].Address || asked["solanaAddress"] != accounts[1].Address {
			t.Errorf("the faucet was asked for %v, %v", asked, err)
		}
		_, _ = w.Write([]byte(`{"transactions":[{"chainId":1,"hash":"0x01"}]}`))
	}))
	defer server.Close()
	got, err := account.NewFaucet(server.URL, s).Claim(t.Context(), p.OrganizationID)
	if err != nil || len(got) != 1 || got[0] != (account.FaucetTransaction{ChainID: 1, Hash: "0x01"}) {
		t.Errorf("the faucet gave %+v, %v", got, err)
	}
	for name, url := range map[string]string{
		"down": "http://localhost:1", "failing": custodytest.Refusing(t, 500, `{}`), "talking nonsense": custodytest.Refusing(t, 200, `<html>`),
	} {
		if _, err := account.NewFaucet(url, s).Claim(t.Context(), p.OrganizationID); fault.CodeOf(err) != account.FaucetUnreachable {
			t.Errorf("%s: %v", name, err)
		}
	}
}
