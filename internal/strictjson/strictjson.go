// Package strictjson decodes JSON that arrived from outside and refuses every
// text that two readers could understand differently: duplicate keys, keys that
// differ only in letter case, invalid UTF-8, trailing data, excessive nesting.
// Unknown fields and nulls are accepted, because official clients send them.
//
// It must never repair its input. Layer: vocabulary.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tenfold/catalog"
)

// MaxDepth is how deeply arrays and objects may nest.
var MaxDepth = catalog.CurrentLimits().Request.JSONDepth

// ErrAmbiguous marks text that is JSON to some decoder but is refused here.
var ErrAmbiguous = errors.New("ambiguous JSON")

// Unmarshal decodes data into target, which is a pointer as in encoding/json.
func Unmarshal(data []byte, target any) error {
	if err := Check(data); err != nil {
		return err
	}
	return json.Unmarshal(data, target)
}

// Check reports why data is not one unambiguous JSON value.
func Check(data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("%w: invalid UTF-8", ErrAmbiguous)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := checkValue(decoder, 0); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: data after the value", ErrAmbiguous)
	}
	return nil
}

func checkValue(decoder *json.Decoder, depth int) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	opening, isDelimiter := token.(json.Delim)
	if !isDelimiter {
		return nil
	}
	if depth == MaxDepth {
		return fmt.Errorf("%w: nested deeper than %d", ErrAmbiguous, MaxDepth)
	}
	if opening == '{' {
		err = checkObject(decoder, depth+1)
	} else {
		err = checkArray(decoder, depth+1)
	}
	if err != nil {
		return err
	}
	_, err = decoder.Token() // the closing delimiter
	return err
}

func checkArray(decoder *json.Decoder, depth int) error {
	for decoder.More() {
		if err := checkValue(decoder, depth); err != nil {
			return err
		}
	}
	return nil
}

// checkObject folds letter case before it compares keys: encoding/json would let
// "Type" overwrite "type".
func checkObject(decoder *json.Decoder, depth int) error {
	seen := map[string]struct{}{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		key, ok := token.(string)
		if !ok {
			return fmt.Errorf("%w: a key is not a string", ErrAmbiguous)
		}
		folded := foldCase(key)
		if _, duplicate := seen[folded]; duplicate {
			return fmt.Errorf("%w: duplicate key", ErrAmbiguous)
		}
		seen[folded] = struct{}{}
		if err := checkValue(decoder, depth); err != nil {
			return err
		}
	}
	return nil
}

// foldCase maps all keys that encoding/json's matching takes for equal to one
// form. Going through upper case first also joins the letters outside ASCII that
// fold into it (ſ and s, the Kelvin sign and k).
func foldCase(key string) string {
	return strings.ToLower(strings.ToUpper(key))
}
