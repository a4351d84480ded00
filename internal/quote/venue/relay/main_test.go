package relay_test

import (
	"context"
	"crypto/ed25519"
	"flag"
	"fmt"
	"math/big"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/evm"
	"tenfold/internal/quote"
	"tenfold/internal/quote/venue/relay"
	tenfoldsolana "tenfold/internal/solana"
	"tenfold/localnet/network"
)

// The tests run against the local venue and the local chains, which take Relay's
// and the public chains' places unchanged.
var local struct {
	venueURL string
	adapters map[int64]chain.Adapter
	evmKey   []byte
	evmUser  string
	solKey   solana.PrivateKey
	// lanes keeps one sender to one order at a time on each chain, as the product
	// does: nonces are counted.
	lanes map[int64]*sync.Mutex
}

func TestMain(m *testing.M) { os.Exit(runAgainstLocalNetwork(m)) }

func runAgainstLocalNetwork(m *testing.M) int {
	flag.Parse()
	_ = flag.Set("test.parallel", "16") // the tests wait for blocks, not for processors
	dir, err := os.MkdirTemp("", "tenfold-relay")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	n, err := network.Start(context.Background(), network.Options{DataDir: dir})
	if err != nil {
		fmt.Fprintln(os.Stderr, "start the local network:", err)
		return 1
	}
	defer n.Close()
	if err := adopt(n.Document()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func adopt(d network.Document) error {
	local.venueURL, local.adapters, local.lanes = d.Venue.URL, map[int64]chain.Adapter{}, map[int64]*sync.Mutex{}
	for _, c := range d.Chains {
		known, _ := catalog.ChainByID(c.ID)
		var adapter chain.Adapter
		var err error
		if known.IsEVM {
			adapter, err = evm.New(known, []string{c.RPCURL})
		} else {
			adapter, err = tenfoldsolana.New(known, []string{c.RPCURL})
		}
		if err != nil {
			return err
		}
		local.adapters[c.ID], local.lanes[c.ID] = adapter, &sync.Mutex{}
	}
	for _, a := range d.Accounts {
		if a.Kind == "evm" {
			local.evmKey, local.evmUser = hexutil.MustDecode(a.PrivateKey), a.Address
		} else {
			local.solKey = solana.MustPrivateKeyFromBase58(a.PrivateKey)
		}
	}
	return nil
}

const (
	ethereum = 1
	base     = 8453
	bsc      = 56
	sol      = catalog.SolanaChainID
)

func venue(t *testing.T, referrer string) *relay.Venue {
	t.Helper()
	v, err := relay.New(relay.Config{BaseURL: local.venueURL, Referrer: referrer})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// asset finds "native", "usdc", "usdt" or "wrapped" on a chain.
func asset(t *testing.T, chainID int64, kind string) catalog.Asset {
	t.Helper()
	c, _ := catalog.ChainByID(chainID)
	if kind == "native" {
		return c.NativeAsset()
	}
	for _, token := range catalog.TokensOn(chainID) {
		if token.Kind == kind {
			a, _ := c.AssetAt(token.Address)
			return a
		}
	}
	t.Fatalf("no %s on %d", kind, chainID)
	return catalog.Asset{}
}

func userOn(chainID int64) string {
	if chainID == sol {
		return local.solKey.PublicKey().String()
	}
	return local.evmUser
}

func ask(t *testing.T, fromChain int64, from string, toChain int64, to string, amount int64) quote.Ask {
	t.Helper()
	return quote.Ask{
		From: asset(t, fromChain, from), To: asset(t, toChain, to), Amount: big.NewInt(amount),
		User: userOn(fromChain), Recipient: userOn(toChain), SlippageBps: 50,
	}
}

// describe builds an offer's transactions and decodes them.
func describe(t *testing.T, o quote.Offer) ([]chain.Unsigned, []chain.Description, error) {
	t.Helper()
	adapter := local.adapters[o.Ask.From.ChainID]
	built, err := adapter.BuildRequest(t.Context(), o.Request)
	if err != nil {
		return nil, nil, err
	}
	list := make([]chain.Description, len(built))
	for i, u := range built {
		if list[i], err = adapter.Describe(t.Context(), u.Bytes); err != nil {
			return nil, nil, err
		}
	}
	return built, list, nil
}

// sign does what custody's sign_transaction does.
func sign(t *testing.T, u chain.Unsigned) []byte {
	t.Helper()
	if u.ChainID == sol {
		wire := append([]byte(nil), u.Bytes...)
		copy(wire[1:], ed25519.Sign(ed25519.PrivateKey(local.solKey), wire[65:]))
		return wire
	}
	var fields struct {
		ChainID    *big.Int
		Nonce      uint64
		Tip, Cap   *big.Int
		Gas        uint64
		To         *[20]byte
		Value      *big.Int
		Data       []byte
		AccessList types.AccessList
	}
	if err := rlp.DecodeBytes(u.Bytes[1:], &fields); err != nil {
		t.Fatal(err)
	}
	key, err := crypto.ToECDSA(local.evmKey)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(fields.ChainID), &types.DynamicFeeTx{
		ChainID: fields.ChainID, Nonce: fields.Nonce, GasTipCap: fields.Tip, GasFeeCap: fields.Cap, Gas: fields.Gas,
		To: (*common.Address)(fields.To), Value: fields.Value, Data: fields.Data,
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// until polls: chains and venue decide when.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(40 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s did not happen in time", what)
		}
	}
}
