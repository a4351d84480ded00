package custody_test

import (
	"fmt"
	"net/http"
	"testing"

	"tenfold/internal/custody/custodytest"
)

func createWallet(t *testing.T, rig *custodytest.Rig, person custodytest.Person, name string, more map[string]any) custodytest.Answer {
	t.Helper()
	parameters := map[string]any{"walletName": name, "accounts": []any{}}
	for key, value := range more {
		parameters[key] = value
	}
	return rig.Submit(t, person.Key, "create_wallet", "CREATE_WALLET", person.OrganizationID, parameters)
}

func TestWallets(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	for _, words := range []int{12, 15, 18, 21, 24} {
		answer := createWallet(t, rig, person, fmt.Sprint("words ", words), map[string]any{"mnemonicLength": words, "accounts": custodytest.StartingAccounts()})
		accepted(t, answer)
		addresses, _ := answer.Result("createWalletResult")["addresses"].([]any)
		if len(addresses) != 2 || addresses[0] == person.EthereumAddress || addresses[1] == person.SolanaAddress {
			t.Errorf("%d words: %v", words, addresses)
		}
	}
	wallet := rig.Query(t, person.Key, "get_wallet", person.OrganizationID, "walletId", person.WalletID)
	if wallet.TextAt("wallet", "walletName") != "Wallet 1" || wallet.At("wallet", "exported") != false || wallet.At("wallet", "imported") != false {
		t.Errorf("wallet: %s", wallet.Text)
	}
	refused(t, createWallet(t, rig, person, "Wallet 1", nil), http.StatusConflict, 6, "wallet label must be unique")
	// Another organization has names of its own.
	accepted(t, createWallet(t, rig, rig.CreatePerson(t), "words 12", nil))
}

func TestWalletLimit(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	for i := range 99 {
		accepted(t, createWallet(t, rig, person, fmt.Sprint("wallet ", i), nil))
	}
	refused(t, createWallet(t, rig, person, "one too many", nil), http.StatusTooManyRequests, 8, "organization has exceeded maximum wallets")
}

func TestWalletAccounts(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	add := func(accounts []map[string]string) custodytest.Answer {
		return rig.Submit(t, person.Key, "create_wallet_accounts", "CREATE_WALLET_ACCOUNTS", person.OrganizationID,
			map[string]any{"walletId": person.WalletID, "accounts": accounts})
	}
	account := func(index int) map[string]string {
		return map[string]string{
			"curve": "CURVE_SECP256K1", "pathFormat": "PATH_FORMAT_BIP32", "path": fmt.Sprintf("m/44'/60'/%d'/0/0", index),
			"addressFormat": "ADDRESS_FORMAT_ETHEREUM",
		}
	}
	var more []map[string]string
	for i := 1; i <= 12; i++ {
		more = append(more, account(i))
	}
	answer := add(more)
	accepted(t, answer)
	addresses, _ := answer.Result("createWalletAccountsResult")["addresses"].([]any)
	if len(addresses) != 12 {
		t.Fatalf("addresses: %v", addresses)
	}
	refused(t, add([]map[string]string{account(13), account(3)}), http.StatusConflict, 6, "path already exists in wallet account")
	refused(t, add([]map[string]string{}), http.StatusBadRequest, 3, "accounts")
	refused(t, add(make([]map[string]string, 101)), http.StatusTooManyRequests, 8, "too many accounts")
	if got := pages(t, rig, person, 5); len(got) != 14 || got[0] != person.EthereumAddress || got[2] != addresses[0] || got[13] != addresses[11] {
		t.Errorf("a refused request left accounts, or pages lose some: %v", got)
	}
}

// pages walks all accounts, forwards in pages of the given size, and checks that
// walking backwards meets the same.
func pages(t *testing.T, rig *custodytest.Rig, person custodytest.Person, size int) []any {
	t.Helper()
	list := func(options map[string]any) []any {
		body := custodytest.Marshal(t, map[string]any{
			"organizationId": person.OrganizationID, "walletId": person.WalletID, "paginationOptions": options,
		})
		answer := rig.Stamped(t, person.Key, custodytest.QueryPath("list_wallet_accounts"), body)
		accepted(t, answer)
		accounts, _ := answer.At("accounts").([]any)
		return accounts
	}
	field := func(account any, name string) any { return account.(map[string]any)[name] }
	var addresses, ids []any
	for after := any(""); ; {
		page := list(map[string]any{"limit": fmt.Sprint(size), "after": after})
		if len(page) > size {
			t.Fatalf("a page of %d", len(page))
		}
		for _, account := range page {
			addresses, ids = append(addresses, field(account, "address")), append(ids, field(account, "walletAccountId"))
		}
		if len(page) < size {
			break
		}
		after = ids[len(ids)-1]
	}
	before := list(map[string]any{"limit": fmt.Sprint(size), "before": ids[len(ids)-1]})
	if len(before) != size || field(before[size-1], "walletAccountId") != ids[len(ids)-2] {
		t.Errorf("backwards: %v", before)
	}
	return addresses
}

func TestPaginationRefuses(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	for _, options := range []map[string]any{
		{"limit": "101"}, {"limit": "-1"}, {"limit": "ten"}, {"limit": "4294967297"}, {"before": "a", "after": "b"},
	} {
		body := custodytest.Marshal(t, map[string]any{"organizationId": person.OrganizationID, "paginationOptions": options})
		answer := rig.Stamped(t, person.Key, custodytest.QueryPath("list_wallet_accounts"), body)
		if answer.Status != http.StatusBadRequest || answer.Code() != 3 {
			t.Errorf("%v: %d %s", options, answer.Status, answer.Text)
		}
	}
}
