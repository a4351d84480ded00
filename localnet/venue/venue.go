// Package venue is the local network's swap and bridge provider. It speaks
// Relay's HTTP API, so that the product's Relay adapter runs unchanged against
// it: quotes come from the pools of the local chains as they are, same-chain
// swaps are transactions that the user signs, and cross-chain orders are filled
// by a solver that watches the depositories and pays from its own account.
//
// It must never be linked into the product, never pay an order twice, and never
// invent an amount. Its keys own nothing outside the local network.
//
// Layer: part of the local network.
package venue

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/evmchain"
	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/solanachain"
	"tenfold/localnet/venue/internal/solver"
	"tenfold/localnet/venue/internal/trade"
)

// Config says where the venue's chains and files are and who pays.
type Config struct {
	// DataDir keeps venue.db; it is created when missing.
	DataDir string
	// RPCURLs maps the catalog's chain ids to nodes. A chain without one is not served.
	RPCURLs map[int64]string
	// WSURLs are shown in GET /chains only; a chain may lack one.
	WSURLs map[int64]string
	// SolverEVMKey pays on every EVM chain and is the depositories' allocator. It
	// needs native coin and USDC, and must pay for nobody else: nonces would clash.
	SolverEVMKey *ecdsa.PrivateKey
	// SolverSolanaKey pays on Solana: SOL, USDC and USDT. Sharing it is harmless.
	SolverSolanaKey solana.PrivateKey
	// Depository is the EVM depository's address, equal on all chains.
	Depository common.Address
	// ProgramsFile is localnet/solana/programs.json; needed only with Solana.
	ProgramsFile string
	// PricesFile is localnet/prices.json.
	PricesFile string
	// Clock is time.Now when nil; Log discards when nil.
	Clock func() time.Time
	Log   *slog.Logger
}

// Venue is the provider. Handler serves it, Run fills orders, Close releases it.
type Venue struct {
	log     *slog.Logger
	now     func() time.Time
	book    *pricing.Book
	store   *orders.Store
	engine  *solver.Engine
	sites   map[int64]*site // by the API's chain id
	byChain map[int64]*site // by the catalog's chain id
	ordered []*site         // in the catalog's order
}

// chain is what the venue needs of one chain, EVM or Solana.
type chain interface {
	solver.Chain
	// ParseAddress gives an address its canonical form; false when it is none.
	ParseAddress(text string) (string, bool)
	// Solver is the address that pays.
	Solver() string
	// Balance is in base units; zero for an account that does not exist.
	Balance(ctx context.Context, owner string, asset catalog.Asset) (*big.Int, error)
	// Pools are the pools with their reserves of this moment.
	Pools(ctx context.Context) ([]pricing.Pool, error)
	// Steps are what the user signs, and the network's fee for it in base units.
	Steps(ctx context.Context, t trade.Trade) ([]relaywire.Step, *big.Int, error)
	// PayoutCost is what paying the asset to the recipient costs the solver, in
	// native base units: network fee, and rent of an account that is missing.
	PayoutCost(ctx context.Context, asset catalog.Asset, recipient string) (*big.Int, error)
	// RefundCost is the same for giving a deposit back.
	RefundCost(ctx context.Context, asset catalog.Asset, recipient string) (*big.Int, error)
	// CheckRecipient refuses an amount that the recipient's account cannot hold.
	CheckRecipient(ctx context.Context, asset catalog.Asset, recipient string, amount *big.Int) error
	// Match recognises the transaction that carries out a same-chain quote.
	Match(steps []relaywire.Step) string
	// Fingerprint is the same for a transaction on the chain; false when there is
	// no such transaction.
	Fingerprint(ctx context.Context, hash string) (match string, found bool, err error)
	Close()
}

// site is one chain with what the API says of it.
type site struct {
	facts         catalog.Chain
	venueID       int64
	chain         chain
	usdc          catalog.Asset
	rpcURL, wsURL string
	depository    string
	vault         string // Solana only
	exchange      string
}

// pooled is the address under which pools know an asset: native coin trades in
// its wrapped form.
func (s *site) pooled(asset catalog.Asset) string {
	if asset.Native {
		return s.facts.WrappedToken.Address
	}
	return asset.Address
}

// paysFromInventory says that the solver sends the asset without buying it. On
// Solana it can wrap what it holds within the same transaction.
func (s *site) paysFromInventory(asset catalog.Asset) bool {
	wrapped := s.facts.SameAddress(asset.Address, s.facts.WrappedToken.Address)
	return asset.Native || asset.Address == s.usdc.Address || wrapped && !s.facts.IsEVM
}

// New opens the venue's files. It does not talk to the nodes: they may come up later.
func New(config Config) (*Venue, error) {
	v := &Venue{
		log: config.Log, now: config.Clock, sites: map[int64]*site{}, byChain: map[int64]*site{},
	}
	if v.log == nil {
		v.log = slog.New(slog.DiscardHandler)
	}
	if v.now == nil {
		v.now = time.Now
	}
	var err error
	if v.book, err = pricing.LoadBook(config.PricesFile); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(config.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("create the venue's folder: %w", err)
	}
	if err := v.addSites(config); err != nil {
		v.closeChains()
		return nil, err
	}
	if v.store, err = orders.Open(context.Background(), config.DataDir, v.now); err != nil {
		v.closeChains()
		return nil, err
	}
	v.engine = solver.New(v.store, v.solverChains(), v, v.now, v.log)
	return v, nil
}

func (v *Venue) addSites(config Config) error {
	for _, facts := range catalog.Chains() {
		url, served := config.RPCURLs[facts.ID]
		if !served {
			continue
		}
		at := &site{facts: facts, venueID: venueID(facts.ID), rpcURL: url, wsURL: config.WSURLs[facts.ID]}
		for _, asset := range facts.Assets() {
			if asset.PriceSymbol == "USDC" {
				at.usdc = asset
			}
		}
		if err := at.connect(config); err != nil {
			return err
		}
		v.sites[at.venueID], v.byChain[facts.ID] = at, at
		v.ordered = append(v.ordered, at)
	}
	return nil
}

func (s *site) connect(config Config) error {
	if s.facts.IsEVM {
		connected, err := evmchain.New(s.facts, s.venueID, s.rpcURL, config.Depository, config.SolverEVMKey)
		if err != nil {
			return err
		}
		s.chain, s.depository, s.exchange = connected, strings.ToLower(config.Depository.Hex()), "uniswap-v2"
		return nil
	}
	programs, err := solanachain.LoadPrograms(config.ProgramsFile)
	if err != nil {
		return err
	}
	s.chain = solanachain.New(s.facts, s.rpcURL, programs, config.SolverSolanaKey)
	s.depository, s.vault, s.exchange = programs.Depository.String(), programs.DepositoryVault.String(), "tenfold-pool"
	return nil
}

func (v *Venue) solverChains() map[int64]solver.Chain {
	chains := map[int64]solver.Chain{}
	for id, at := range v.byChain {
		chains[id] = at.chain
	}
	return chains
}

// Run watches the depositories and fills orders until ctx ends. It first
// finishes what an earlier process had begun.
func (v *Venue) Run(ctx context.Context) error { return v.engine.Run(ctx) }

// Close releases files and connections; Run must have returned.
func (v *Venue) Close() error {
	v.closeChains()
	return v.store.Close()
}

func (v *Venue) closeChains() {
	for _, at := range v.ordered {
		at.chain.Close()
	}
}

// catalogName is what the catalog calls the API that the venue speaks.
const catalogName = "relay"
