package tenfold_test

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "tenfold/"

// layers orders our packages from the inside out. A package may import its own
// layer and the layers before it.
var layers = [][]string{
	{"catalog"},
	{"internal/amount", "internal/base58", "internal/fault", "internal/secret", "internal/strictjson"},
	{"internal/process", "internal/stamp", "internal/bundle", "internal/hd", "internal/seal", "internal/evm", "internal/solana", "internal/chain", "internal/sqldb", "internal/ratelimit"},
	{"internal/custody", "internal/custodyclient", "internal/account", "internal/session", "internal/portfolio", "internal/price", "internal/quote", "internal/swap", "internal/transfer", "internal/movement", "internal/appdb"},
	{"internal/apphttp", "internal/wsrpc", "web"},
	{"internal/server", "internal/stack"},
	{"cmd"},
}

// walls are the imports that a layer alone would allow.
var walls = []struct{ from, to, reason string }{
	{"internal/apphttp", "internal/custody", "the app reaches custody only over the wire, through custodyclient"},
	{"internal/server", "internal/custody", "the app reaches custody only over the wire, through custodyclient"},
	{"internal/session", "internal/custody", "the app reaches custody only over the wire, through custodyclient"},
	{"internal/movement", "internal/custody", "the app reaches custody only over the wire, through custodyclient"},
	{"internal/custody", "internal/chain", "custody does not know what a swap or a chain node is"},
	{"internal/custody", "internal/quote", "custody does not know what a swap is"},
	{"internal", "localnet", "the local network links whole nodes and must stay out of the product's programs"},
	{"cmd/tenfold", "localnet", "the local network links whole nodes and must stay out of the product's programs"},
}

// TestImportsPointInwards reads the import graph of the production code.
func TestImportsPointInwards(t *testing.T) {
	t.Parallel()
	list, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("list the packages: %v", err)
	}
	for line := range strings.Lines(string(list)) {
		fields := strings.Fields(line)
		from, ours := strings.CutPrefix(fields[0], module)
		if !ours {
			continue
		}
		for _, path := range fields[1:] {
			if to, ours := strings.CutPrefix(path, module); ours {
				checkImport(t, from, to)
			}
		}
	}
}

func checkImport(t *testing.T, from, to string) {
	t.Helper()
	for _, w := range walls {
		if within(from, w.from) && within(to, w.to) {
			t.Errorf("%s imports %s: %s", from, to, w.reason)
		}
	}
	if strings.HasSuffix(to, "test") && !strings.HasSuffix(from, "test") {
		t.Errorf("%s imports %s: packages for tests stay out of every program", from, to)
	}
	if within(from, "localnet") || within(from, "cmd/localnet") || within(from, "e2e") {
		return // they stand outside the product; only the walls bind them
	}
	fromLayer, toLayer := layerOf(from), layerOf(to)
	if fromLayer < 0 {
		t.Errorf("%s has no layer; add it to layers", from)
		return
	}
	if toLayer > fromLayer {
		t.Errorf("%s imports %s, which lies further out: arrows point inwards (docs/architecture.md)", from, to)
	}
}

func layerOf(path string) int {
	for i, prefixes := range layers {
		for _, p := range prefixes {
			if within(path, p) {
				return i
			}
		}
	}
	return -1
}

// within tells whether path is prefix or below it. internal/custodyclient is
// not below internal/custody.
func within(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}
