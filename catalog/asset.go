package catalog

import "strings"

// Asset is the native coin or a token of one chain, with what is needed to show
// an amount of it. Address is the chain's TokenAddress for the native coin.
type Asset struct {
	ChainID  int64
	Address  string
	Symbol   string
	Name     string
	Decimals int
	Icon     string
	Native   bool
	// PriceSymbol groups assets of equal value: the native coin's symbol for it
	// and for its wrapped token, "USDC" and "USDT" for the stables.
	PriceSymbol    string
	ResetAllowance bool
}

// NativeAsset is the chain's native coin as an asset.
func (c Chain) NativeAsset() Asset {
	n := c.NativeCurrency
	return Asset{
		ChainID: c.ID, Address: c.TokenAddress, Symbol: n.Symbol, Name: n.Name, Decimals: n.Decimals,
		Icon: "/icons/tokens/" + strings.ToLower(n.Symbol) + ".svg", Native: true, PriceSymbol: n.Symbol,
	}
}

// SameAddress compares two addresses of the chain: without regard to letter
// case on EVM chains (EIP-55 case is a checksum), exactly on Solana.
func (c Chain) SameAddress(a, b string) bool {
	if c.IsEVM {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// Assets lists the chain's native coin and tokens, the native coin first.
func (c Chain) Assets() []Asset {
	list := []Asset{c.NativeAsset()}
	for _, t := range TokensOn(c.ID) {
		list = append(list, c.tokenAsset(t))
	}
	return list
}

// AssetAt finds an asset by address, compared as the chain compares addresses;
// false when the catalog has none there.
func (c Chain) AssetAt(address string) (Asset, bool) {
	for _, a := range c.Assets() {
		if c.SameAddress(a.Address, address) {
			return a, true
		}
	}
	return Asset{}, false
}

func (c Chain) tokenAsset(t Token) Asset {
	price := strings.ToUpper(t.Kind)
	if t.Kind == "wrapped" {
		price = c.NativeCurrency.Symbol
	}
	return Asset{
		ChainID: c.ID, Address: t.Address, Symbol: t.Symbol, Name: t.Name, Decimals: t.Decimals,
		Icon: t.Icon, PriceSymbol: price, ResetAllowance: t.ResetAllowance,
	}
}
