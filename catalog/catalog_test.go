package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gagliardetto/solana-go"
)

// The specification's table of chains (section 3).
func TestChainsAreTheSpecifications(t *testing.T) {
	t.Parallel()
	want := map[string]int64{
		"Ethereum": 1, "Base": 8453, "Arbitrum": 42161, "Berachain": 80094, "BSC": 56, "Solana": 7565164,
		"Sonic": 146, "Avalanche": 43114, "Polygon": 137, "HyperEVM": 999,
	}
	if len(Chains()) != len(want) {
		t.Fatalf("%d chains, want %d", len(Chains()), len(want))
	}
	for _, c := range Chains() {
		decimals := 18
		if c.ID == SolanaChainID {
			decimals = 9
		}
		if want[c.Name] != c.ID || c.NativeCurrency.Decimals != decimals || c.WrappedToken.Decimals != decimals {
			t.Errorf("%s has id %d and %d decimals", c.Name, c.ID, c.NativeCurrency.Decimals)
		}
		if found, known := ChainByID(c.ID); !known || found.Name != c.Name {
			t.Errorf("%d finds %s", c.ID, found.Name)
		}
	}
	if _, known := ChainByID(5); known {
		t.Error("a chain that is not ours is found")
	}
}

func TestAddressesAreInTheirCanonicalForm(t *testing.T) {
	t.Parallel()
	check := func(chainID int64, address string) {
		c, _ := ChainByID(chainID)
		if c.IsEVM {
			if common.HexToAddress(address).Hex() != address {
				t.Errorf("%s has a wrong checksum", address)
			}
			return
		}
		if key, err := solana.PublicKeyFromBase58(address); err != nil || key.String() != address {
			t.Errorf("%s is no Solana address: %v", address, err)
		}
	}
	for _, c := range Chains() {
		check(c.ID, c.TokenAddress)
		check(c.ID, c.WrappedToken.Address)
		for _, token := range TokensOn(c.ID) {
			check(c.ID, token.Address)
		}
	}
	for _, v := range venues {
		for _, contract := range v.Contracts {
			check(contract.ChainID, contract.Address)
		}
	}
}

// The wrapped token of a chain, and one token of each kind, are among its tokens;
// BSC's stablecoins have 18 decimals.
func TestEveryChainHasItsTokens(t *testing.T) {
	t.Parallel()
	for _, c := range Chains() {
		kinds := map[string]Token{}
		for _, token := range TokensOn(c.ID) {
			kinds[token.Kind] = token
		}
		if w := kinds["wrapped"]; len(kinds) != 3 || w.Address != c.WrappedToken.Address || w.Decimals != c.WrappedToken.Decimals || w.Symbol != c.WrappedToken.Symbol {
			t.Errorf("%s has %+v", c.Name, kinds)
		}
		stable := 6
		if c.Name == "BSC" {
			stable = 18
		}
		if kinds["usdc"].Decimals != stable || kinds["usdt"].Decimals != stable {
			t.Errorf("%s: stablecoins with %d and %d decimals", c.Name, kinds["usdc"].Decimals, kinds["usdt"].Decimals)
		}
		if reset := c.ID == 1; kinds["usdt"].ResetAllowance != reset {
			t.Errorf("%s: USDT's allowance must be reset first: %v", c.Name, kinds["usdt"].ResetAllowance)
		}
	}
}

func TestAssetsAreFoundAsTheChainComparesAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range Chains() {
		for _, a := range c.Assets() {
			if found, known := c.AssetAt(a.Address); !known || found != a {
				t.Errorf("%s finds %+v at %s", c.Name, found, a.Address)
			}
			_, known := c.AssetAt(strings.ToLower(a.Address))
			if lower := strings.ToLower(a.Address); known != (c.IsEVM || lower == a.Address) {
				t.Errorf("%s at %s in small letters is found: %v", a.Symbol, c.Name, known)
			}
		}
	}
}

// A venue's numbers map to our chains one to one: Solana is another number almost
// everywhere.
func TestVenueIDsMapBothWays(t *testing.T) {
	t.Parallel()
	for venue, theirs := range map[string]int64{"relay": 792703809, "debridge": 7565164, "lifi": 1151111081099710} {
		for _, c := range Chains() {
			back, known := ByVenueChainID(venue, c.Venues[venue].ChainID)
			if !known || back.ID != c.ID {
				t.Errorf("%s maps %s to %s", venue, c.Name, back.Name)
			}
		}
		if c, _ := ByVenueChainID(venue, theirs); c.ID != SolanaChainID {
			t.Errorf("%s calls Solana %d, we read %s", venue, theirs, c.Name)
		}
	}
	for _, id := range []int64{0, -1, 4} {
		if c, known := ByVenueChainID("relay", id); known {
			t.Errorf("%d is %s", id, c.Name)
		}
	}
}

func TestContractsAreAVenuesOwn(t *testing.T) {
	t.Parallel()
	const router = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D"
	if c, known := ContractOf("relay", 8453, strings.ToLower(router)); !known || c.Kind != Router {
		t.Errorf("the router is %+v", c)
	}
	for _, c := range []struct {
		venue   string
		chainID int64
		address string
	}{{"kyberswap", 8453, router}, {"relay", 5, router}, {"relay", 8453, "0x0000000000000000000000000000000000000000"}, {"relay", SolanaChainID, router}} {
		if _, known := ContractOf(c.venue, c.chainID, c.address); known {
			t.Errorf("%+v is a known contract", c)
		}
	}
	if kind, known := KindAt(SolanaChainID, "TenfoLdPooL11111111111111111111111111111111"); !known || kind != Pool {
		t.Errorf("the pool is %q", kind)
	}
}

func TestAConfusingCatalogIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]Chain, []Token){
		"two chains of one id":   func(c []Chain, _ []Token) { c[1].ID = c[0].ID },
		"two chains of one name": func(c []Chain, _ []Token) { c[1].Name = c[0].Name },
		"Solana as an EVM chain": func(c []Chain, _ []Token) { c[5].IsEVM = true },
		"an EVM chain as none":   func(c []Chain, _ []Token) { c[0].IsEVM = false },
		"one token twice":        func(_ []Chain, t []Token) { t[1].Address = strings.ToLower(t[0].Address) },
		"a token on no chain":    func(_ []Chain, t []Token) { t[0].ChainID = 5 },
		"a venue's id for two":   func(c []Chain, _ []Token) { c[1].Venues = c[0].Venues },
	} {
		c, list := Chains(), slices.Clone(tokens)
		change(c, list)
		if check(c, list) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	for name, list := range map[string][]venueEntry{
		"one venue twice":    {{ID: "relay"}, {ID: "relay"}},
		"one contract twice": {{ID: "relay", Contracts: []Contract{{1, Router, "a"}, {1, Pool, "a"}}}},
		"an unknown kind":    {{ID: "relay", Contracts: []Contract{{1, "wallet", "a"}}}},
	} {
		if checkVenues(list) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	shown := "text"
	for name, rules := range map[string][]MessageRule{
		"one row twice":        {{Row: "a", Shown: &shown, Exact: []string{"x"}}, {Row: "a", Shown: &shown, Exact: []string{"y"}}},
		"a row of nothing":     {{Row: "a", Shown: &shown}},
		"capitals":             {{Row: "a", Shown: &shown, Exact: []string{"X"}}},
		"an underscore":        {{Row: "a", Shown: &shown, Contains: [][]string{{"x_y"}}}},
		"everything":           {{Row: "a", Shown: &shown, Contains: [][]string{{""}}}},
		"a broken pattern":     {{Row: "a", Shown: &shown, Patterns: []string{"("}}},
		"a pattern of JS only": {{Row: "a", Shown: &shown, Patterns: []string{"(?=x)"}}},
	} {
		if compileMessages(rules) == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
