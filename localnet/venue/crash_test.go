package venue_test

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/localnet/contracts"
	"tenfold/localnet/venue"
)

// childConfig names the variable that makes this test binary run a venue of its
// own, from the file that it names, until it is killed.
const childConfig = "VENUE_TEST_CHILD"

type childFile struct {
	Dir       string           `json:"dir"`
	URLs      map[int64]string `json:"urls"`
	EVMKey    string           `json:"evmKey"`
	SolanaKey string           `json:"solanaKey"`
}

// runChildVenue serves a venue, prints its URL and never returns by itself.
func runChildVenue() int {
	if err := serveChildVenue(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serveChildVenue() error {
	raw, err := os.ReadFile(os.Getenv(childConfig))
	if err != nil {
		return err
	}
	var file childFile
	if err := json.Unmarshal(raw, &file); err != nil {
		return err
	}
	key, err := crypto.HexToECDSA(file.EVMKey)
	if err != nil {
		return err
	}
	solanaKey, err := solana.PrivateKeyFromBase58(file.SolanaKey)
	if err != nil {
		return err
	}
	v, err := venue.New(venue.Config{
		DataDir: file.Dir, RPCURLs: file.URLs, SolverEVMKey: key, SolverSolanaKey: solanaKey,
		Depository:   contracts.DepositoryAddress,
		ProgramsFile: filepath.Join(assets, "solana", "programs.json"), PricesFile: filepath.Join(assets, "prices.json"),
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, v.Handler()) }()
	go func() {
		// The parent's end of this pipe closes when the parent dies.
		_ = bufio.NewScanner(os.Stdin).Scan()
		os.Exit(1)
	}()
	fmt.Printf("http://%s\n", listener.Addr())
	return v.Run(context.Background())
}

// child is a venue in a process that can be killed.
type child struct {
	url     string
	command *exec.Cmd
}

func startChild(t *testing.T, configFile string) child {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), childConfig+"="+configFile)
	command.Stderr = os.Stderr
	if _, err := command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line := bufio.NewScanner(output)
	if !line.Scan() {
		t.Fatal("the child venue did not start")
	}
	return child{url: strings.TrimSpace(line.Text()), command: command}
}

// kill is kill -9.
func (c child) kill(t *testing.T) {
	t.Helper()
	if err := c.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.command.Wait() // says that it was killed
}

// Killed again and again at different moments after deposits, the venue pays
// every order, and none twice.
func TestKilledVenuePaysEveryOrderOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := shared.config(filepath.Join(dir, "venue"), shared.spare)
	raw, err := json.Marshal(childFile{
		Dir: config.DataDir, URLs: config.RPCURLs,
		EVMKey: hex.EncodeToString(crypto.FromECDSA(shared.spare)), SolanaKey: shared.treasury.String(),
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "child.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	user := newEVMUser(t, base)
	units := coins(20, asset(t, base, "USDC"))
	var made []killedOrder
	running := startChild(t, file)
	for round := range 10 {
		made = append(made, orderTo(t, running.url, user, bsc, units), orderTo(t, running.url, user, solanaID, units))
		// The deposits are in their blocks: the solver is about to see them, or is
		// signing, or sending, or waiting, when it is killed.
		timer := time.NewTimer(time.Duration(round) * 60 * time.Millisecond)
		<-timer.C
		running.kill(t)
		running = startChild(t, file)
	}
	for _, order := range made {
		finalAt(t, running.url, order.quote, "success")
	}
	running.kill(t)
	for i, order := range made {
		same(t, fmt.Sprintf("order %d arrived", i), order.received(), order.quote.out(t))
		if order.solana != (solana.PublicKey{}) {
			onlyOnePayment(t, order.solana)
		}
	}
}

type killedOrder struct {
	quote    quoteJSON
	received func() *big.Int
	solana   solana.PublicKey
}

// orderTo quotes a bridge of USDC to somebody new and pays the deposit.
func orderTo(t *testing.T, url string, user evmUser, destination int64, units *big.Int) killedOrder {
	t.Helper()
	recipient, received := newRecipient(t, destination, "USDC")
	q := quoteAt(t, url, pair(t, base, "USDC", destination, "USDC", units).with(object{
		"user": user.address.Hex(), "recipient": recipient,
	}))
	user.execute(t, q)
	order := killedOrder{quote: q, received: received}
	if destination == solanaID {
		order.solana = solana.MustPublicKeyFromBase58(recipient)
	}
	return order
}

func onlyOnePayment(t *testing.T, recipient solana.PublicKey) {
	t.Helper()
	account := ata(t, recipient, solana.MustPublicKeyFromBase58(asset(t, solanaID, "USDC").Address))
	signatures, err := solanaNode().GetSignaturesForAddressWithOpts(t.Context(), account,
		&rpc.GetSignaturesForAddressOpts{Commitment: rpc.CommitmentConfirmed})
	if err != nil {
		t.Fatal(err)
	}
	if len(signatures) != 1 {
		t.Errorf("%s was paid by %d transactions", recipient, len(signatures))
	}
}
