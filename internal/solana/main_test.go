package solana

import (
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/localnet/network"
)

// The tests run against the real runtime: the local network's Solana service,
// one for the whole package. What they check is read with solana-go's own client.
var local struct {
	url    string
	funder solana.PrivateKey
}

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() != "" { // fuzzing needs no chain, and its workers are many
		os.Exit(m.Run())
	}
	os.Exit(runAgainstLocalChain(m))
}

func runAgainstLocalChain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "tenfold-solana")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	n, err := network.Start(context.Background(), network.Options{DataDir: dir, ServiceLog: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, "start the local chains:", err)
		return 1
	}
	defer n.Close()
	for _, c := range n.Document().Chains {
		if c.ID == catalog.SolanaChainID {
			local.url = c.RPCURL
		}
	}
	for _, a := range n.Document().Accounts {
		if a.Kind == "solana" {
			local.funder = solana.MustPrivateKeyFromBase58(a.PrivateKey)
		}
	}
	return m.Run()
}

// bench is the chain under test with a funded account.
type bench struct {
	*Adapter
	t      *testing.T
	client *rpc.Client
	key    solana.PrivateKey
	owner  string
}

const fundedBy = 2_000_000_000 // lamports of a new account

// newBench gives an account with two SOL and no tokens.
func newBench(t *testing.T) bench {
	t.Helper()
	c, _ := catalog.ChainByID(catalog.SolanaChainID)
	a, err := New(c, []string{local.url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	key := newKey(t)
	b := bench{a, t, rpc.New(local.url), key, key.PublicKey().String()}
	b.pay(system.NewTransferInstruction(fundedBy, local.funder.PublicKey(), key.PublicKey()).Build())
	return b
}

func newKey(t *testing.T) solana.PrivateKey {
	t.Helper()
	key, err := solana.NewRandomPrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (b bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// pay has the funder carry out instructions, with solana-go's client alone.
func (b bench) pay(list ...solana.Instruction) { b.carryOut(local.funder, list...) }

func (b bench) carryOut(payer solana.PrivateKey, list ...solana.Instruction) solana.Signature {
	b.t.Helper()
	recent, err := b.client.GetLatestBlockhash(b.t.Context(), rpc.CommitmentConfirmed)
	b.must(err)
	tx, err := solana.NewTransaction(list, recent.Value.Blockhash, solana.TransactionPayer(payer.PublicKey()))
	b.must(err)
	_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer })
	b.must(err)
	signature, err := b.client.SendTransaction(b.t.Context(), tx)
	b.must(err)
	b.until(func() bool {
		s, err := b.client.GetSignatureStatuses(b.t.Context(), true, signature)
		return err == nil && s.Value[0] != nil && s.Value[0].ConfirmationStatus != rpc.ConfirmationStatusProcessed
	})
	return signature
}

// giveTokens pays base units of a token to the owner, opening the account.
func (b bench) giveTokens(asset catalog.Asset, amount uint64) {
	b.t.Helper()
	mint := solana.MustPublicKeyFromBase58(asset.Address)
	from, to := local.funder.PublicKey(), b.key.PublicKey()
	b.pay(
		associated.NewCreateIdempotentInstruction(from, to, mint).Build(),
		token.NewTransferInstruction(amount, tokenAccount(from, mint), tokenAccount(to, mint), from, nil).Build(),
	)
}

// until polls: the chain decides when.
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

// give has the owner sign u, as custody would.
func (b bench) give(u chain.Unsigned) chain.Signed {
	b.t.Helper()
	wire := append([]byte(nil), u.Bytes...)
	copy(wire[1:], ed25519.Sign(ed25519.PrivateKey(b.key), wire[messageOffset:]))
	s, err := b.CheckSigned(u, wire)
	b.must(err)
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

// lamportsOf is a balance as solana-go's client reads it.
func (b bench) lamportsOf(owner string) uint64 {
	b.t.Helper()
	r, err := b.client.GetBalance(b.t.Context(), solana.MustPublicKeyFromBase58(owner), rpc.CommitmentConfirmed)
	b.must(err)
	return r.Value
}

// tokensOf is a token balance as solana-go's client reads it.
func (b bench) tokensOf(owner string, asset catalog.Asset) string {
	b.t.Helper()
	address := tokenAccount(solana.MustPublicKeyFromBase58(owner), solana.MustPublicKeyFromBase58(asset.Address))
	r, err := b.client.GetTokenAccountBalance(b.t.Context(), address, rpc.CommitmentConfirmed)
	if errors.Is(err, rpc.ErrNotFound) {
		return "0"
	}
	b.must(err)
	return r.Value.Amount
}

func (b bench) asset(kind string) catalog.Asset {
	b.t.Helper()
	for _, t := range catalog.TokensOn(b.chain.ID) {
		if t.Kind == kind {
			asset, _ := b.chain.AssetAt(t.Address)
			return asset
		}
	}
	b.t.Fatalf("no %s", kind)
	return catalog.Asset{}
}

func units(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
