package apphttp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strconv"
	"testing"

	"tenfold/internal/fault"
)

// TestEveryCodeHasAStatus reads the codes from their source, so that a new one
// can't be forgotten here.
func TestEveryCodeHasAStatus(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../fault/fault.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		kind, ok := spec.Type.(*ast.Ident)
		value, isText := spec.Values[0].(*ast.BasicLit)
		if !ok || kind.Name != "Code" || !isText {
			return true
		}
		code, err := strconv.Unquote(value.Value)
		if err != nil {
			t.Fatal(err)
		}
		found++
		if _, known := statuses[fault.Code(code)]; !known {
			t.Errorf("%s has no status", code)
		}
		return true
	})
	if found < 20 {
		t.Errorf("only %d codes were found", found)
	}
	for code, status := range statuses {
		if http.StatusText(status) == "" || status < 400 {
			t.Errorf("%s has status %d", code, status)
		}
	}
}

func TestNetworkPrefix(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"192.0.2.7":            "192.0.2.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::",
		"2001:db8:1:2:ffff::1": "2001:db8:1:2::",
		"somewhere":            "somewhere",
	} {
		if got := networkPrefix(host); got != want {
			t.Errorf("%s → %s, want %s", host, got, want)
		}
	}
}
