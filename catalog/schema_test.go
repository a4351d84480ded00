package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every file of the catalog names its schema and follows it.
func TestFilesFollowTheirSchemas(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"chains", "tokens", "limits", "messages", "venues"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema := readJSON(t, "schema/"+name+".schema.json").(map[string]any)
			for _, complaint := range complaints(schema, readJSON(t, name+".json"), name) {
				t.Error(complaint)
			}
		})
	}
}

// A schema that takes everything would pass the test above.
func TestSchemasRefuseWrongFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, from, to string }{
		"a missing field":      {"chains", `"blockTimeMs": 12000,`, ``},
		"an unknown field":     {"tokens", `"symbol": "WETH",`, `"symbol": "WETH", "price": 1,`},
		"text for a number":    {"limits", `"validMs": 30000`, `"validMs": "30000"`},
		"a short address":      {"venues", `0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D`, `0x7a25`},
		"an unknown kind":      {"venues", `"router"`, `"wallet"`},
		"plain HTTP":           {"chains", `"https://ethereum.reth.rs/rpc"`, `"http://ethereum.reth.rs/rpc"`},
		"capitals in a rule":   {"messages", `"turnkey error 16"`, `"Turnkey error 16"`},
		"a rule of nothing":    {"messages", `"contains": [["turnkey error 16"]]`, `"contains": []`},
		"a fractional number":  {"limits", `"slippageBps": 50`, `"slippageBps": 0.5`},
		"an icon from outside": {"tokens", `"/icons/tokens/eth.svg"`, `"https://example.org/eth.svg"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(c.file + ".json")
			if err != nil {
				t.Fatal(err)
			}
			space := regexp.MustCompile(`\s+`)
			flat := func(s string) string { return space.ReplaceAllString(s, "") }
			wrong := strings.Replace(flat(string(raw)), flat(c.from), flat(c.to), 1)
			if wrong == flat(string(raw)) {
				t.Fatal("the case changes nothing")
			}
			var document any
			if err := json.Unmarshal([]byte(wrong), &document); err != nil {
				t.Fatal(err)
			}
			schema := readJSON(t, "schema/"+c.file+".schema.json").(map[string]any)
			if len(complaints(schema, document, c.file)) == 0 {
				t.Error("the schema takes it")
			}
		})
	}
}

func readJSON(t *testing.T, path string) any {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&document); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return document
}

// complaints checks a document against the keywords that our schemas use. A
// keyword that it does not know is a complaint too, so that none is believed to be
// checked and is not.
func complaints(schema map[string]any, document any, at string) (list []string) {
	for keyword, rule := range schema {
		switch keyword {
		case "$schema", "title", "description":
		case "type", "const", "enum", "pattern", "minLength", "minimum", "maximum":
			if !fits(keyword, rule, document) {
				list = append(list, fmt.Sprintf("%s: %v breaks %s %v", at, document, keyword, rule))
			}
		case "items", "minItems", "uniqueItems":
			items, _ := document.([]any)
			list = append(list, ofArray(keyword, rule, items, at)...)
		case "required", "properties", "additionalProperties":
			members, _ := document.(map[string]any)
			list = append(list, ofObject(schema, keyword, members, at)...)
		case "anyOf":
			if !slices.ContainsFunc(rule.([]any), func(option any) bool {
				return len(complaints(option.(map[string]any), document, at)) == 0
			}) {
				list = append(list, at+": fits none of its alternatives")
			}
		default:
			list = append(list, at+": the schema's keyword "+keyword+" is not checked")
		}
	}
	return list
}

// fits checks the keywords of plain values; those of another type pass, as JSON
// Schema has it.
func fits(keyword string, rule, document any) bool {
	text, isText := document.(string)
	number, isNumber := document.(float64)
	switch keyword {
	case "type":
		return isOfType(document, rule)
	case "const":
		return document == rule
	case "enum":
		return slices.Contains(rule.([]any), document)
	case "pattern":
		return !isText || regexp.MustCompile(rule.(string)).MatchString(text)
	case "minLength":
		return !isText || float64(len(text)) >= rule.(float64)
	case "minimum":
		return !isNumber || number >= rule.(float64)
	default: // maximum
		return !isNumber || number <= rule.(float64)
	}
}

func ofArray(keyword string, rule any, items []any, at string) (list []string) {
	for i, item := range items {
		switch keyword {
		case "items":
			list = append(list, complaints(rule.(map[string]any), item, fmt.Sprintf("%s[%d]", at, i))...)
		case "uniqueItems":
			if slices.ContainsFunc(items[:i], func(other any) bool { return reflect.DeepEqual(item, other) }) {
				list = append(list, fmt.Sprintf("%s[%d]: is there twice", at, i))
			}
		}
	}
	if keyword == "minItems" && float64(len(items)) < rule.(float64) {
		list = append(list, at+": has too few items")
	}
	return list
}

func ofObject(schema map[string]any, keyword string, members map[string]any, at string) (list []string) {
	switch rule := schema[keyword]; keyword {
	case "required":
		for _, name := range rule.([]any) {
			if _, there := members[name.(string)]; !there {
				list = append(list, fmt.Sprintf("%s: lacks %s", at, name))
			}
		}
	case "properties":
		for name, part := range rule.(map[string]any) {
			if value, there := members[name]; there {
				list = append(list, complaints(part.(map[string]any), value, at+"."+name)...)
			}
		}
	default:
		list = additional(schema, rule, members, at)
	}
	return list
}

func additional(schema map[string]any, rule any, object map[string]any, at string) (list []string) {
	known, _ := schema["properties"].(map[string]any)
	for name, value := range object {
		if _, there := known[name]; there {
			continue
		}
		if part, isSchema := rule.(map[string]any); isSchema {
			list = append(list, complaints(part, value, at+"."+name)...)
		} else if rule == false {
			list = append(list, at+": "+name+" is unknown")
		}
	}
	return list
}

func isOfType(document, rule any) bool {
	if several, ok := rule.([]any); ok {
		return slices.ContainsFunc(several, func(one any) bool { return isOfType(document, one) })
	}
	switch v := document.(type) {
	case nil:
		return rule == "null"
	case bool:
		return rule == "boolean"
	case string:
		return rule == "string"
	case float64:
		return rule == "number" || rule == "integer" && v == float64(int64(v))
	case []any:
		return rule == "array"
	case map[string]any:
		return rule == "object"
	}
	return false
}
