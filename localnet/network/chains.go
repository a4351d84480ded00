package network

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"

	"tenfold/catalog"
	"tenfold/localnet/evm"
)

// evmSpecs are the catalog's EVM chains as the nodes need them.
func evmSpecs() ([]evm.Spec, error) {
	var specs []evm.Spec
	for _, c := range catalog.Chains() {
		if !c.IsEVM {
			continue
		}
		spec := evm.Spec{
			ChainID: c.ID, Name: c.Name, NativeSymbol: c.NativeCurrency.Symbol, Confirmations: c.Finality.Blocks,
		}
		for _, t := range catalog.TokensOn(c.ID) {
			token := evm.Token{
				Address: common.HexToAddress(t.Address), Name: t.Name, Symbol: t.Symbol,
				Decimals: t.Decimals, ResetAllowance: t.ResetAllowance,
			}
			switch t.Kind {
			case "wrapped":
				spec.Wrapped = token
			case "usdc":
				spec.USDC = token
			case "usdt":
				spec.USDT = token
			}
		}
		for _, token := range []evm.Token{spec.Wrapped, spec.USDC, spec.USDT} {
			if token.Address == (common.Address{}) {
				return nil, fmt.Errorf("chain %d: the catalog lacks its wrapped token, USDC or USDT", c.ID)
			}
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// solanaToken finds the catalog's token of a kind on Solana.
func solanaToken(kind string) (catalog.Token, error) {
	for _, t := range catalog.TokensOn(catalog.SolanaChainID) {
		if t.Kind == kind {
			return t, nil
		}
	}
	return catalog.Token{}, fmt.Errorf("the catalog has no %s on Solana", kind)
}

func pricesFile(assets string) string { return filepath.Join(assets, "prices.json") }

// readPrices reads the prices at which pools start: US dollars per whole coin
// as decimal strings, by symbol.
func readPrices(assets string) (evm.Prices, error) {
	path := pricesFile(assets)
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read seed prices: %w", err)
	}
	var texts map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, fmt.Errorf("decode %s: %w", path, err)
	}
	prices := evm.Prices{}
	for symbol, text := range texts {
		price, ok := new(big.Rat).SetString(text)
		if !ok || price.Sign() <= 0 {
			return nil, fmt.Errorf("%s: price %q of %s is not a positive decimal", path, text, symbol)
		}
		prices[symbol] = price
	}
	return prices, nil
}
