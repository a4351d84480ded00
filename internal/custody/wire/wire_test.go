package wire_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"tenfold/internal/custody/wire"
)

func TestInt64(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want int64
		ok   bool
	}{
		"ok/string":         {`"900"`, 900, true},
		"ok/number":         {`900`, 900, true},
		"ok/null":           {`null`, 7, true},
		"ok/largest":        {`"9223372036854775807"`, math.MaxInt64, true},
		"ok/smallest":       {`"-9223372036854775808"`, math.MinInt64, true},
		"fail/overflow":     {`"9223372036854775808"`, 0, false},
		"fail/fraction":     {`1.5`, 0, false},
		"fail/exponent":     {`1e3`, 0, false},
		"fail/empty":        {`""`, 0, false},
		"fail/space":        {`" 1"`, 0, false},
		"fail/plus":         {`"+1"`, 0, false},
		"fail/hexadecimal":  {`"0x10"`, 0, false},
		"fail/underscore":   {`"1_000"`, 0, false},
		"fail/quoted twice": {`"\"1\""`, 0, false},
		"fail/boolean":      {`true`, 0, false},
		"fail/list":         {`[1]`, 0, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value := wire.Int64(7)
			err := json.Unmarshal([]byte(test.text), &value)
			if (err == nil) != test.ok || (test.ok && int64(value) != test.want) {
				t.Errorf("got %d, %v", value, err)
			}
		})
	}
	encoded, err := json.Marshal(wire.Int64(math.MinInt64))
	if err != nil || string(encoded) != `"-9223372036854775808"` {
		t.Errorf("written as %s, %v", encoded, err)
	}
}

func TestDropNulls(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`{"a":null,"b":{"c":null,"d":[{"e":null},null,1]}}`: `{"b":{"d":[{},null,1]}}`,
		`{"n":123456789012345678901234567890,"s":"<&>"}`:    `{"n":123456789012345678901234567890,"s":"<&>"}`,
		`{}`: `{}`,
	}
	for text, want := range tests {
		got, err := wire.DropNulls(json.RawMessage(text))
		if err != nil || string(got) != want {
			t.Errorf("%s becomes %s, %v", text, got, err)
		}
	}
}

func TestCheckOrganizationID(t *testing.T) {
	t.Parallel()
	const good = "01a1fb07-4004-7b75-b182-60060ec84f4a"
	if err := wire.CheckOrganizationID(good); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "x", good + " ", "urn:uuid:" + good, "{" + good + "}", "01A1FB07-4004-7B75-B182-60060EC84F4A", "01a1fb0740047b75b18260060ec84f4a"} {
		var refusal *wire.Error
		if err := wire.CheckOrganizationID(bad); !errors.As(err, &refusal) || refusal.Code != wire.InvalidArgument {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestErrorBody(t *testing.T) {
	t.Parallel()
	cause := errors.New("the cause")
	refusal := wire.Unauthorized("expired api key publicKey=%s", "02").Named("API_KEY_EXPIRED").Because(cause)
	body, err := wire.Encode(refusal.Body())
	want := `{"code":16,"message":"expired api key publicKey=02","details":[],"turnkeyErrorCode":"API_KEY_EXPIRED"}`
	if err != nil || string(body) != want {
		t.Errorf("got %s, %v", body, err)
	}
	if !errors.Is(refusal, cause) || refusal.HTTPStatus() != 401 {
		t.Errorf("%v, status %d", refusal, refusal.HTTPStatus())
	}
	for code, status := range map[wire.Code]int{3: 400, 5: 404, 6: 409, 7: 403, 8: 429, 13: 500, 16: 401, 99: 500} {
		if got := (&wire.Error{Code: code}).HTTPStatus(); got != status {
			t.Errorf("code %d is status %d", code, got)
		}
	}
}

func FuzzDropNulls(f *testing.F) {
	f.Add([]byte(`{"a":null,"b":[{"c":null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var value any
		if wire.Decode(data, &value) != nil {
			return
		}
		once, err := wire.DropNulls(data)
		if err != nil {
			t.Fatalf("accepted by Decode, then: %v", err)
		}
		twice, err := wire.DropNulls(once)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("not stable: %s, %s, %v", once, twice, err)
		}
	})
}
