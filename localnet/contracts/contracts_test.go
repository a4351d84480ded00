package contracts_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/localnet/contracts"
)

// The committed artifacts are what the pinned compiler makes of the sources.
func TestArtifactsAreWhatTheSourcesCompileTo(t *testing.T) {
	t.Parallel()
	output, err := exec.CommandContext(t.Context(), "node", "build.mjs", "--check").CombinedOutput()
	if err != nil {
		t.Fatalf("node build.mjs --check: %v\n%s", err, output)
	}
}

func TestStaleArtifactIsFound(t *testing.T) {
	t.Parallel()
	// A copy of the folder beside the packages, with one source changed.
	copied := filepath.Join(t.TempDir(), "localnet", "contracts")
	if err := os.CopyFS(copied, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs("../node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(filepath.Dir(copied), "node_modules")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(copied, "src", "Depository.sol")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(source), "msg.sender != allocator", "msg.sender == allocator", 1)
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), "node", filepath.Join(copied, "build.mjs"), "--check").CombinedOutput()
	if err == nil || !strings.Contains(string(output), "artifacts/Depository.json") || strings.Contains(string(output), "LocalToken") {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestPublicBytecodeIsThePublishedOne(t *testing.T) {
	t.Parallel()
	set, err := contracts.Load("..")
	if err != nil {
		t.Fatal(err)
	}
	// EIP-170 bounds deployed code; a mangled literal would be odd in size.
	if size := len(set.Permit2Runtime); size != 9152 {
		t.Errorf("Permit2 has %d bytes, the deployed one 9152", size)
	}
	// keccak256 of UniswapV2Pair's init code, as UniswapV2Library has it.
	if hash := crypto.Keccak256Hash(set.Pair.Creation).Hex(); hash != "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f" {
		t.Errorf("pair init code hash %s", hash)
	}
	if prefix := hexutil.Encode(set.Multicall3Creation[:4]); prefix != "0x60806040" {
		t.Errorf("Multicall3 begins with %s", prefix)
	}
}

func TestMissingOrMangledPackageIsNamed(t *testing.T) {
	t.Parallel()
	if _, err := contracts.Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "npm ci") {
		t.Errorf("no packages: %v; want advice", err)
	}
	packages := t.TempDir()
	if err := os.CopyFS(filepath.Join(packages, "node_modules", "@uniswap"), os.DirFS("../node_modules/@uniswap")); err != nil {
		t.Fatal(err)
	}
	pair := filepath.Join(packages, "node_modules", "@uniswap", "v2-core", "build", "UniswapV2Pair.json")
	mangled, err := json.Marshal(map[string]any{"abi": []any{}, "bytecode": "6080"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pair, mangled, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := contracts.Load(packages); err == nil || !strings.Contains(err.Error(), "init code hash") {
		t.Errorf("another pair: %v; want a refusal", err)
	}
}
