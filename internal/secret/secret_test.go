package secret_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"tenfold/internal/secret"
)

func TestNothingPrintsIt(t *testing.T) {
	t.Parallel()
	canary := "canary-7f3a"
	value := secret.Own([]byte(canary))
	holder := struct {
		Name string
		Key  secret.Bytes
	}{"holder", value}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%b", "%08x"} {
		fmt.Fprintf(&out, verb+"|"+verb+"|"+verb+"\n", value, holder, &holder)
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("test", slog.Any("key", value), slog.Any("holder", fmt.Sprint(holder)))
	slog.New(slog.NewTextHandler(&out, nil)).Info("test", slog.Any("key", value))
	shown := out.String()
	for _, form := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary), strings.Trim(fmt.Sprint([]byte(canary)), "[]")} {
		if strings.Contains(shown, form) {
			t.Errorf("the secret was printed as %q in:\n%s", form, shown)
		}
	}
}

func TestMarshallingFails(t *testing.T) {
	t.Parallel()
	value := secret.Own([]byte("canary"))
	if _, err := json.Marshal(struct{ Key secret.Bytes }{value}); !errors.Is(err, secret.ErrMarshal) {
		t.Errorf("JSON: %v", err)
	}
	if _, err := value.MarshalText(); !errors.Is(err, secret.ErrMarshal) {
		t.Errorf("text: %v", err)
	}
	if _, err := value.MarshalBinary(); !errors.Is(err, secret.ErrMarshal) {
		t.Errorf("binary: %v", err)
	}
}

func TestCannotBeCompared(t *testing.T) {
	t.Parallel()
	if reflect.TypeFor[secret.Bytes]().Comparable() {
		t.Error("== on secrets compiles, and is not constant-time")
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	a := secret.Own([]byte{1, 2, 3})
	tests := map[string]struct {
		other []byte
		want  bool
	}{
		"ok/same":      {[]byte{1, 2, 3}, true},
		"fail/differs": {[]byte{1, 2, 4}, false},
		"fail/shorter": {[]byte{1, 2}, false},
		"fail/empty":   {nil, false},
	}
	for name, test := range tests {
		if got := a.Equal(secret.Own(test.other)); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWipeReachesEveryCopy(t *testing.T) {
	t.Parallel()
	memory := []byte{1, 2, 3}
	value := secret.Own(memory)
	other := value
	other.Wipe()
	if !bytes.Equal(memory, []byte{0, 0, 0}) || !bytes.Equal(value.Expose(), memory) {
		t.Errorf("left over: %v", memory)
	}
}

func TestRandom(t *testing.T) {
	t.Parallel()
	a, b := secret.Random(32), secret.Random(32)
	if a.Len() != 32 || a.Equal(b) || a.Equal(secret.Own(make([]byte, 32))) {
		t.Error("two random secrets are equal or empty")
	}
}
