// Package solana_test uses the local Solana network as a Go program does: through solana-go, unchanged.
package solana_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	lookuptable "github.com/gagliardetto/solana-go/programs/address-lookup-table"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/gagliardetto/solana-go/rpc/ws"
)

const startTimeout = 60 * time.Second

var usdc = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

// network is a running service, its clients, and a funded account of it.
type network struct {
	t        *testing.T
	rpc      *rpc.Client
	ws       *ws.Client
	treasury solana.PrivateKey
}

func startNetwork(t *testing.T) *network {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("SKIPPED: node is not installed (Node.js 20 or later)")
	}
	if _, err := os.Stat("../node_modules/litesvm"); err != nil {
		t.Skip("SKIPPED: npm packages are not installed (npm ci --ignore-scripts, in localnet)")
	}
	data := t.TempDir()
	for range 20 {
		rpcURL, wsURL, err := startService(t, data, 40_000+2*rand.IntN(5_000))
		if errors.Is(err, errPortInUse) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		socket, err := ws.Connect(t.Context(), wsURL)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(socket.Close)
		return &network{t, rpc.New(rpcURL), socket, readTreasury(t, data)}
	}
	t.Fatal("no free ports found")
	return nil
}

var errPortInUse = errors.New("port in use")

func startService(t *testing.T, data string, port int) (rpcURL, wsURL string, err error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, "node", "main.js", "--port", strconv.Itoa(port), "--data", data)
	var logs strings.Builder
	command.Stderr = &logs
	stdout, err := command.StdoutPipe()
	if err != nil {
		stop()
		return "", "", err
	}
	// Standard input ends with this process, however it ends, and the service with it.
	command.Env = append(os.Environ(), "TENFOLD_STOP_WITH_STDIN=1")
	if _, err := command.StdinPipe(); err != nil {
		stop()
		return "", "", err
	}
	if err := command.Start(); err != nil {
		stop()
		return "", "", err
	}
	var ready struct{ RPCURL, WSURL string }
	line, readErr := bufio.NewReader(stdout).ReadBytes('\n')
	if readErr != nil || json.Unmarshal(line, &ready) != nil {
		io.Copy(io.Discard, stdout)
		command.Wait()
		stop()
		if strings.Contains(logs.String(), "already in use") {
			return "", "", errPortInUse
		}
		return "", "", fmt.Errorf("the service did not start: %s", logs.String())
	}
	t.Cleanup(func() {
		stop()
		command.Wait()
	})
	return ready.RPCURL, ready.WSURL, nil
}

func readTreasury(t *testing.T, data string) solana.PrivateKey {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(data, "treasury.json"))
	if err != nil {
		t.Fatal(err)
	}
	var stored struct{ Address, PrivateKey string }
	if err := json.Unmarshal(content, &stored); err != nil {
		t.Fatal(err)
	}
	key, err := solana.PrivateKeyFromBase58(stored.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	if key.PublicKey().String() != stored.Address {
		t.Fatalf("treasury address %s is not that of its key", stored.Address)
	}
	return key
}

// sign makes a transaction paid and signed by the treasury.
func (n *network) sign(options []solana.TransactionOption, instructions ...solana.Instruction) *solana.Transaction {
	n.t.Helper()
	latest, err := n.rpc.GetLatestBlockhash(n.t.Context(), rpc.CommitmentConfirmed)
	if err != nil {
		n.t.Fatal(err)
	}
	options = append(options, solana.TransactionPayer(n.treasury.PublicKey()))
	transaction, err := solana.NewTransaction(instructions, latest.Value.Blockhash, options...)
	if err != nil {
		n.t.Fatal(err)
	}
	_, err = transaction.Sign(func(solana.PublicKey) *solana.PrivateKey { return &n.treasury })
	if err != nil {
		n.t.Fatal(err)
	}
	return transaction
}

// run simulates, sends and waits for a transaction over the WebSocket.
func (n *network) run(options []solana.TransactionOption, instructions ...solana.Instruction) solana.Signature {
	n.t.Helper()
	transaction := n.sign(options, instructions...)
	simulated, err := n.rpc.SimulateTransaction(n.t.Context(), transaction)
	if err != nil {
		n.t.Fatal(err)
	}
	if simulated.Value.Err != nil {
		n.t.Fatalf("simulation: %v %q", simulated.Value.Err, simulated.Value.Logs)
	}
	subscription, err := n.ws.SignatureSubscribe(transaction.Signatures[0], rpc.CommitmentConfirmed)
	if err != nil {
		n.t.Fatal(err)
	}
	defer subscription.Unsubscribe()
	signature, err := n.rpc.SendTransaction(n.t.Context(), transaction)
	if err != nil {
		n.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(n.t.Context(), startTimeout)
	defer cancel()
	result, err := subscription.Recv(ctx)
	if err != nil {
		n.t.Fatal(err)
	}
	if result.Value.Err != nil {
		n.t.Fatalf("transaction failed: %v", result.Value.Err)
	}
	return signature
}

func TestSolanaGo(t *testing.T) {
	t.Parallel()
	n := startNetwork(t)
	payer := n.treasury.PublicKey()
	recipient := solana.NewWallet().PublicKey()
	source, _, err := solana.FindAssociatedTokenAddress(payer, usdc)
	if err != nil {
		t.Fatal(err)
	}
	destination, _, err := solana.FindAssociatedTokenAddress(recipient, usdc)
	if err != nil {
		t.Fatal(err)
	}

	n.run(nil,
		system.NewTransferInstruction(50*solana.LAMPORTS_PER_SOL, payer, recipient).Build(),
		associatedtoken.NewCreateIdempotentInstruction(payer, recipient, usdc).Build(),
		token.NewTransferCheckedInstruction(5_000_000_000, 6, source, usdc, destination, payer, nil).Build())
	n.checkBalances(recipient, destination)
	table := n.newLookupTable(recipient, usdc, source, destination)

	signature := n.run([]solana.TransactionOption{solana.TransactionAddressTables(table)},
		computebudget.NewSetComputeUnitPriceInstruction(5_000).Build(),
		computebudget.NewSetComputeUnitLimitInstruction(100_000).Build(),
		system.NewTransferInstruction(11, payer, recipient).Build(),
		token.NewTransferCheckedInstruction(7, 6, source, usdc, destination, payer, nil).Build())
	n.checkTransaction(signature)
	n.checkHistory(recipient, signature)
	n.checkRefusals(recipient)
}

func (n *network) checkBalances(recipient, account solana.PublicKey) {
	n.t.Helper()
	ctx := n.t.Context()
	balance, err := n.rpc.GetBalance(ctx, recipient, rpc.CommitmentConfirmed)
	if err != nil || balance.Value != 50*solana.LAMPORTS_PER_SOL {
		n.t.Errorf("balance %+v, %v", balance, err)
	}
	held, err := n.rpc.GetTokenAccountBalance(ctx, account, rpc.CommitmentConfirmed)
	if err != nil || held.Value.Amount != "5000000000" || held.Value.UiAmountString != "5000" {
		n.t.Errorf("token balance %+v, %v", held, err)
	}
	var decoded token.Account
	err = n.rpc.GetAccountDataInto(ctx, account, &decoded)
	if err != nil || decoded.Owner != recipient || decoded.Amount != 5_000_000_000 {
		n.t.Errorf("token account %+v, %v", decoded, err)
	}
	accounts, err := n.rpc.GetTokenAccountsByOwner(ctx, recipient,
		&rpc.GetTokenAccountsConfig{ProgramId: solana.TokenProgramID.ToPointer()},
		&rpc.GetTokenAccountsOpts{Encoding: solana.EncodingJSONParsed})
	if err != nil || len(accounts.Value) != 1 || accounts.Value[0].Pubkey != account {
		n.t.Errorf("token accounts %+v, %v", accounts, err)
	}
}

// newLookupTable makes a table on the chain, and waits until its addresses may be used.
func (n *network) newLookupTable(addresses ...solana.PublicKey) map[solana.PublicKey]solana.PublicKeySlice {
	n.t.Helper()
	ctx, payer := n.t.Context(), n.treasury.PublicKey()
	slot, err := n.rpc.GetSlot(ctx, rpc.CommitmentFinalized)
	if err != nil {
		n.t.Fatal(err)
	}
	create, table, err := lookuptable.NewCreateLookupTableInstruction(payer, payer, slot)
	if err != nil {
		n.t.Fatal(err)
	}
	n.run(nil, create.Build(), lookuptable.NewExtendLookupTableInstruction(table, payer, payer, addresses).Build())
	slots, err := n.ws.SlotSubscribe()
	if err != nil {
		n.t.Fatal(err)
	}
	defer slots.Unsubscribe()
	for range 2 { // the addresses can be used one slot after they were added
		if _, err := slots.Recv(ctx); err != nil {
			n.t.Fatal(err)
		}
	}
	state, err := lookuptable.GetAddressLookupTableStateWithOpts(ctx, n.rpc, table,
		&rpc.GetAccountInfoOpts{Commitment: rpc.CommitmentConfirmed})
	if err != nil {
		n.t.Fatal(err)
	}
	return map[solana.PublicKey]solana.PublicKeySlice{table: state.Addresses}
}

func (n *network) checkTransaction(signature solana.Signature) {
	n.t.Helper()
	version := uint64(0)
	found, err := n.rpc.GetTransaction(n.t.Context(), signature, &rpc.GetTransactionOpts{
		Commitment: rpc.CommitmentConfirmed, Encoding: solana.EncodingBase64, MaxSupportedTransactionVersion: &version,
	})
	if err != nil {
		n.t.Fatal(err)
	}
	transaction, err := found.Transaction.GetTransaction()
	if err != nil {
		n.t.Fatal(err)
	}
	if transaction.Signatures[0] != signature || len(transaction.Message.AddressTableLookups) != 1 {
		n.t.Errorf("transaction %v with %d lookups", transaction.Signatures, len(transaction.Message.AddressTableLookups))
	}
	if want := uint64(5_000 + 500); found.Meta.Fee != want {
		n.t.Errorf("fee %d, want %d", found.Meta.Fee, want)
	}
	if found.Meta.Err != nil || found.BlockTime == nil || len(found.Meta.LoadedAddresses.Writable) != 3 {
		n.t.Errorf("meta %+v", found.Meta)
	}
	statuses, err := n.rpc.GetSignatureStatuses(n.t.Context(), true, signature)
	if err != nil || statuses.Value[0].Slot != found.Slot ||
		statuses.Value[0].ConfirmationStatus == rpc.ConfirmationStatusProcessed {
		n.t.Errorf("status %+v, %v", statuses, err)
	}
}

func (n *network) checkHistory(account solana.PublicKey, newest solana.Signature) {
	n.t.Helper()
	history, err := n.rpc.GetSignaturesForAddressWithOpts(n.t.Context(), account,
		&rpc.GetSignaturesForAddressOpts{Commitment: rpc.CommitmentConfirmed})
	if err != nil || len(history) < 2 || history[0].Signature != newest {
		n.t.Errorf("history %+v, %v", history, err)
	}
	if _, err := n.rpc.GetRecentPrioritizationFees(n.t.Context(), nil); err != nil {
		n.t.Errorf("prioritization fees: %v", err)
	}
	if _, err := n.rpc.GetEpochInfo(n.t.Context(), rpc.CommitmentConfirmed); err != nil {
		n.t.Errorf("epoch info: %v", err)
	}
}

func (n *network) checkRefusals(recipient solana.PublicKey) {
	n.t.Helper()
	tooMuch := n.sign(nil, system.NewTransferInstruction(1e18, n.treasury.PublicKey(), recipient).Build())
	_, err := n.rpc.SendTransaction(n.t.Context(), tooMuch)
	var refusal *jsonrpc.RPCError
	if !errors.As(err, &refusal) || refusal.Code != -32002 || !strings.Contains(refusal.Message, "custom program error: 0x1") {
		n.t.Errorf("too much: %v", err)
	}
	forged := n.sign(nil, system.NewTransferInstruction(1, n.treasury.PublicKey(), recipient).Build())
	forged.Signatures[0][3] ^= 1
	_, err = n.rpc.SendTransaction(n.t.Context(), forged)
	if !errors.As(err, &refusal) || refusal.Code != -32003 {
		n.t.Errorf("forged: %v", err)
	}
}
