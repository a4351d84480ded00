package contracts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// mainnetPairInitHash is the hash of UniswapV2Pair's init code. The router has
// it compiled in and computes pair addresses from it, so another pair would
// give a router that finds no pool.
var mainnetPairInitHash = common.HexToHash("0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f")

var (
	multicall3Literal = regexp.MustCompile(`multicall3Bytecode\s*=\s*'0x([0-9a-f]+)'`)
	permit2Literal    = regexp.MustCompile(`hex"([0-9a-f]+)"`)
)

func (s *Set) loadPublic(assets string) error {
	packages := filepath.Join(assets, "node_modules")
	for path, into := range map[string]*Contract{
		"@uniswap/v2-core/build/UniswapV2Factory.json":       &s.Factory,
		"@uniswap/v2-core/build/UniswapV2Pair.json":          &s.Pair,
		"@uniswap/v2-periphery/build/UniswapV2Router02.json": &s.Router,
		"@uniswap/v2-periphery/build/WETH9.json":             &s.Wrapped,
	} {
		raw, err := readPackaged(packages, path)
		if err != nil {
			return err
		}
		if *into, err = parseArtifact(raw); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if hash := crypto.Keccak256Hash(s.Pair.Creation); hash != mainnetPairInitHash {
		return fmt.Errorf("@uniswap/v2-core: the pair's init code hash is %s, the router expects %s", hash, mainnetPairInitHash)
	}
	var err error
	if s.Multicall3Creation, err = readLiteral(packages, "viem/constants/contracts.ts", multicall3Literal); err != nil {
		return err
	}
	s.Permit2Runtime, err = readLiteral(packages,
		"@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol", permit2Literal)
	return err
}

// readLiteral takes bytecode out of a source file that holds it as a hex literal.
func readLiteral(packages, path string, literal *regexp.Regexp) ([]byte, error) {
	raw, err := readPackaged(packages, path)
	if err != nil {
		return nil, err
	}
	match := literal.FindSubmatch(raw)
	if match == nil {
		return nil, fmt.Errorf("%s: no bytecode found in it", path)
	}
	return common.FromHex(string(match[1])), nil
}

func readPackaged(packages, path string) ([]byte, error) {
	raw, err := os.ReadFile(filepath.Join(packages, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing from %s; run npm ci there first: %w", path, packages, err)
	}
	return raw, err
}
