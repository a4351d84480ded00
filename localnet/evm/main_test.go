package evm_test

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"log"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/network"
)

// The tests share one real network. Each test that sends takes a chain of its
// own, so that none waits for another's blocks or nonces.
const (
	chainOfTokens   = 1
	chainOfTransfer = 8453
	chainOfBurst    = 42161
	chainOfFees     = 56
	chainOfHeads    = 146
	chainOfSwap     = 43114
	chainOfTail     = 137
)

var (
	shared    network.Document
	artifacts *contracts.Set
)

func TestMain(m *testing.M) { os.Exit(runShared(m)) }

func runShared(m *testing.M) int {
	dir, err := os.MkdirTemp("", "localnet-evm-test")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(dir)
	running, err := network.Start(context.Background(), network.Options{DataDir: dir, WithoutSolana: true})
	if err != nil {
		log.Print(err)
		return 1
	}
	defer running.Close()
	assets, err := network.FindAssets()
	if err != nil {
		log.Print(err)
		return 1
	}
	if artifacts, err = contracts.Load(assets); err != nil {
		log.Print(err)
		return 1
	}
	shared = running.Document()
	return m.Run()
}

func endpointsOf(t *testing.T, chainID int64) network.ChainEndpoints {
	t.Helper()
	for _, c := range shared.Chains {
		if c.ID == chainID {
			return c
		}
	}
	t.Fatalf("no endpoints of chain %d", chainID)
	return network.ChainEndpoints{}
}

func dial(t *testing.T, url string) *ethclient.Client {
	t.Helper()
	client, err := ethclient.DialContext(t.Context(), url)
	if err != nil {
		t.Fatalf("dial %s: %v", url, err)
	}
	t.Cleanup(client.Close)
	return client
}

// account is a funded test account on one chain, over HTTP as any client.
type account struct {
	t      *testing.T
	client *ethclient.Client
	key    *ecdsa.PrivateKey
	chain  catalog.Chain
}

func accountOn(t *testing.T, chainID int64) account {
	t.Helper()
	key, err := crypto.ToECDSA(hexutil.MustDecode(shared.Accounts[0].PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	chain, _ := catalog.ChainByID(chainID)
	return account{t: t, client: dial(t, endpointsOf(t, chainID).RPCURL), key: key, chain: chain}
}

func (a account) address() common.Address { return crypto.PubkeyToAddress(a.key.PublicKey) }

func (a account) nonce() uint64 {
	a.t.Helper()
	nonce, err := a.client.PendingNonceAt(a.t.Context(), a.address())
	if err != nil {
		a.t.Fatal(err)
	}
	return nonce
}

// sign makes a type 2 transaction with the tip that the node suggests.
func (a account) sign(nonce uint64, to common.Address, value *big.Int, data []byte) *types.Transaction {
	a.t.Helper()
	tip, err := a.client.SuggestGasTipCap(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	return a.signWithTip(nonce, to, value, data, tip)
}

func (a account) signWithTip(nonce uint64, to common.Address, value *big.Int, data []byte, tip *big.Int) *types.Transaction {
	a.t.Helper()
	id := big.NewInt(a.chain.ID)
	tx, err := types.SignNewTx(a.key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, To: &to, Value: value, Data: data, Gas: 500_000,
		GasTipCap: tip, GasFeeCap: new(big.Int).Add(tip, big.NewInt(10_000_000_000)),
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return tx
}

// send hands transactions to the node in order.
func (a account) send(txs ...*types.Transaction) {
	a.t.Helper()
	for _, tx := range txs {
		if err := a.client.SendTransaction(a.t.Context(), tx); err != nil {
			a.t.Fatal(err)
		}
	}
}

// mined sends a call and gives its receipt, whatever its status.
func (a account) mined(to common.Address, value *big.Int, data []byte) *types.Receipt {
	a.t.Helper()
	tx := a.sign(a.nonce(), to, value, data)
	a.send(tx)
	return a.receipt(tx.Hash())
}

func (a account) receipt(hash common.Hash) *types.Receipt {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 20*time.Second)
	defer cancel()
	for {
		receipt, err := a.client.TransactionReceipt(ctx, hash)
		if err == nil {
			return receipt
		}
		select {
		case <-ctx.Done():
			a.t.Fatalf("no receipt of %s: %v", hash, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// call runs a view method and gives its results.
func (a account) call(to common.Address, of abi.ABI, method string, args ...any) []any {
	a.t.Helper()
	results, err := callMethod(a.t.Context(), a.client, to, of, method, args...)
	if err != nil {
		a.t.Fatal(err)
	}
	return results
}

func callMethod(ctx context.Context, client *ethclient.Client, to common.Address, of abi.ABI, method string, args ...any) ([]any, error) {
	data, err := of.Pack(method, args...)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	raw, err := client.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
	if err != nil {
		return nil, fmt.Errorf("call %s of %s: %w", method, to, err)
	}
	return of.Unpack(method, raw)
}

func (a account) balanceOf(token common.Address, holder common.Address) *big.Int {
	a.t.Helper()
	return a.call(token, artifacts.Token.ABI, "balanceOf", holder)[0].(*big.Int)
}

// pack encodes a call.
func pack(t *testing.T, of abi.ABI, method string, args ...any) []byte {
	t.Helper()
	data, err := of.Pack(method, args...)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// tokenOf is the catalog's token of a kind on a chain.
func tokenOf(t *testing.T, chainID int64, kind string) common.Address {
	t.Helper()
	for _, token := range catalog.TokensOn(chainID) {
		if token.Kind == kind {
			return common.HexToAddress(token.Address)
		}
	}
	t.Fatalf("no %s on chain %d", kind, chainID)
	return common.Address{}
}

func evmChains() []catalog.Chain {
	var chains []catalog.Chain
	for _, c := range catalog.Chains() {
		if c.IsEVM {
			chains = append(chains, c)
		}
	}
	return chains
}
