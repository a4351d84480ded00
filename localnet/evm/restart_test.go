package evm

import (
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/localnet/contracts"
)

// oneChain is a small network of one chain: BSC's stablecoins have 18 decimals
// and Ethereum's USDT its habits; this one has both.
func oneChain(t *testing.T) (Config, *ecdsa.PrivateKey) {
	t.Helper()
	set, err := contracts.Load("..")
	if err != nil {
		t.Fatal(err)
	}
	provider, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec{
		ChainID: 56, Name: "BSC", NativeSymbol: "BNB", Confirmations: 2,
		Wrapped: Token{Address: common.HexToAddress("0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"), Name: "Wrapped BNB", Symbol: "WBNB", Decimals: 18},
		USDC:    Token{Address: common.HexToAddress("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"), Name: "USD Coin", Symbol: "USDC", Decimals: 18},
		USDT:    Token{Address: common.HexToAddress("0x55d398326f99059fF775485246999027B3197955"), Name: "Tether USD", Symbol: "USDT", Decimals: 6, ResetAllowance: true},
	}
	holder := Holder{Address: crypto.PubkeyToAddress(provider.PublicKey), Coins: 1_000_000_000, Stables: 1_000_000_000}
	return Config{Dir: t.TempDir(), Specs: []Spec{spec}, Contracts: set, Holders: []Holder{holder}}, provider
}

func start(t *testing.T, config Config) *Network {
	t.Helper()
	n, err := Start(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

var seedPrices = Prices{"BNB": big.NewRat(64210, 100)}

// A start can be killed between any two of the seeding transactions; the next
// one must finish them and end with the same pools.
func TestSeedingGoesOnWhereItWasCutOff(t *testing.T) {
	t.Parallel()
	const transactions = 4
	for done := range transactions + 1 {
		t.Run(fmt.Sprintf("after %d transactions", done), func(t *testing.T) {
			t.Parallel()
			config, provider := oneChain(t)
			n := start(t, config)
			s := seeder{chain: n.chains[0], set: config.Contracts, provider: provider}
			s.sender = NewSender(s.chain.client, s.chain.spec.ChainID, provider)
			calls, err := s.missingCalls(t.Context(), seedPrices["BNB"], true, true)
			if err != nil || len(calls) != transactions {
				t.Fatalf("%d calls, %v", len(calls), err)
			}
			if err := s.sendAll(t.Context(), calls[:done]); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time there is nothing to do
				if err := n.SeedPools(t.Context(), config.Contracts, provider, seedPrices); err != nil {
					t.Fatal(err)
				}
			}
			checkReserves(t, n.chains[0], config)
		})
	}
}

func checkReserves(t *testing.T, c *chain, config Config) {
	t.Helper()
	spec := c.spec
	// 25,000,000 dollars of BNB at 642.10 each, rounded down to the wei.
	coins, _ := new(big.Int).SetString("38934745366765301354929", 10)
	for _, r := range []struct {
		token, other Token
		want         *big.Int
	}{
		{spec.Wrapped, spec.USDC, coins},
		{spec.USDC, spec.Wrapped, BaseUnits(25_000_000, 18)},
		{spec.USDC, spec.USDT, BaseUnits(25_000_000, 18)},
		{spec.USDT, spec.USDC, BaseUnits(25_000_000, 6)},
	} {
		pool := PairAddress(r.token.Address, r.other.Address, config.Contracts)
		got, err := TokenBalance(t.Context(), c.client, config.Contracts.Token.ABI, r.token.Address, pool)
		if err != nil || got.Cmp(r.want) != 0 {
			t.Errorf("%s in the pool with %s: %v, %v; want %v", r.token.Symbol, r.other.Symbol, got, err, r.want)
		}
	}
}

func TestSeedingNeedsAPrice(t *testing.T) {
	t.Parallel()
	config, provider := oneChain(t)
	n := start(t, config)
	if err := n.SeedPools(t.Context(), config.Contracts, provider, Prices{"ETH": big.NewRat(1, 1)}); err == nil {
		t.Error("seeded without a price")
	}
}

func TestRestartContinuesTheSameChain(t *testing.T) {
	t.Parallel()
	config, provider := oneChain(t)
	n := start(t, config)
	if err := n.SeedPools(t.Context(), config.Contracts, provider, seedPrices); err != nil {
		t.Fatal(err)
	}
	before, err := n.Client(56).HeaderByNumber(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}

	// Other contracts and holders do not change a chain that exists.
	changed := config
	changed.Holders = nil
	n = start(t, changed)
	again, err := n.Client(56).HeaderByNumber(t.Context(), before.Number)
	if err != nil || again.Hash() != before.Hash() {
		t.Errorf("block %v is %v after the restart, %v", before.Number, again, err)
	}
	checkReserves(t, n.chains[0], config)
}

func TestUnfinishedConfirmationsAreOwed(t *testing.T) {
	t.Parallel()
	config, provider := oneChain(t)
	config.Specs[0].Confirmations = 0
	n := start(t, config)
	sender := NewSender(n.Client(56), 56, provider)
	tx, err := sender.Send(t.Context(), common.Address{1}, big.NewInt(1), nil, 21_000)
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Await(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	sealed, err := n.Client(56).BlockNumber(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}

	config.Specs[0].Confirmations = 2
	n = start(t, config)
	heads := n.chains[0]
	for {
		head, err := heads.client.BlockNumber(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if head >= sealed+1 {
			return
		}
		<-time.After(receiptInterval)
	}
}

func TestFolderHasOneUser(t *testing.T) {
	t.Parallel()
	config, _ := oneChain(t)
	start(t, config)
	if _, err := Start(config); !errors.Is(err, ErrDataDirInUse) {
		t.Errorf("second start: %v; want ErrDataDirInUse", err)
	}
}

func TestGenesisIsBuiltOnceAndKept(t *testing.T) {
	t.Parallel()
	config, _ := oneChain(t)
	path := filepath.Join(t.TempDir(), "56.genesis.json")
	built, err := loadOrBuildGenesis(path, func() (*core.Genesis, error) {
		return buildGenesis(config.Specs[0], config.Contracts, config.Holders, common.Address{9})
	})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := loadOrBuildGenesis(path, func() (*core.Genesis, error) {
		return nil, errors.New("built again")
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := built.ToBlock().Hash(), kept.ToBlock().Hash(); a != b {
		t.Errorf("built %s, kept %s", a, b)
	}
	if kept.Config.BogotaTime != nil {
		t.Error("a fork of the future is active")
	}
}

func TestTransactionPoolAndSealerAgreeOnTheTip(t *testing.T) {
	t.Parallel()
	for _, id := range []int64{1, 56, 137, 8453, 42161} {
		settings := chainSettings(Spec{ChainID: id}, nil)
		if settings.Miner.GasPrice.Uint64() != settings.TxPool.PriceLimit || settings.TxPool.PriceLimit < 2 {
			t.Errorf("chain %d: sealer wants %v, pool %d", id, settings.Miner.GasPrice, settings.TxPool.PriceLimit)
		}
	}
}
