package network

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeysAreMadeOnceAndKeptPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := loadOrCreateKeys(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := loadOrCreateKeys(dir)
	if err != nil {
		t.Fatal(err)
	}
	other, err := loadOrCreateKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if !first.treasury.Equal(again.treasury) || !first.solver.Equal(again.solver) ||
		!first.provider.Equal(again.provider) || !first.accounts[1].Equal(again.accounts[1]) {
		t.Error("the keys changed")
	}
	seen := map[string]bool{}
	for _, h := range append(first.holders(), other.holders()...) {
		seen[h.Address.Hex()] = true
	}
	if len(seen) != 2*len(first.holders()) {
		t.Errorf("%d different accounts in two folders", len(seen))
	}
	info, err := os.Stat(filepath.Join(dir, "keys.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key file: %v, %v; want mode 0600", info.Mode(), err)
	}
}

func TestDamagedKeyFileIsRefusedWithoutBeingShown(t *testing.T) {
	t.Parallel()
	const secret = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
	for name, content := range map[string]string{
		"fail/cut off":      `{"treasury":"` + secret + `","solver":"` + secret,
		"fail/too few":      `{"treasury":"` + secret + `","solver":"` + secret + `","liquidityProvider":"` + secret + `","testAccounts":[]}`,
		"fail/not a key":    `{"treasury":"` + secret + `ff","solver":"` + secret + `","liquidityProvider":"` + secret + `","testAccounts":["` + secret + `","` + secret + `"]}`,
		"fail/key is empty": `{"treasury":"` + secret + `","solver":"","liquidityProvider":"` + secret + `","testAccounts":["` + secret + `","` + secret + `"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "keys.json"), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := loadOrCreateKeys(dir)
			if err == nil || strings.Contains(err.Error(), secret[:16]) {
				t.Errorf("%v; want a refusal that shows no key", err)
			}
		})
	}
}
