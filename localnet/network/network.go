// Package network puts the local network together: the EVM chains, the Solana
// service, the venue and the faucet, with their keys, ports and readiness. It
// must never be linked into the product; only localnet and tests import it.
//
// Layer: part of the local network, above all its other packages.
package network

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tenfold/localnet/contracts"
	"tenfold/localnet/evm"
	"tenfold/localnet/faucet"
	"tenfold/localnet/venue"
)

const (
	seedTimeout     = time.Minute
	shutdownTimeout = time.Second
)

// Options say where and how the network runs. A zero port takes any free one.
type Options struct {
	DataDir string // all state and keys; created when missing
	Assets  string // the checkout's localnet folder; "" finds it

	EVMPort    int // all EVM chains, at /<chain id>
	SolanaPort int // JSON-RPC; the next port is for WebSocket too
	VenuePort  int // venue, faucet and health

	WithoutSolana bool
	Log           *slog.Logger // nil: discard
	ServiceLog    io.Writer    // gets the Solana service's own log lines; nil: discard
}

// Network is a running local network.
type Network struct {
	log    *slog.Logger
	keys   *keys
	chains *evm.Network
	specs  []evm.Spec
	solana *solanaService // nil without Solana

	contracts *contracts.Set

	evmPort, venuePort int
	servers            []*http.Server
	venue              *venue.Venue
	stopVenue          context.CancelFunc
	running            sync.WaitGroup // servers and venue
	failures           chan error
	closing            sync.Once
	closed             error
}

// Start runs the network and returns when everything is ready. Cancelling ctx
// ends the start, not the network. On error nothing is left running.
func Start(ctx context.Context, options Options) (_ *Network, err error) {
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	if options.ServiceLog == nil {
		options.ServiceLog = io.Discard
	}
	if options.Assets == "" {
		if options.Assets, err = FindAssets(); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(options.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	n := &Network{log: options.Log, failures: make(chan error, 4)}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.Close())
		}
	}()
	evmDoor, venueDoor, err := n.openDoors(options)
	if err != nil {
		return nil, err
	}
	if err := n.startChains(ctx, options); err != nil {
		return nil, err
	}
	// The venue reaches the chains as any client does, over HTTP.
	evmDoor.open(n.chains.Handler())
	if err := n.startVenue(options); err != nil {
		return nil, err
	}
	services, err := n.services()
	if err != nil {
		return nil, err
	}
	venueDoor.open(services)
	return n, nil
}

// openDoors takes the ports before anything else is begun, so that a port in
// use is found out at once; who asks meanwhile is told to wait.
func (n *Network) openDoors(options Options) (evmDoor, venueDoor *door, err error) {
	evmListener, err := listen(options.EVMPort, "local EVM chains", "--evm-port")
	if err != nil {
		return nil, nil, err
	}
	venueListener, err := listen(options.VenuePort, "local venue and faucet", "--venue-port")
	if err != nil {
		return nil, nil, errors.Join(err, evmListener.Close())
	}
	n.evmPort, n.venuePort = portOf(evmListener), portOf(venueListener)
	evmDoor, venueDoor = &door{}, &door{}
	n.serve(evmListener, evmDoor)
	n.serve(venueListener, venueDoor)
	return evmDoor, venueDoor, nil
}

// startChains runs the EVM chains and Solana side by side.
func (n *Network) startChains(ctx context.Context, options Options) error {
	starting, ctx := errgroup.WithContext(ctx)
	starting.Go(func() error { return n.startEVM(ctx, options) })
	if !options.WithoutSolana {
		starting.Go(func() error { return n.startSolana(ctx, options) })
	}
	return starting.Wait()
}

func (n *Network) startEVM(ctx context.Context, options Options) error {
	var err error
	if n.keys, err = loadOrCreateKeys(options.DataDir); err != nil {
		return err
	}
	if n.contracts, err = contracts.Load(options.Assets); err != nil {
		return err
	}
	if n.specs, err = evmSpecs(); err != nil {
		return err
	}
	prices, err := readPrices(options.Assets)
	if err != nil {
		return err
	}
	n.chains, err = evm.Start(evm.Config{
		Dir: filepath.Join(options.DataDir, "evm"), Specs: n.specs, Contracts: n.contracts,
		Holders: n.keys.holders(), Allocator: addressOf(n.keys.solver), Log: n.log,
	})
	if err != nil {
		return err
	}
	seeding, cancel := context.WithTimeout(ctx, seedTimeout)
	defer cancel()
	return n.chains.SeedPools(seeding, n.contracts, n.keys.provider, prices)
}

func (n *Network) startSolana(ctx context.Context, options Options) error {
	dir := filepath.Join(options.DataDir, "solana")
	var err error
	n.solana, err = startSolana(ctx, options.Assets, dir, options.SolanaPort, options.ServiceLog)
	if err == nil {
		go n.watchSolana()
	}
	return err
}

func (n *Network) watchSolana() {
	if err := n.solana.endedByItself(); err != nil {
		n.fail(err)
	}
}

// fail reports the first few troubles of a running network.
func (n *Network) fail(err error) {
	select {
	case n.failures <- err:
	default:
	}
}

// Failed yields an error when a part of the running network has ended by
// itself; the network is of no use then and should be closed.
func (n *Network) Failed() <-chan error { return n.failures }

// startVenue opens the venue and lets it fill orders.
func (n *Network) startVenue(options Options) error {
	config := venue.Config{
		DataDir: filepath.Join(options.DataDir, "venue"), RPCURLs: map[int64]string{}, WSURLs: map[int64]string{},
		SolverEVMKey: n.keys.solver, Depository: contracts.DepositoryAddress,
		ProgramsFile: filepath.Join(options.Assets, "solana", "programs.json"),
		PricesFile:   pricesFile(options.Assets), Log: n.log,
	}
	for _, c := range n.Document().Chains {
		config.RPCURLs[c.ID], config.WSURLs[c.ID] = c.RPCURL, c.WSURL
	}
	if n.solana != nil {
		config.SolverSolanaKey = n.solana.treasury
	}
	opened, err := venue.New(config)
	if err != nil {
		return fmt.Errorf("open the venue: %w", err)
	}
	var ctx context.Context
	ctx, n.stopVenue = context.WithCancel(context.Background())
	n.venue = opened
	n.running.Go(func() {
		if err := opened.Run(ctx); err != nil && ctx.Err() == nil {
			n.fail(fmt.Errorf("the venue ended: %w", err))
		}
	})
	return nil
}

// services is what the venue's port serves: the venue, the faucet, and health.
func (n *Network) services() (http.Handler, error) {
	mux := http.NewServeMux()
	funds, err := n.faucet()
	if err != nil {
		return nil, err
	}
	mux.Handle("/", n.venue.Handler())
	mux.Handle("/faucet", evm.LocalOnly(funds.Handler(n.log)))
	mux.Handle("/health", evm.LocalOnly(http.HandlerFunc(healthy)))
	return mux, nil
}

func (n *Network) faucet() (*faucet.Faucet, error) {
	lanes := make([]faucet.Lane, len(n.specs))
	for i, spec := range n.specs {
		lane, err := faucet.NewEVMLane(spec, n.chains.Client(spec.ChainID), n.keys.treasury, n.contracts.Token.ABI)
		if err != nil {
			return nil, err
		}
		lanes[i] = lane
	}
	if n.solana == nil {
		return faucet.New(lanes, nil), nil
	}
	usdc, err := solanaToken("usdc")
	if err != nil {
		return nil, err
	}
	lane, err := faucet.NewSolanaLane(n.solana.rpcURL(), n.solana.treasury, usdc)
	if err != nil {
		return nil, err
	}
	return faucet.New(lanes, lane), nil
}

// Close stops everything, the Solana service included, and waits until all data
// is on disk.
func (n *Network) Close() error {
	n.closing.Do(func() { n.closed = n.stopAll() })
	return n.closed
}

func (n *Network) stopAll() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	var failures []error
	for _, server := range n.servers {
		if err := server.Shutdown(ctx); err != nil {
			failures = append(failures, server.Close())
		}
	}
	if n.venue != nil {
		n.stopVenue()
	}
	n.running.Wait()
	if n.venue != nil {
		failures = append(failures, n.venue.Close())
	}
	var stopping sync.WaitGroup
	var evmErr, solanaErr error
	if n.chains != nil {
		stopping.Go(func() { evmErr = n.chains.Close() })
	}
	if n.solana != nil {
		stopping.Go(func() { solanaErr = n.solana.close() })
	}
	stopping.Wait()
	return errors.Join(append(failures, evmErr, solanaErr)...)
}
