package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/big"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/catalog"
	"tenfold/localnet/network"
)

// asProgram makes this test binary be the program, so that whole processes can
// be killed without building another binary.
const asProgram = "LOCALNET_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is a running localnet process.
type program struct {
	t        *testing.T
	command  *exec.Cmd
	stdin    io.Closer
	stderr   *lockedBuffer
	document network.Document
	ended    chan struct{}
}

type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(chunk []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(chunk)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// launch starts the program and waits for its document.
func launch(t *testing.T, dir string, flags ...string) *program {
	t.Helper()
	command := exec.Command(os.Args[0], append([]string{"--data", dir, "--json"}, flags...)...)
	command.Env = append(os.Environ(), asProgram+"=1", "TENFOLD_STOP_WITH_STDIN=1")
	p := &program{t: t, command: command, stderr: &lockedBuffer{}, ended: make(chan struct{})}
	command.Stderr = p.stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdin = stdin
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReaderSize(stdout, 1<<16).ReadBytes('\n')
	go func() {
		_ = command.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		stdin.Close()
		p.awaitEnd()
	})
	if err := json.Unmarshal(line, &p.document); err != nil || readErr != nil {
		t.Fatalf("no document: %v, %v\n%s", err, readErr, p.stderr)
	}
	return p
}

// awaitEnd gives how long the process took to end.
func (p *program) awaitEnd() time.Duration {
	p.t.Helper()
	asked := time.Now()
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		_ = p.command.Process.Kill()
		p.t.Error("the program did not end")
	}
	return time.Since(asked)
}

func (p *program) urlOf(chainID int64) string {
	for _, c := range p.document.Chains {
		if c.ID == chainID {
			return c.RPCURL
		}
	}
	p.t.Fatalf("no chain %d in the document", chainID)
	return ""
}

// samePorts are the flags that start another program on this one's ports.
func (p *program) samePorts() []string {
	port := func(address string) string {
		parsed, err := url.Parse(address)
		if err != nil {
			p.t.Fatal(err)
		}
		return parsed.Port()
	}
	return []string{
		"--evm-port", port(p.urlOf(1)),
		"--solana-port", port(p.urlOf(catalog.SolanaChainID)),
		"--venue-port", port(p.document.Venue.URL),
	}
}

func dial(t *testing.T, url string) *ethclient.Client {
	t.Helper()
	client, err := ethclient.DialContext(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func solanaBalance(t *testing.T, p *program, address string) uint64 {
	t.Helper()
	result, err := rpc.New(p.urlOf(catalog.SolanaChainID)).GetBalance(t.Context(), solana.MustPublicKeyFromBase58(address), rpc.CommitmentConfirmed)
	if err != nil {
		t.Fatal(err)
	}
	return result.Value
}

// transfer pays 4242 wei from the first test account and waits for the block.
func transfer(t *testing.T, p *program, chainID int64, to common.Address) *types.Receipt {
	t.Helper()
	client := dial(t, p.urlOf(chainID))
	key, err := crypto.ToECDSA(hexutil.MustDecode(p.document.Accounts[0].PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	nonce, err := client.PendingNonceAt(t.Context(), crypto.PubkeyToAddress(key.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	price, err := client.SuggestGasPrice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(big.NewInt(chainID)), &types.LegacyTx{
		Nonce: nonce, GasPrice: new(big.Int).Mul(price, big.NewInt(2)), Gas: 21_000, To: &to, Value: big.NewInt(4242),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.SendTransaction(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		if receipt, err := client.TransactionReceipt(ctx, tx.Hash()); err == nil {
			return receipt
		}
		select {
		case <-ctx.Done():
			t.Fatalf("chain %d: no receipt", chainID)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
