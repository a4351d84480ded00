package custody_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/internal/custody"
	"tenfold/internal/custody/custodytest"
	"tenfold/internal/seal"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestEditedRows changes rows as somebody with write access to the database
// could: what was changed is refused, never used.
func TestEditedRows(t *testing.T) {
	t.Parallel()
	sign := func(t *testing.T, rig *custodytest.Rig, person custodytest.Person) custodytest.Answer {
		t.Helper()
		return signTransaction(t, rig, person, "ETHEREUM", person.EthereumAddress, unsignedTransfer(t))
	}
	whoami := func(t *testing.T, rig *custodytest.Rig, person custodytest.Person) custodytest.Answer {
		t.Helper()
		return rig.Query(t, person.Key, "whoami", person.OrganizationID)
	}
	tests := map[string]struct {
		statement string
		ask       func(*testing.T, *custodytest.Rig, custodytest.Person) custodytest.Answer
	}{
		"fail/key given to another user":  {"UPDATE api_keys SET user_id = (SELECT id FROM users WHERE id <> user_id LIMIT 1) WHERE organization_id = $1", whoami},
		"fail/key renamed":                {"UPDATE api_keys SET name = 'x' WHERE organization_id = $1", whoami},
		"fail/expiry changed":             {"UPDATE api_keys SET expiration_seconds = 5 WHERE organization_id = $1", whoami},
		"fail/user made root":             {"UPDATE users SET is_root = NOT is_root WHERE organization_id = $1", whoami},
		"fail/user renamed":               {"UPDATE users SET name = 'Eve' WHERE organization_id = $1", whoami},
		"fail/organization freed":         {"UPDATE organizations SET parent_id = NULL WHERE id = $1", whoami},
		"fail/threshold lowered":          {"UPDATE organizations SET root_quorum_threshold = 0 WHERE id = $1", whoami},
		"fail/data key of another":        {"UPDATE data_keys SET wrapped = (SELECT wrapped FROM data_keys WHERE organization_id <> $1 LIMIT 1) WHERE organization_id = $1", whoami},
		"fail/seed of another wallet":     {"UPDATE wallets SET sealed_seed = (SELECT sealed_seed FROM wallets WHERE organization_id <> $1 LIMIT 1) WHERE organization_id = $1", sign},
		"fail/entropy in place of a seed": {"UPDATE wallets SET sealed_seed = sealed_entropy WHERE organization_id = $1", sign},
		"fail/account moved to a path":    {"UPDATE wallet_accounts SET path = 'm/44''/60''/9''/0/0' WHERE organization_id = $1", sign},
		"fail/account under another name": {"UPDATE wallet_accounts SET address_lookup = address_lookup || 'x' WHERE organization_id = $1 AND curve = 'CURVE_SECP256K1'", sign},
		"fail/other account's name":       {"UPDATE wallet_accounts SET address_lookup = CASE curve WHEN 'CURVE_ED25519' THEN (SELECT lower(address) FROM wallet_accounts w WHERE w.curve = 'CURVE_SECP256K1' AND w.organization_id = $1) ELSE 'x' END WHERE organization_id = $1", sign},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := custodytest.Start(t)
			person := rig.CreatePerson(t)
			rig.CreatePerson(t)
			accepted(t, test.ask(t, rig, person))
			edit(t, rig, test.statement, person.OrganizationID)
			if answer := test.ask(t, rig, person); answer.Status == http.StatusOK {
				t.Errorf("the edited row was used: %s", answer.Text)
			}
		})
	}
}

// TestOtherRowsCode moves a row's code along with its content to another id: the
// code belongs to the row's place.
func TestOtherRowsCode(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	edit(t, rig, "UPDATE api_keys SET id = '"+unknownID+"' WHERE organization_id = $1", person.OrganizationID)
	refused(t, rig.Query(t, person.Key, "whoami", person.OrganizationID), http.StatusInternalServerError, 13, "internal server error")
}

func TestReopen(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	rig.Serve(t) // a second process on the same folder
	accepted(t, rig.Query(t, person.Key, "whoami", person.OrganizationID))
	accepted(t, signTransaction(t, rig, person, "ETHEREUM", person.EthereumAddress, unsignedTransfer(t)))
}

func TestInitialise(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	folder := filepath.Join(t.TempDir(), "new", "folder")
	key, other := stamptest.NewSigner(t).PublicKey(), stamptest.NewSigner(t).PublicKey()
	if _, err := custody.Open(ctx, custody.Settings{DataDir: folder}); !errors.Is(err, custody.ErrNotInitialised) {
		t.Errorf("open before init: %v", err)
	}
	if _, err := custody.FindParent(ctx, folder, key); !errors.Is(err, custody.ErrNotInitialised) {
		t.Errorf("find before init: %v", err)
	}
	for _, bad := range []string{"", "zz", "04" + key[2:], key + "00"} {
		if _, err := custody.Initialise(ctx, folder, "name", bad); !errors.Is(err, stamp.ErrMalformed) {
			t.Errorf("key %q: %v", bad, err)
		}
	}
	if _, err := custody.Initialise(ctx, folder, "", key); err == nil {
		t.Error("an organization without a name")
	}
	first, err := custody.EnsureInitialised(ctx, folder, "name", key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := custody.Initialise(ctx, folder, "name", key); !errors.Is(err, custody.ErrInitialised) {
		t.Errorf("twice: %v", err)
	}
	if again, err := custody.EnsureInitialised(ctx, folder, "other name", strings.ToUpper(key)); err != nil || again != first {
		t.Errorf("again: %v, %v", again, err)
	}
	if _, err := custody.EnsureInitialised(ctx, folder, "name", other); !errors.Is(err, custody.ErrOtherKey) {
		t.Errorf("another key: %v", err)
	}
	info, err := os.Stat(folder)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder mode %v, %v", info.Mode(), err)
	}
}

// TestInterruptedInitialise starts from what a kill can leave behind.
func TestInterruptedInitialise(t *testing.T) {
	t.Parallel()
	key := stamptest.NewSigner(t).PublicKey()
	t.Run("ok/root key only", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		if _, err := seal.CreateFileKeeper(filepath.Join(folder, "root.key")); err != nil {
			t.Fatal(err)
		}
		if _, err := custody.EnsureInitialised(t.Context(), folder, "name", key); err != nil {
			t.Error(err)
		}
	})
	t.Run("ok/empty database", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		if _, err := seal.CreateFileKeeper(filepath.Join(folder, "root.key")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "custody.db"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := custody.EnsureInitialised(t.Context(), folder, "name", key); err != nil {
			t.Error(err)
		}
	})
	t.Run("fail/lost root key", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		if _, err := custody.Initialise(t.Context(), folder, "name", key); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(folder, "root.key")); err != nil {
			t.Fatal(err)
		}
		if _, err := custody.EnsureInitialised(t.Context(), folder, "name", key); !errors.Is(err, seal.ErrNoKeyFile) {
			t.Errorf("got %v", err)
		}
	})
}
