package venue_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/evm"
	"tenfold/localnet/venue"
)

// The chains that the tests run: Ethereum for its USDT, Base, and BSC for its
// stablecoins of 18 decimals.
const (
	ethereum = int64(1)
	base     = int64(8453)
	bsc      = int64(56)
	solanaID = catalog.SolanaChainID

	relaySolana = int64(792703809) // Relay's number for Solana
)

const assets = ".." // localnet, which holds node_modules, solana and prices.json

// stack is real chains, a real Solana service and one venue, shared by the tests
// of this package: a test brings users of its own.
type stack struct {
	set      *contracts.Set
	chains   *evm.Network
	nodes    *httptest.Server
	banks    map[int64]*evm.Sender
	solana   *solanaProcess
	treasury solana.PrivateKey
	solver   *ecdsa.PrivateKey // also the depositories' allocator
	spare    *ecdsa.PrivateKey // a second solver, for tests that run their own venue
	url      string

	closers []func()
}

var shared *stack

func TestMain(m *testing.M) {
	if os.Getenv(childConfig) != "" {
		os.Exit(runChildVenue())
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	s, err := startStack()
	if s != nil {
		defer s.close()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "start the test network: %v\n", err)
		return 1
	}
	shared = s
	// The tests wait for blocks, not for processors: many can wait at once.
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func startStack() (*stack, error) {
	s := &stack{banks: map[int64]*evm.Sender{}}
	dir, err := os.MkdirTemp("", "venue-test-")
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() { os.RemoveAll(dir) })
	var wait sync.WaitGroup
	var evmErr, solanaErr error
	wait.Go(func() { evmErr = s.startEVM(filepath.Join(dir, "evm")) })
	wait.Go(func() { s.solana, solanaErr = startSolana(filepath.Join(dir, "solana")) })
	wait.Wait()
	if s.solana != nil {
		s.closers = append(s.closers, s.solana.stop)
	}
	if err := errors.Join(evmErr, solanaErr); err != nil {
		return s, err
	}
	if s.treasury, err = s.solana.treasury(); err != nil {
		return s, err
	}
	return s, s.startVenue(filepath.Join(dir, "venue"))
}

func (s *stack) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
}

func (s *stack) startEVM(dir string) error {
	var err error
	if s.set, err = contracts.Load(assets); err != nil {
		return err
	}
	keys := make([]*ecdsa.PrivateKey, 4)
	for i := range keys {
		if keys[i], err = crypto.GenerateKey(); err != nil {
			return err
		}
	}
	bank, provider := keys[0], keys[1]
	s.solver, s.spare = keys[2], keys[3]
	var holders []evm.Holder
	for _, key := range keys {
		holders = append(holders, evm.Holder{Address: crypto.PubkeyToAddress(key.PublicKey), Coins: 1_000_000_000, Stables: 1_000_000_000})
	}
	s.chains, err = evm.Start(evm.Config{
		Dir: dir, Specs: specs(ethereum, base, bsc), Contracts: s.set, Holders: holders,
		Allocator: crypto.PubkeyToAddress(s.solver.PublicKey),
	})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, func() { s.chains.Close() })
	s.nodes = httptest.NewServer(s.chains.Handler())
	s.closers = append(s.closers, s.nodes.Close)
	for _, id := range []int64{ethereum, base, bsc} {
		s.banks[id] = evm.NewSender(s.chains.Client(id), id, bank)
	}
	prices, err := seedPrices()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return s.chains.SeedPools(ctx, s.set, provider, prices)
}

func specs(ids ...int64) []evm.Spec {
	var list []evm.Spec
	for _, id := range ids {
		facts, _ := catalog.ChainByID(id)
		spec := evm.Spec{ChainID: id, Name: facts.Name, NativeSymbol: facts.NativeCurrency.Symbol, Confirmations: facts.Finality.Blocks}
		for _, t := range catalog.TokensOn(id) {
			token := evm.Token{
				Address: common.HexToAddress(t.Address), Name: t.Name, Symbol: t.Symbol, Decimals: t.Decimals, ResetAllowance: t.ResetAllowance,
			}
			switch t.Kind {
			case "wrapped":
				spec.Wrapped = token
			case "usdc":
				spec.USDC = token
			case "usdt":
				spec.USDT = token
			}
		}
		list = append(list, spec)
	}
	return list
}

func seedPrices() (evm.Prices, error) {
	raw, err := os.ReadFile(filepath.Join(assets, "prices.json"))
	if err != nil {
		return nil, err
	}
	var texts map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		return nil, err
	}
	prices := evm.Prices{}
	for symbol, text := range texts {
		price, ok := new(big.Rat).SetString(text)
		if !ok {
			return nil, fmt.Errorf("price of %s", symbol)
		}
		prices[symbol] = price
	}
	return prices, nil
}

// config is a venue on the shared chains.
func (s *stack) config(dir string, key *ecdsa.PrivateKey) venue.Config {
	return venue.Config{
		DataDir: dir,
		RPCURLs: map[int64]string{
			ethereum: s.nodeURL(ethereum), base: s.nodeURL(base), bsc: s.nodeURL(bsc), solanaID: s.solana.url,
		},
		SolverEVMKey: key, SolverSolanaKey: s.treasury, Depository: contracts.DepositoryAddress,
		ProgramsFile: filepath.Join(assets, "solana", "programs.json"), PricesFile: filepath.Join(assets, "prices.json"),
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	}
}

func (s *stack) nodeURL(id int64) string { return fmt.Sprintf("%s/%d", s.nodes.URL, id) }

func (s *stack) startVenue(dir string) error {
	v, err := venue.New(s.config(dir, s.solver))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = v.Run(ctx) })
	server := httptest.NewServer(v.Handler())
	s.url = server.URL
	s.closers = append(s.closers, func() {
		server.Close()
		cancel()
		running.Wait()
		v.Close()
	})
	return nil
}

// solanaProcess is the Solana service of the local network.
type solanaProcess struct {
	url     string
	dir     string
	command *exec.Cmd
}

func startSolana(dir string) (*solanaProcess, error) {
	port, err := freePorts()
	if err != nil {
		return nil, err
	}
	s := &solanaProcess{dir: dir, url: fmt.Sprintf("http://localhost:%d", port)}
	s.command = exec.Command("node", filepath.Join(assets, "solana", "main.js"), "--port", strconv.Itoa(port), "--data", dir)
	s.command.Env = append(os.Environ(), "TENFOLD_STOP_WITH_STDIN=1")
	// The service stops when this pipe ends, also when the tests are killed.
	if _, err := s.command.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("start the Solana service: %w", err)
	}
	if !bufio.NewScanner(output).Scan() {
		return nil, fmt.Errorf("the Solana service ended: %w", s.command.Wait())
	}
	return s, nil
}

// freePorts finds a port that is free together with the next one.
func freePorts() (int, error) {
	for range 50 {
		first, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, err
		}
		port := first.Addr().(*net.TCPAddr).Port
		second, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		first.Close()
		if err == nil {
			second.Close()
			return port, nil
		}
	}
	return 0, errors.New("no two free ports")
}

func (s *solanaProcess) treasury() (solana.PrivateKey, error) {
	raw, err := os.ReadFile(filepath.Join(s.dir, "treasury.json"))
	if err != nil {
		return nil, err
	}
	var stored struct {
		PrivateKey string `json:"privateKey"`
	}
	if err := json.Unmarshal(raw, &stored); err != nil {
		return nil, errors.New("treasury.json is not a key file")
	}
	return solana.PrivateKeyFromBase58(stored.PrivateKey)
}

func (s *solanaProcess) stop() {
	_ = s.command.Process.Signal(os.Interrupt)
	_ = s.command.Wait()
}

// client is what every request of the tests goes through.
var client = &http.Client{Timeout: 20 * time.Second}
