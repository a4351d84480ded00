package evm

import (
	"context"
	"crypto/ecdsa"
	"flag"
	"fmt"
	"math/big"
	"os"
	"sync"
	"testing"
	"time"

	geth "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/localnet/network"
)

// The tests run against real nodes: the local network's EVM chains, one set for
// the whole package. What they check is read with go-ethereum's own client.
var local struct {
	urls   map[int64]string
	funder *ecdsa.PrivateKey
	paying sync.Mutex // one funding payment is sent at a time: its nonces are counted
}

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() != "" { // fuzzing needs no chain, and its workers are many
		os.Exit(m.Run())
	}
	os.Exit(runAgainstLocalChains(m))
}

func runAgainstLocalChains(m *testing.M) int {
	// The tests wait for blocks, not for processors.
	if err := flag.Set("test.parallel", "16"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "tenfold-evm")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	n, err := network.Start(context.Background(), network.Options{DataDir: dir, WithoutSolana: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, "start the local chains:", err)
		return 1
	}
	defer n.Close()
	local.urls = map[int64]string{}
	for _, c := range n.Document().Chains {
		local.urls[c.ID] = c.RPCURL
	}
	for _, a := range n.Document().Accounts {
		if a.Kind == "evm" {
			local.funder = crypto.ToECDSAUnsafe(hexutil.MustDecode(a.PrivateKey))
		}
	}
	return m.Run()
}

// bench is one chain under test with a funded account of its own.
type bench struct {
	*Adapter
	t      *testing.T
	client *ethclient.Client
	key    *ecdsa.PrivateKey
	owner  string
}

const (
	ethereum = 1
	base     = 8453
	bsc      = 56
)

var (
	coin     = new(big.Int).Exp(big.NewInt(10), big.NewInt(18), nil)
	fundedBy = new(big.Int).Mul(big.NewInt(2), coin) // native coin of a new account
)

// newBench gives an account with two coins and no tokens on one chain.
func newBench(t *testing.T, chainID int64) bench {
	t.Helper()
	c, _ := catalog.ChainByID(chainID)
	a, err := New(c, []string{local.urls[chainID]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	client, err := ethclient.DialContext(t.Context(), local.urls[chainID])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	b := bench{a, t, client, key, crypto.PubkeyToAddress(key.PublicKey).Hex()}
	b.pay(common.HexToAddress(b.owner), fundedBy, nil)
	return b
}

// pay sends from the funder and waits, with go-ethereum's client alone.
func (b bench) pay(to common.Address, value *big.Int, data []byte) {
	b.t.Helper()
	b.receipt(b.sendPay(to, value, data))
}

func (b bench) sendPay(to common.Address, value *big.Int, data []byte) common.Hash {
	b.t.Helper()
	local.paying.Lock()
	defer local.paying.Unlock()
	nonce, err := b.client.PendingNonceAt(b.t.Context(), crypto.PubkeyToAddress(local.funder.PublicKey))
	b.must(err)
	tx := b.sign(local.funder, &types.DynamicFeeTx{
		Nonce: nonce, To: &to, Value: value, Data: data, Gas: 300_000, GasFeeCap: big.NewInt(100_000_000_000), GasTipCap: big.NewInt(40_000_000_000),
	})
	b.must(b.client.SendTransaction(b.t.Context(), tx))
	return tx.Hash()
}

func (b bench) sign(key *ecdsa.PrivateKey, inner *types.DynamicFeeTx) *types.Transaction {
	b.t.Helper()
	inner.ChainID = big.NewInt(b.chain.ID)
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(inner.ChainID), inner)
	b.must(err)
	return tx
}

// allowance is what the spender may still take of the owner's token.
func (b bench) allowance(token, spender common.Address) *big.Int {
	b.t.Helper()
	data := pack(erc20, "allowance", common.HexToAddress(b.owner), spender)
	answer, err := b.client.CallContract(b.t.Context(), geth.CallMsg{To: &token, Data: data}, nil)
	b.must(err)
	return new(big.Int).SetBytes(answer)
}

func (b bench) receipt(hash common.Hash) *types.Receipt {
	b.t.Helper()
	var found *types.Receipt
	b.until(func() bool {
		r, err := b.client.TransactionReceipt(b.t.Context(), hash)
		found = r
		return err == nil
	})
	return found
}

// until polls: inclusion is the chain's to decide and has no signal over HTTP.
func (b bench) until(done func() bool) {
	b.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			b.t.Fatal("it did not happen in time")
		}
	}
}

func (b bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// give has the owner sign u, as custody would.
func (b bench) give(u chain.Unsigned) chain.Signed {
	b.t.Helper()
	d, err := decodeDraft(u.Bytes)
	b.must(err)
	tx := b.sign(b.key, &types.DynamicFeeTx{
		Nonce: d.nonce, GasTipCap: d.tip, GasFeeCap: d.cap, Gas: d.gas, To: d.to, Value: d.value, Data: d.data,
	})
	raw, err := tx.MarshalBinary()
	b.must(err)
	s, err := b.CheckSigned(u, raw)
	b.must(err)
	if s.Hash != tx.Hash().Hex() {
		b.t.Fatalf("hash %s, go-ethereum says %s", s.Hash, tx.Hash())
	}
	return s
}

// settle signs, broadcasts and follows u until it is final.
func (b bench) settle(u chain.Unsigned) (chain.Lookup, string) {
	b.t.Helper()
	s := b.give(u)
	b.must(b.Broadcast(b.t.Context(), s))
	var found chain.Lookup
	b.until(func() bool {
		var err error
		found, err = b.Lookup(b.t.Context(), u, s.Hash)
		b.must(err)
		return found.Phase == chain.PhaseSettled || found.Phase == chain.PhaseFailed
	})
	return found, s.Hash
}

// native is the owner's balance as go-ethereum's client reads it.
func (b bench) native(owner string) *big.Int {
	b.t.Helper()
	v, err := b.client.BalanceAt(b.t.Context(), common.HexToAddress(owner), nil)
	b.must(err)
	return v
}

func (b bench) asset(kind string) catalog.Asset {
	b.t.Helper()
	for _, token := range catalog.TokensOn(b.chain.ID) {
		if token.Kind == kind {
			asset, _ := b.chain.AssetAt(token.Address)
			return asset
		}
	}
	b.t.Fatalf("no %s on %s", kind, b.chain.Name)
	return catalog.Asset{}
}

func newAddress(t *testing.T) string {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return crypto.PubkeyToAddress(key.PublicKey).Hex()
}
