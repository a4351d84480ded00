package main

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/evm"
)

func TestDocumentNamesEverything(t *testing.T) {
	t.Parallel()
	p := launch(t, t.TempDir(), freePorts...)
	if len(p.document.Chains) != 10 {
		t.Errorf("%d chains", len(p.document.Chains))
	}
	kinds := map[string]int{}
	for _, account := range p.document.Accounts {
		kinds[account.Kind]++
		if account.Kind == "evm" {
			key, err := crypto.ToECDSA(hexutil.MustDecode(account.PrivateKey))
			if err != nil || crypto.PubkeyToAddress(key.PublicKey).Hex() != account.Address {
				t.Errorf("the key of %s is another's: %v", account.Address, err)
			}
			continue
		}
		key, err := solana.PrivateKeyFromBase58(account.PrivateKey)
		if err != nil || key.PublicKey().String() != account.Address {
			t.Errorf("the key of %s is another's: %v", account.Address, err)
		}
	}
	if kinds["evm"] != 2 || kinds["solana"] != 2 {
		t.Errorf("accounts %v, want two of each kind", kinds)
	}
	response, err := http.Get(p.document.Venue.URL + "/health")
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("health: %v, %v", response, err)
	}
	response.Body.Close()

	if err := p.command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if took := p.awaitEnd(); took > 5*time.Second || p.command.ProcessState.ExitCode() != 0 {
		t.Errorf("ended after %s with %v", took, p.command.ProcessState)
	}
	if !strings.Contains(p.stderr.String(), "localnet ready") {
		t.Errorf("the log has no line of readiness:\n%s", p.stderr)
	}
	// The next start on the same ports would fail if Solana were left behind.
	for _, c := range p.document.Chains {
		endpoint, err := url.Parse(c.RPCURL)
		if err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", "127.0.0.1:"+endpoint.Port())
		if err != nil {
			t.Errorf("port of %s is still taken: %v", c.Name, err)
			continue
		}
		listener.Close()
	}
}

func TestKilledNetworkComesBackWithItsBlocksAndBalances(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := launch(t, dir, freePorts...)
	to := common.HexToAddress("0x000000000000000000000000000000000000c0de")
	receipts := map[int64]*types.Receipt{}
	for _, chainID := range []int64{1, 8453, 42161, 80094, 56, 146, 43114, 137, 999} {
		receipts[chainID] = transfer(t, p, chainID, to)
	}
	solanaAccount := p.document.Accounts[2].Address
	lamports := solanaBalance(t, p, solanaAccount)

	if err := p.command.Process.Kill(); err != nil { // SIGKILL
		t.Fatal(err)
	}
	p.awaitEnd()

	// At once, on the same ports, while the Solana service is still noticing.
	again := launch(t, dir, p.samePorts()...)
	if got, want := again.document.Accounts, p.document.Accounts; len(got) != len(want) || got[0] != want[0] || got[3] != want[3] {
		t.Error("the test accounts changed")
	}
	for chainID, receipt := range receipts {
		client := dial(t, again.urlOf(chainID))
		found, err := client.TransactionReceipt(t.Context(), receipt.TxHash)
		if err != nil || found.BlockHash != receipt.BlockHash {
			t.Errorf("chain %d: the transfer is in %v, %v; was in %s", chainID, found, err, receipt.BlockHash)
		}
		balance, err := client.BalanceAt(t.Context(), to, nil)
		if err != nil || balance.Int64() != 4242 {
			t.Errorf("chain %d: balance %v, %v", chainID, balance, err)
		}
		transfer(t, again, chainID, to) // and it goes on
	}
	if got := solanaBalance(t, again, solanaAccount); got != lamports {
		t.Errorf("Solana balance %d, was %d", got, lamports)
	}
}

// A start can be killed at any moment, also the first one; whatever it has left
// behind, the next start must come up whole.
func TestFirstStartKilledAtAnyMomentIsMadeGood(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, moment := range []time.Duration{30, 120, 250, 400, 600, 900, 1300} {
		command := exec.Command(os.Args[0], append([]string{"--data", dir}, freePorts...)...)
		command.Env = append(os.Environ(), asProgram+"=1")
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		<-time.After(moment * time.Millisecond) // the moment is the point, not a wait for something
		_ = command.Process.Kill()
		_ = command.Wait()
	}
	p := launch(t, dir, freePorts...)
	set, err := contracts.Load(filepath.Join("..", "..", "localnet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, chain := range catalog.Chains() {
		if !chain.IsEVM {
			continue
		}
		transfer(t, p, chain.ID, common.HexToAddress("0x000000000000000000000000000000000000c0de"))
		tokens := map[string]common.Address{}
		for _, token := range catalog.TokensOn(chain.ID) {
			tokens[token.Kind] = common.HexToAddress(token.Address)
		}
		for _, other := range []string{"wrapped", "usdt"} {
			pool := evm.PairAddress(tokens["usdc"], tokens[other], set)
			reserve, err := evm.TokenBalance(t.Context(), dial(t, p.urlOf(chain.ID)), set.Token.ABI, tokens["usdc"], pool)
			if err != nil || reserve.Sign() == 0 {
				t.Errorf("chain %d: USDC/%s pool holds %v, %v", chain.ID, other, reserve, err)
			}
		}
	}
}

// complain runs the program where it cannot start and gives its one line.
func complain(t *testing.T, environment []string, flags ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0], append([]string{"--data", t.TempDir()}, flags...)...)
	command.Env = append(environment, asProgram+"=1")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); command.ProcessState.ExitCode() != 1 {
		t.Errorf("exit code %d, %v; want 1", command.ProcessState.ExitCode(), err)
	}
	if stdout.Len() != 0 || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("it says %q and %q; want one line of error", stdout.String(), stderr.String())
	}
	return stderr.String()
}

func TestPortInUseIsOneLine(t *testing.T) {
	t.Parallel()
	holder, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { holder.Close() })
	port := holder.Addr().(*net.TCPAddr).Port
	free := map[string]string{"--evm-port": "0", "--solana-port": "0", "--venue-port": "0"}
	for flag, purpose := range map[string]string{
		"--evm-port": "local EVM chains", "--solana-port": "local Solana", "--venue-port": "local venue and faucet",
	} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			var flags []string
			for name, value := range free {
				if name == flag {
					value = strconv.Itoa(port)
				}
				flags = append(flags, name, value)
			}
			want := "localhost:" + strconv.Itoa(port) + " is already in use (" + purpose + ")"
			if got := complain(t, os.Environ(), flags...); !strings.Contains(got, want) || !strings.Contains(got, flag) {
				t.Errorf("it says %q", got)
			}
		})
	}
}

var freePorts = []string{"--evm-port", "0", "--solana-port", "0", "--venue-port", "0"}

func TestMissingNodeIsOneLine(t *testing.T) {
	t.Parallel()
	if got := complain(t, []string{"PATH=" + t.TempDir()}, freePorts...); !strings.Contains(got, "Node.js 20") {
		t.Errorf("it says %q", got)
	}
}

func TestMissingPackagesIsOneLine(t *testing.T) {
	t.Parallel()
	assets := filepath.Join(t.TempDir(), "localnet")
	if err := os.MkdirAll(assets, 0o700); err != nil {
		t.Fatal(err)
	}
	flags := append([]string{"--assets", assets}, freePorts...)
	if got := complain(t, os.Environ(), flags...); !strings.Contains(got, "npm ci") {
		t.Errorf("it says %q", got)
	}
}

func TestDeathOfSolanaEndsTheProgram(t *testing.T) {
	t.Parallel()
	p := launch(t, t.TempDir(), freePorts...)
	children, err := exec.CommandContext(t.Context(), "pgrep", "-P", strconv.Itoa(p.command.Process.Pid)).Output()
	if err != nil {
		t.Fatal("find the Solana service: ", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(children)))
	if err != nil {
		t.Fatalf("children %q: %v", children, err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.awaitEnd()
	if code := p.command.ProcessState.ExitCode(); code != 1 || !strings.Contains(p.stderr.String(), "the Solana service ended") {
		t.Errorf("exit code %d, log:\n%s", code, p.stderr)
	}
}
