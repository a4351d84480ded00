package faucet_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"net/http"
	"os/exec"
	"slices"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/evm"
	"tenfold/localnet/network"
)

// wantCoins is the starting amount of each chain's coin, as promised to users.
var wantCoins = map[string]int64{
	"ETH": 5, "BNB": 10, "BERA": 500, "S": 5000, "AVAX": 100, "POL": 5000, "HYPE": 100, "SOL": 50,
}

type balances map[string]string // "<chain id> coin" or "<chain id> USDC" to base units

func TestFaucetTopsUpAndDoesNotPayTwice(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("node is needed for the local Solana: ", err)
	}
	n, err := network.Start(t.Context(), network.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	document := n.Document()

	evmAccount, solanaAccount := newAddresses(t)
	body := map[string]string{"evmAddress": evmAccount.Hex(), "solanaAddress": solanaAccount.String()}
	first := claim(t, document.Faucet.URL, body)
	chains := map[int64]bool{}
	for _, paid := range first {
		chains[paid.ChainID] = true
	}
	if len(chains) != 10 {
		t.Errorf("paid on %d chains, want 10: %v", len(chains), first)
	}
	want := balances{}
	for _, c := range catalog.Chains() {
		for _, asset := range c.Assets() {
			switch {
			case asset.Native:
				want[key(c.ID, "coin")] = evm.BaseUnits(wantCoins[asset.Symbol], asset.Decimals).String()
			case asset.PriceSymbol == "USDC":
				want[key(c.ID, "USDC")] = evm.BaseUnits(5000, asset.Decimals).String()
			}
		}
	}
	compare(t, read(t, document, evmAccount, solanaAccount), want)

	if again := claim(t, document.Faucet.URL, body); len(again) != 0 {
		t.Errorf("the second claim paid %v", again)
	}
	compare(t, read(t, document, evmAccount, solanaAccount), want)

	manyAtOnce(t, document)
}

// manyAtOnce: several accounts claim at the same moment, each twice; the
// treasury's nonces must not clash and each account is paid once.
func manyAtOnce(t *testing.T, document network.Document) {
	t.Helper()
	var accounts []common.Address
	var claiming sync.WaitGroup
	for range 4 {
		account, _ := newAddresses(t)
		accounts = append(accounts, account)
		for range 2 {
			claiming.Go(func() { claim(t, document.Faucet.URL, map[string]string{"evmAddress": account.Hex()}) })
		}
	}
	claiming.Wait()
	for _, c := range evmChainsOf(document) {
		chain, _ := catalog.ChainByID(c.ID)
		want := evm.BaseUnits(wantCoins[chain.NativeCurrency.Symbol], 18)
		for _, account := range accounts {
			if got := evmCoins(t, c.RPCURL, account); got.Cmp(want) != 0 {
				t.Errorf("chain %d: %v, want %v", c.ID, got, want)
			}
		}
	}
}

func evmChainsOf(document network.Document) []network.ChainEndpoints {
	return slices.DeleteFunc(slices.Clone(document.Chains), func(c network.ChainEndpoints) bool {
		return c.ID == catalog.SolanaChainID
	})
}

type transaction struct {
	ChainID int64
	Hash    string
}

func claim(t *testing.T, url string, body map[string]string) []transaction {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Error(err)
		return nil
	}
	response, err := http.Post(url, "application/json", bytes.NewReader(raw))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer response.Body.Close()
	var answer struct {
		Transactions []transaction
		Message      string
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("claim: %d %q, %v", response.StatusCode, answer.Message, err)
	}
	return answer.Transactions
}

func newAddresses(t *testing.T) (common.Address, solana.PublicKey) {
	t.Helper()
	evmKey, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	solanaKey, err := solana.NewRandomPrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	return crypto.PubkeyToAddress(evmKey.PublicKey), solanaKey.PublicKey()
}

func key(chainID int64, asset string) string {
	return big.NewInt(chainID).String() + " " + asset
}

// read takes the balances from the chains themselves.
func read(t *testing.T, document network.Document, evmAccount common.Address, solanaAccount solana.PublicKey) balances {
	t.Helper()
	found := balances{}
	for _, endpoints := range document.Chains {
		chain, _ := catalog.ChainByID(endpoints.ID)
		for _, asset := range chain.Assets() {
			if asset.PriceSymbol != "USDC" {
				continue
			}
			if chain.IsEVM {
				found[key(chain.ID, "USDC")] = evmTokens(t, endpoints.RPCURL, common.HexToAddress(asset.Address), evmAccount).String()
			} else {
				found[key(chain.ID, "USDC")] = solanaTokens(t, endpoints.RPCURL, asset.Address, solanaAccount)
			}
		}
		if chain.IsEVM {
			found[key(chain.ID, "coin")] = evmCoins(t, endpoints.RPCURL, evmAccount).String()
			continue
		}
		result, err := rpc.New(endpoints.RPCURL).GetBalance(t.Context(), solanaAccount, rpc.CommitmentConfirmed)
		if err != nil {
			t.Fatal(err)
		}
		found[key(chain.ID, "coin")] = new(big.Int).SetUint64(result.Value).String()
	}
	return found
}

func evmCoins(t *testing.T, url string, account common.Address) *big.Int {
	t.Helper()
	client, err := ethclient.DialContext(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	balance, err := client.BalanceAt(t.Context(), account, nil)
	if err != nil {
		t.Fatal(err)
	}
	return balance
}

func evmTokens(t *testing.T, url string, token, account common.Address) *big.Int {
	t.Helper()
	client, err := ethclient.DialContext(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	balance, err := evm.TokenBalance(t.Context(), client, erc20(t), token, account)
	if err != nil {
		t.Fatal(err)
	}
	return balance
}

func erc20(t *testing.T) abi.ABI {
	t.Helper()
	set, err := contracts.Load("..")
	if err != nil {
		t.Fatal(err)
	}
	return set.Token.ABI
}

func solanaTokens(t *testing.T, url, mint string, account solana.PublicKey) string {
	t.Helper()
	tokenAccount, _, err := solana.FindAssociatedTokenAddress(account, solana.MustPublicKeyFromBase58(mint))
	if err != nil {
		t.Fatal(err)
	}
	result, err := rpc.New(url).GetTokenAccountBalance(t.Context(), tokenAccount, rpc.CommitmentConfirmed)
	if err != nil {
		t.Fatal(err)
	}
	return result.Value.Amount
}

func compare(t *testing.T, got, want balances) {
	t.Helper()
	if len(want) != 20 {
		t.Fatalf("expected balances of 20 assets, have %d", len(want))
	}
	for asset, amount := range want {
		if got[asset] != amount {
			t.Errorf("%s: %s, want %s", asset, got[asset], amount)
		}
	}
}
