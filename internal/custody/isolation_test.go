package custody_test

import (
	"net/http"
	"strings"
	"testing"

	"tenfold/internal/custody/custodytest"
)

// TestElsewhereIsNowhere asks for things of another organization and for things
// that do not exist, in every id field: the answers must not differ.
func TestElsewhereIsNowhere(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person, other := rig.CreatePerson(t), rig.CreatePerson(t)
	otherWallet := rig.Submit(t, other.Key, "create_wallet", "CREATE_WALLET", other.OrganizationID, map[string]any{"walletName": "Hidden", "accounts": []any{}})
	accepted(t, otherWallet)
	sign := func(address string) custodytest.Answer {
		return rig.Submit(t, person.Key, "sign_raw_payload", "SIGN_RAW_PAYLOAD_V2", person.OrganizationID, map[string]any{
			"signWith": address, "payload": "00", "encoding": "PAYLOAD_ENCODING_HEXADECIMAL", "hashFunction": "HASH_FUNCTION_KECCAK256",
		})
	}
	query := func(name, field string) func(id string) custodytest.Answer {
		return func(id string) custodytest.Answer {
			return rig.Query(t, person.Key, name, person.OrganizationID, field, id)
		}
	}
	tests := map[string]struct {
		ask                func(id string) custodytest.Answer
		elsewhere, nowhere string
		status             int
	}{
		"fail/organization of a read": {
			func(id string) custodytest.Answer { return rig.Query(t, person.Key, "list_wallets", id) },
			other.OrganizationID, unknownID, http.StatusUnauthorized,
		},
		"fail/organization of whoami": {
			func(id string) custodytest.Answer { return rig.Query(t, person.Key, "whoami", id) },
			other.OrganizationID, unknownID, http.StatusUnauthorized,
		},
		"fail/organization of a write": {
			func(id string) custodytest.Answer {
				return rig.Submit(t, person.Key, "create_wallet", "CREATE_WALLET", id, map[string]any{"walletName": "x", "accounts": []any{}})
			},
			other.OrganizationID, unknownID, http.StatusUnauthorized,
		},
		"fail/organization of a session": {
			func(id string) custodytest.Answer {
				return rig.Submit(t, person.Key, "create_read_only_session", "CREATE_READ_ONLY_SESSION", id, map[string]any{})
			},
			other.OrganizationID, unknownID, http.StatusUnauthorized,
		},
		"fail/get_user":             {query("get_user", "userId"), other.UserID, unknownID, http.StatusNotFound},
		"fail/get_wallet":           {query("get_wallet", "walletId"), other.WalletID, unknownID, http.StatusNotFound},
		"fail/list_wallet_accounts": {query("list_wallet_accounts", "walletId"), other.WalletID, unknownID, http.StatusNotFound},
		"fail/get_activity":         {query("get_activity", "activityId"), otherWallet.TextAt("activity", "id"), unknownID, http.StatusNotFound},
		"fail/activity of parent":   {query("get_activity", "activityId"), person.CreationActivityID, unknownID, http.StatusNotFound},
		"fail/create_wallet_accounts": {
			func(id string) custodytest.Answer {
				return rig.Submit(t, person.Key, "create_wallet_accounts", "CREATE_WALLET_ACCOUNTS", person.OrganizationID,
					map[string]any{"walletId": id, "accounts": custodytest.StartingAccounts()})
			},
			other.WalletID, unknownID, http.StatusNotFound,
		},
		"fail/session user": {
			func(id string) custodytest.Answer {
				return rig.Submit(t, person.Key, "create_read_write_session", "CREATE_READ_WRITE_SESSION_V2", person.OrganizationID,
					map[string]any{"targetPublicKey": "04", "userId": id})
			},
			other.UserID, unknownID, http.StatusForbidden,
		},
		"fail/signWith on EVM":    {sign, other.EthereumAddress, "0x000000000000000000000000000000000000dEaD", http.StatusNotFound},
		"fail/signWith on Solana": {sign, other.SolanaAddress, "11111111111111111111111111111112", http.StatusNotFound},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			elsewhere, nowhere := test.ask(test.elsewhere), test.ask(test.nowhere)
			if elsewhere.Status != test.status {
				t.Errorf("got %d %s", elsewhere.Status, elsewhere.Text)
			}
			same := strings.ReplaceAll(elsewhere.Text, test.elsewhere, test.nowhere) == nowhere.Text
			if elsewhere.Status != nowhere.Status || !same {
				t.Errorf("elsewhere:\n%s\nnowhere:\n%s", elsewhere.Text, nowhere.Text)
			}
		})
	}
}

func TestParentReadsAndDoesNotWrite(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	wallets := rig.Query(t, rig.ParentKey, "list_wallets", person.OrganizationID)
	if wallets.TextAt("wallets", 0, "walletId") != person.WalletID {
		t.Errorf("wallets: %s", wallets.Text)
	}
	accounts := rig.Query(t, rig.ParentKey, "list_wallet_accounts", person.OrganizationID, "walletId", person.WalletID)
	if accounts.TextAt("accounts", 0, "address") != person.EthereumAddress || accounts.TextAt("accounts", 1, "address") != person.SolanaAddress {
		t.Errorf("accounts: %s", accounts.Text)
	}
	accepted(t, rig.Query(t, rig.ParentKey, "get_activity", rig.Parent.OrganizationID, "activityId", person.CreationActivityID))
	for name, kind := range map[string]string{
		"create_wallet": "CREATE_WALLET", "create_read_write_session": "CREATE_READ_WRITE_SESSION_V2",
		"create_read_only_session": "CREATE_READ_ONLY_SESSION", "sign_raw_payload": "SIGN_RAW_PAYLOAD_V2",
		"create_sub_organization": "CREATE_SUB_ORGANIZATION_V7",
	} {
		answer := rig.Submit(t, rig.ParentKey, name, kind, person.OrganizationID, map[string]any{})
		refused(t, answer, http.StatusBadRequest, 3, "organization mismatch: request is targeting organization")
	}
	// And the child sees nothing of the parent.
	refused(t, rig.Query(t, person.Key, "get_user", rig.Parent.OrganizationID, "userId", rig.Parent.UserID), http.StatusUnauthorized, 16, "could not find public key")
	nested := rig.Submit(t, person.Key, "create_sub_organization", "CREATE_SUB_ORGANIZATION_V7", person.OrganizationID,
		custodytest.SubOrganization([]map[string]any{custodytest.APIKey(person.Key, "")}, nil))
	refused(t, nested, http.StatusBadRequest, 3, "a sub-organization cannot have sub-organizations")
}
