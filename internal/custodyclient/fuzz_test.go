package custodyclient

import (
	"encoding/json"
	"testing"

	"tenfold/catalog"
)

// FuzzSubOrganization checks that whatever the decoder lets through is what a
// sign-up may ask for, and survives being written again.
func FuzzSubOrganization(f *testing.F) {
	f.Add([]byte(`{"subOrganizationName":"n","rootUsers":[{"userName":"u","authenticators":[{"authenticatorName":"a","challenge":"c","attestation":{"credentialId":"i","clientDataJson":"d","attestationObject":"o","transports":[]}}],"apiKeys":[],"oauthProviders":[]}],"rootQuorumThreshold":1,"wallet":{"walletName":"w","accounts":[{"curve":"CURVE_SECP256K1","pathFormat":"PATH_FORMAT_BIP32","path":"m/44'/60'/0'/0/0","addressFormat":"ADDRESS_FORMAT_ETHEREUM"},{"curve":"CURVE_ED25519","pathFormat":"PATH_FORMAT_BIP32","path":"m/44'/501'/0'/0'","addressFormat":"ADDRESS_FORMAT_SOLANA"}]}}`))
	f.Add([]byte(`[{}]`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, params []byte) {
		s, err := decodeSubOrganization(params)
		if err != nil {
			return
		}
		user := s.RootUsers[0]
		if len(s.RootUsers) != 1 || s.RootThreshold != 1 || len(user.Authenticators) == 0 || len(user.APIKeys) > 1 ||
			len(user.Authenticators) > catalog.CurrentLimits().Custody.AuthenticatorsPerUser || !sameAccounts(s.Wallet.Accounts) {
			t.Errorf("let through: %s", params)
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeSubOrganization(again); err != nil {
			t.Errorf("%s is refused when written again as %s: %v", params, again, err)
		}
	})
}
