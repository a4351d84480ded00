package strictjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenfold/internal/strictjson"
)

func TestUnmarshal(t *testing.T) {
	t.Parallel()
	nested := func(depth int) string {
		return strings.Repeat("[", depth) + strings.Repeat("]", depth)
	}
	tests := map[string]struct {
		text string
		ok   bool
	}{
		"ok/object":                      {`{"type":"A","parameters":{"n":1,"list":[{"n":2},{"n":3}]}}`, true},
		"ok/unknown and null":            {`{"type":"A","later":true,"other":null}`, true},
		"ok/white space":                 {" \n{\"type\" : \"A\"}\t", true},
		"ok/same key in two objects":     {`{"a":{"x":1},"b":{"x":1}}`, true},
		"ok/deepest":                     {nested(strictjson.MaxDepth), true},
		"fail/too deep":                  {nested(strictjson.MaxDepth + 1), false},
		"fail/duplicate":                 {`{"type":"A","type":"B"}`, false},
		"fail/duplicate inside":          {`{"p":[{"a":1,"a":1}]}`, false},
		"fail/duplicate by escape":       {`{"type":"A","t\u0079pe":"B"}`, false},
		"fail/duplicate by case":         {`{"type":"A","Type":"B"}`, false},
		"fail/duplicate by long s":       {`{"userIds":"A","u\u017ferIds":"B"}`, false},
		"fail/duplicate by Kelvin sign":  {`{"key":"A","\u212aey":"B"}`, false},
		"fail/duplicate lone surrogates": {`{"\ud800":1,"\ud801":2}`, false},
		"fail/second value":              {`{} {}`, false},
		"fail/trailing bracket":          {`{}]`, false},
		"fail/trailing comma":            {`{"a":1,}`, false},
		"fail/missing comma":             {`{"a":1 "b":2}`, false},
		"fail/comment":                   {`{"a":1}//`, false},
		"fail/single quotes":             {`{'a':1}`, false},
		"fail/byte order mark":           {"\ufeff{}", false},
		"fail/invalid UTF-8":             {"{\"a\":\"\xff\"}", false},
		"fail/leading zero":              {`{"a":01}`, false},
		"fail/NaN":                       {`{"a":NaN}`, false},
		"fail/cut":                       {`{"a":`, false},
		"fail/empty":                     {``, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var target any
			if err := strictjson.Unmarshal([]byte(test.text), &target); (err == nil) != test.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"type":"A","list":[1,2,{"x":null}]}`))
	f.Add([]byte(`{"a":1,"A":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var target any
		if strictjson.Unmarshal(data, &target) == nil && !json.Valid(data) {
			t.Fatalf("accepted what is no JSON: %q", data)
		}
	})
}
