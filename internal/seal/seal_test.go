package seal_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tenfold/internal/seal"
	"tenfold/internal/secret"
)

var place = seal.Place{Owner: "organization", Table: "wallets", Row: "row", Column: "column"}

func setup(t *testing.T) (seal.FileKeeper, seal.DataKey, []byte) {
	t.Helper()
	keeper, err := seal.CreateFileKeeper(filepath.Join(t.TempDir(), "root.key"))
	if err != nil {
		t.Fatal(err)
	}
	key, wrapped, err := seal.NewDataKey(t.Context(), keeper, place.Owner)
	if err != nil {
		t.Fatal(err)
	}
	return keeper, key, wrapped
}

func TestSealAndOpen(t *testing.T) {
	t.Parallel()
	keeper, key, wrapped := setup(t)
	value := secret.Own([]byte("seed words"))
	sealed, err := key.Seal(place, value)
	if err != nil {
		t.Fatal(err)
	}
	again, err := key.Seal(place, value)
	if err != nil || bytes.Equal(sealed, again) || bytes.Contains(sealed, value.Expose()) {
		t.Errorf("sealing shows the value or repeats: %v", err)
	}
	key.Wipe()
	reopened, err := seal.OpenDataKey(t.Context(), keeper, wrapped, place.Owner)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := reopened.Open(place, sealed)
	if err != nil || !opened.Equal(value) {
		t.Errorf("got %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	_, key, _ := setup(t)
	_, otherKey, _ := setup(t)
	sealed, err := key.Seal(place, secret.Own([]byte("seed words")))
	if err != nil {
		t.Fatal(err)
	}
	at := func(change func(*seal.Place)) seal.Place {
		moved := place
		change(&moved)
		return moved
	}
	tests := map[string]struct {
		key   seal.DataKey
		place seal.Place
	}{
		"fail/other key":      {otherKey, place},
		"fail/other owner":    {key, at(func(p *seal.Place) { p.Owner = "x" })},
		"fail/other table":    {key, at(func(p *seal.Place) { p.Table = "x" })},
		"fail/other row":      {key, at(func(p *seal.Place) { p.Row = "x" })},
		"fail/other column":   {key, at(func(p *seal.Place) { p.Column = "x" })},
		"fail/shifted fields": {key, at(func(p *seal.Place) { p.Row, p.Column = "rowc", "olumn" })},
	}
	for name, test := range tests {
		if _, err := test.key.Open(test.place, sealed); !errors.Is(err, seal.ErrOpen) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range sealed {
		bent := bytes.Clone(sealed)
		bent[i] ^= 1
		if _, err := key.Open(place, bent); !errors.Is(err, seal.ErrOpen) {
			t.Errorf("byte %d flipped: %v", i, err)
		}
	}
	for size := range sealed {
		if _, err := key.Open(place, sealed[:size]); !errors.Is(err, seal.ErrOpen) {
			t.Errorf("cut to %d bytes: %v", size, err)
		}
	}
}

func TestDataKeyBelongsToItsOwner(t *testing.T) {
	t.Parallel()
	keeper, _, wrapped := setup(t)
	if _, err := seal.OpenDataKey(t.Context(), keeper, wrapped, "other"); !errors.Is(err, seal.ErrOpen) {
		t.Errorf("got %v", err)
	}
	stranger, _, _ := setup(t)
	if _, err := seal.OpenDataKey(t.Context(), stranger, wrapped, place.Owner); !errors.Is(err, seal.ErrOpen) {
		t.Errorf("another root key: %v", err)
	}
}

func TestRowCodes(t *testing.T) {
	t.Parallel()
	_, key, _ := setup(t)
	row := seal.Place{Owner: "organization", Table: "users", Row: "row"}
	code := key.Authenticate(row, []byte("name"), []byte("true"))
	if err := key.Check(row, code, []byte("name"), []byte("true")); err != nil {
		t.Fatal(err)
	}
	otherRow := row
	otherRow.Row = "other"
	tests := map[string]error{
		"fail/changed field":  key.Check(row, code, []byte("name"), []byte("false")),
		"fail/moved border":   key.Check(row, code, []byte("namet"), []byte("rue")),
		"fail/fewer fields":   key.Check(row, code, []byte("nametrue")),
		"fail/more fields":    key.Check(row, code, []byte("name"), []byte("true"), nil),
		"fail/other row":      key.Check(otherRow, code, []byte("name"), []byte("true")),
		"fail/no code":        key.Check(row, nil, []byte("name"), []byte("true")),
		"fail/shortened code": key.Check(row, code[:16], []byte("name"), []byte("true")),
	}
	for name, err := range tests {
		if !errors.Is(err, seal.ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "root.key")
	if _, err := seal.OpenFileKeeper(path); !errors.Is(err, seal.ErrNoKeyFile) {
		t.Errorf("no file: %v", err)
	}
	created, err := seal.CreateFileKeeper(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	if _, err := seal.CreateFileKeeper(path); err == nil {
		t.Error("an existing root key was replaced")
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left over: %v, %v", entries, err)
	}
	wrapped, err := created.Wrap(t.Context(), secret.Own([]byte("key")), "owner")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := seal.OpenFileKeeper(path)
	if err != nil {
		t.Fatal(err)
	}
	key, err := opened.Unwrap(t.Context(), wrapped, "owner")
	if err != nil || !key.Equal(secret.Own([]byte("key"))) {
		t.Errorf("the reopened keeper differs: %v", err)
	}
}

func TestKeyFileRefuses(t *testing.T) {
	t.Parallel()
	good := "tenfold root key v1\n" + hex.EncodeToString(make([]byte, 32)) + "\n"
	tests := map[string]struct {
		content string
		mode    os.FileMode
	}{
		"fail/readable by group": {good, 0o640},
		"fail/readable by all":   {good, 0o604},
		"fail/empty":             {"", 0o600},
		"fail/other version":     {"tenfold root key v2\n" + good[len("tenfold root key v1\n"):], 0o600},
		"fail/cut":               {good[:len(good)-3], 0o600},
		"fail/longer":            {good + "00", 0o600},
		"fail/not hex":           {good[:len(good)-3] + "zz\n", 0o600},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "root.key")
			if err := os.WriteFile(path, []byte(test.content), test.mode); err != nil {
				t.Fatal(err)
			}
			if _, err := seal.OpenFileKeeper(path); !errors.Is(err, seal.ErrKeyFile) {
				t.Errorf("got %v", err)
			}
		})
	}
}
