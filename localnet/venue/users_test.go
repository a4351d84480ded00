package venue_test

import (
	"crypto/ecdsa"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/catalog"
	"tenfold/localnet/evm"
)

// patience bounds every wait for a chain or for the venue. It is long because
// a busy machine is no fault of the venue's.
const patience = time.Minute

// eventually asks until done says yes.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-deadline:
			t.Fatalf("waited %s for %s", patience, what)
		case <-tick.C:
		}
	}
}

// asset finds a catalog asset by its symbol's kind: "native", "wrapped", "USDC" or "USDT".
func asset(t *testing.T, chainID int64, kind string) catalog.Asset {
	t.Helper()
	facts, ok := catalog.ChainByID(chainID)
	if !ok {
		t.Fatalf("no chain %d", chainID)
	}
	for _, a := range facts.Assets() {
		wrapped := facts.SameAddress(a.Address, facts.WrappedToken.Address)
		switch {
		case kind == "native" && a.Native, kind == "wrapped" && wrapped, kind == a.PriceSymbol && !a.Native && !wrapped:
			return a
		}
	}
	t.Fatalf("chain %d has no %s", chainID, kind)
	return catalog.Asset{}
}

// evmUser is a fresh account with 10 coins and 10,000 USDC on the named chains.
type evmUser struct {
	key     *ecdsa.PrivateKey
	address common.Address
}

func newEVMUser(t *testing.T, chainIDs ...int64) evmUser {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	user := evmUser{key, crypto.PubkeyToAddress(key.PublicKey)}
	for _, id := range chainIDs {
		usdc := asset(t, id, "USDC")
		payments := []*types.Transaction{
			user.startFunding(t, id, asset(t, id, "native"), evm.BaseUnits(10, 18)),
			user.startFunding(t, id, usdc, evm.BaseUnits(10_000, usdc.Decimals)),
		}
		for _, payment := range payments {
			awaitFunding(t, id, payment)
		}
	}
	return user
}

// fund pays the user from the tests' bank.
func (u evmUser) fund(t *testing.T, chainID int64, of catalog.Asset, units *big.Int) {
	t.Helper()
	awaitFunding(t, chainID, u.startFunding(t, chainID, of, units))
}

func awaitFunding(t *testing.T, chainID int64, payment *types.Transaction) {
	t.Helper()
	if err := shared.banks[chainID].Await(t.Context(), payment); err != nil {
		t.Fatalf("fund: %v", err)
	}
}

func (u evmUser) startFunding(t *testing.T, chainID int64, of catalog.Asset, units *big.Int) *types.Transaction {
	t.Helper()
	to, value, data := u.address, units, []byte(nil)
	if !of.Native {
		packed, err := shared.set.Token.ABI.Pack("transfer", u.address, units)
		if err != nil {
			t.Fatal(err)
		}
		to, value, data = common.HexToAddress(of.Address), new(big.Int), packed
	}
	tx, err := shared.banks[chainID].Send(t.Context(), to, value, data, 100_000)
	if err != nil {
		t.Fatalf("fund: %v", err)
	}
	return tx
}

// balance reads an EVM balance from the chain itself.
func balance(t *testing.T, chainID int64, owner common.Address, of catalog.Asset) *big.Int {
	t.Helper()
	node := shared.chains.Client(chainID)
	if of.Native {
		held, err := node.BalanceAt(t.Context(), owner, nil)
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	held, err := evm.TokenBalance(t.Context(), node, shared.set.Token.ABI, common.HexToAddress(of.Address), owner)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

// evmTransaction is the documented shape of an EVM item's data.
type evmTransaction struct {
	From    string          `json:"from"`
	To      string          `json:"to"`
	Data    string          `json:"data"`
	Value   string          `json:"value"`
	ChainID int64           `json:"chainId"`
	Gas     json.RawMessage `json:"gas"`
}

// send signs and sends one quoted transaction and waits until it is in a block.
func (u evmUser) send(t *testing.T, quoted evmTransaction) *types.Receipt {
	t.Helper()
	value, ok := new(big.Int).SetString(quoted.Value, 10)
	if !ok || !strings.EqualFold(quoted.From, u.address.Hex()) {
		t.Fatalf("transaction %+v is not the user's", quoted)
	}
	return u.sendCall(t, quoted.ChainID, common.HexToAddress(quoted.To), value, common.FromHex(quoted.Data))
}

func (u evmUser) sendCall(t *testing.T, chainID int64, to common.Address, value *big.Int, data []byte) *types.Receipt {
	t.Helper()
	ctx, node := t.Context(), shared.chains.Client(chainID)
	nonce, err := node.PendingNonceAt(ctx, u.address)
	if err != nil {
		t.Fatal(err)
	}
	head, err := node.HeaderByNumber(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	tip, err := node.SuggestGasTipCap(ctx)
	if err != nil {
		t.Fatal(err)
	}
	id := big.NewInt(chainID)
	tx, err := types.SignNewTx(u.key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, GasTipCap: tip, GasFeeCap: new(big.Int).Add(tip, new(big.Int).Mul(head.BaseFee, big.NewInt(2))),
		Gas: 400_000, To: &to, Value: value, Data: data,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := node.SendTransaction(ctx, tx); err != nil {
		t.Fatalf("send to %s: %v", to, err)
	}
	var receipt *types.Receipt
	eventually(t, "a receipt", func() bool {
		receipt, err = node.TransactionReceipt(ctx, tx.Hash())
		return err == nil
	})
	return receipt
}

// gasPaid is what a receipt cost, in wei.
func gasPaid(receipt *types.Receipt) *big.Int {
	return new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed))
}

// solanaUser is a fresh account with 50 SOL and 5,000 USDC.
type solanaUser struct{ key solana.PrivateKey }

func (u solanaUser) address() solana.PublicKey { return u.key.PublicKey() }

func solanaNode() *rpc.Client { return rpc.New(shared.solana.url) }

func newSolanaUser(t *testing.T) solanaUser {
	t.Helper()
	user := solanaUser{solana.NewWallet().PrivateKey}
	mint := solana.MustPublicKeyFromBase58(asset(t, solanaID, "USDC").Address)
	treasury := shared.treasury.PublicKey()
	signSolana(t, shared.treasury, []solana.Instruction{
		system.NewTransferInstruction(50_000_000_000, treasury, user.address()).Build(),
		associatedtoken.NewCreateIdempotentInstruction(treasury, user.address(), mint).Build(),
		token.NewTransferCheckedInstruction(5_000_000_000, 6, ata(t, treasury, mint), mint, ata(t, user.address(), mint), treasury, nil).Build(),
	})
	return user
}

func ata(t *testing.T, owner, mint solana.PublicKey) solana.PublicKey {
	t.Helper()
	address, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// signSolana compiles a v0 transaction, as a client of the venue does, and
// waits until it is confirmed. It gives the signature and the wire size.
func signSolana(t *testing.T, key solana.PrivateKey, instructions []solana.Instruction) (solana.Signature, int) {
	t.Helper()
	ctx, node := t.Context(), solanaNode()
	latest, err := node.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := solana.NewTransaction(instructions, latest.Value.Blockhash, solana.TransactionPayer(key.PublicKey()))
	if err != nil {
		t.Fatal(err)
	}
	tx.Message.SetVersion(solana.MessageVersionV0)
	if _, err := tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &key }); err != nil {
		t.Fatal(err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	signature, err := node.SendEncodedTransactionWithOpts(ctx, base64.StdEncoding.EncodeToString(raw),
		rpc.TransactionOpts{Encoding: solana.EncodingBase64, PreflightCommitment: rpc.CommitmentConfirmed})
	if err != nil {
		t.Fatalf("send on Solana: %v", err)
	}
	eventually(t, "a Solana confirmation", func() bool {
		status, err := node.GetSignatureStatuses(ctx, true, signature)
		if err != nil || status.Value[0] == nil {
			return false
		}
		if status.Value[0].Err != nil {
			t.Fatalf("Solana transaction failed: %v", status.Value[0].Err)
		}
		return status.Value[0].ConfirmationStatus != rpc.ConfirmationStatusProcessed
	})
	return signature, len(raw)
}

// solanaBalance reads a balance from the chain itself.
func solanaBalance(t *testing.T, owner solana.PublicKey, of catalog.Asset) *big.Int {
	t.Helper()
	node := solanaNode()
	if of.Native {
		held, err := node.GetBalance(t.Context(), owner, rpc.CommitmentConfirmed)
		if err != nil {
			t.Fatal(err)
		}
		return new(big.Int).SetUint64(held.Value)
	}
	account, err := node.GetAccountInfoWithOpts(t.Context(), ata(t, owner, solana.MustPublicKeyFromBase58(of.Address)),
		&rpc.GetAccountInfoOpts{Commitment: rpc.CommitmentConfirmed})
	if err != nil {
		return new(big.Int) // there is no such account
	}
	return new(big.Int).SetUint64(binary.LittleEndian.Uint64(account.Value.Data.GetBinary()[64:]))
}

// solanaTransaction is the documented shape of a Solana item's data.
type solanaTransaction struct {
	Instructions []struct {
		Keys []struct {
			PublicKey  string `json:"pubkey"`
			IsSigner   bool   `json:"isSigner"`
			IsWritable bool   `json:"isWritable"`
		} `json:"keys"`
		ProgramID string `json:"programId"`
		Data      string `json:"data"`
	} `json:"instructions"`
	LookupTables []string `json:"addressLookupTableAddresses"`
}

// send compiles the quoted instructions with two compute-budget ones, as wallets
// do, signs and sends them.
func (u solanaUser) send(t *testing.T, quoted solanaTransaction) solana.Signature {
	t.Helper()
	if quoted.LookupTables == nil {
		t.Error("addressLookupTableAddresses is missing")
	}
	limit := binary.LittleEndian.AppendUint32([]byte{2}, 400_000)
	price := binary.LittleEndian.AppendUint64([]byte{3}, 1_000)
	instructions := []solana.Instruction{
		solana.NewInstruction(solana.ComputeBudget, nil, limit), solana.NewInstruction(solana.ComputeBudget, nil, price),
	}
	for _, instruction := range quoted.Instructions {
		data, err := hex.DecodeString(instruction.Data)
		if err != nil {
			t.Fatalf("instruction data %q is not hex", instruction.Data)
		}
		var accounts solana.AccountMetaSlice
		for _, key := range instruction.Keys {
			accounts = append(accounts, solana.NewAccountMeta(solana.MustPublicKeyFromBase58(key.PublicKey), key.IsWritable, key.IsSigner))
		}
		instructions = append(instructions, solana.NewInstruction(solana.MustPublicKeyFromBase58(instruction.ProgramID), accounts, data))
	}
	signature, size := signSolana(t, u.key, instructions)
	if size > 1232 {
		t.Errorf("transaction has %d bytes, more than 1232", size)
	}
	return signature
}
