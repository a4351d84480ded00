package evm

import (
	"crypto/ecdsa"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/localnet/contracts"
)

// Selectors and topics as Relay's documentation has them: whoever watches the
// real depository can watch ours.
var (
	depositNative     = hexutil.MustDecode("0x49290c1c")
	depositErc20      = hexutil.MustDecode("0xe8017952")
	depositAllowance  = hexutil.MustDecode("0x5a1ee3ac")
	nativeDepositLog  = common.HexToHash("0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477")
	erc20DepositLog   = common.HexToHash("0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1")
	orderID           = common.HexToHash("0x1111111111111111111111111111111111111111111111111111111111111111")
	onBehalfOf        = common.HexToAddress("0x00000000000000000000000000000000000000AA")
	recipientOfRefund = common.HexToAddress("0x00000000000000000000000000000000000000BB")
)

// depositor is an account of one chain with the depository's allocator beside it.
type depositor struct {
	t         *testing.T
	chain     *chain
	set       *contracts.Set
	user      *Sender
	allocator *Sender
}

func newDepositor(t *testing.T) depositor {
	t.Helper()
	config, user := oneChain(t)
	allocator, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	config.Allocator = crypto.PubkeyToAddress(allocator.PublicKey)
	config.Holders = append(config.Holders, Holder{Address: config.Allocator, Coins: 1})
	c := start(t, config).chains[0]
	sender := func(key *ecdsa.PrivateKey) *Sender { return NewSender(c.client, c.spec.ChainID, key) }
	return depositor{t, c, config.Contracts, sender(user), sender(allocator)}
}

// send gives the receipt, also of a failed transaction.
func (d depositor) send(from *Sender, to common.Address, value int64, data []byte) *types.Receipt {
	d.t.Helper()
	tx, err := from.Send(d.t.Context(), to, big.NewInt(value), data, 300_000)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = from.Await(d.t.Context(), tx) // the status is in the receipt
	receipt, err := d.chain.client.TransactionReceipt(d.t.Context(), tx.Hash())
	if err != nil {
		d.t.Fatal(err)
	}
	return receipt
}

func (d depositor) pack(of abi.ABI, method string, args ...any) []byte {
	d.t.Helper()
	data, err := of.Pack(method, args...)
	if err != nil {
		d.t.Fatal(err)
	}
	return data
}

// words is call data or event data of 32-byte words.
func words(selector []byte, values ...any) []byte {
	data := append([]byte(nil), selector...)
	for _, value := range values {
		switch v := value.(type) {
		case common.Address:
			data = append(data, common.LeftPadBytes(v.Bytes(), 32)...)
		case common.Hash:
			data = append(data, v.Bytes()...)
		case int64:
			data = append(data, common.BigToHash(big.NewInt(v)).Bytes()...)
		}
	}
	return data
}

// checkDeposit looks for the one event of the depository in a receipt.
func (d depositor) checkDeposit(receipt *types.Receipt, topic common.Hash, data []byte) {
	d.t.Helper()
	var found []*types.Log
	for _, entry := range receipt.Logs {
		if entry.Address == contracts.DepositoryAddress {
			found = append(found, entry)
		}
	}
	if len(found) != 1 || found[0].Topics[0] != topic || common.Bytes2Hex(found[0].Data) != common.Bytes2Hex(data) {
		d.t.Errorf("status %d, events %v; want topic %s with %x", receipt.Status, found, topic, data)
	}
}

func (d depositor) tokens(token, holder common.Address) int64 {
	d.t.Helper()
	balance, err := TokenBalance(d.t.Context(), d.chain.client, d.set.Token.ABI, token, holder)
	if err != nil {
		d.t.Fatal(err)
	}
	return balance.Int64()
}

func TestDepositoryTakesDepositsAsRelaysDoes(t *testing.T) {
	t.Parallel()
	d := newDepositor(t)
	usdc, usdt := d.chain.spec.USDC.Address, d.chain.spec.USDT.Address
	at := contracts.DepositoryAddress

	receipt := d.send(d.user, at, 500, words(depositNative, onBehalfOf, orderID))
	d.checkDeposit(receipt, nativeDepositLog, words(nil, onBehalfOf, int64(500), orderID))

	receipt = d.send(d.user, at, 20, words(depositNative, common.Address{}, orderID))
	d.checkDeposit(receipt, nativeDepositLog, words(nil, d.user.Address(), int64(20), orderID))

	// USDT returns nothing from transferFrom, USDC returns true.
	for _, token := range []common.Address{usdc, usdt} {
		d.send(d.user, token, 0, d.pack(d.set.Token.ABI, "approve", at, big.NewInt(1000)))
		receipt = d.send(d.user, at, 0, words(depositErc20, onBehalfOf, token, int64(300), orderID))
		d.checkDeposit(receipt, erc20DepositLog, words(nil, onBehalfOf, token, int64(300), orderID))

		// The overload takes all that is left approved.
		receipt = d.send(d.user, at, 0, words(depositAllowance, onBehalfOf, token, orderID))
		d.checkDeposit(receipt, erc20DepositLog, words(nil, onBehalfOf, token, int64(700), orderID))
		if got := d.tokens(token, at); got != 1000 {
			t.Errorf("the depository holds %d of %s, want 1000", got, token)
		}
	}
	if receipt = d.send(d.user, at, 0, words(depositErc20, onBehalfOf, usdc, int64(1), orderID)); receipt.Status == types.ReceiptStatusSuccessful {
		t.Error("a deposit without approval was taken")
	}
	if receipt = d.send(d.user, at, 0, words(depositErc20, onBehalfOf, onBehalfOf, int64(1), orderID)); receipt.Status == types.ReceiptStatusSuccessful {
		t.Error("a deposit of a token that is no contract was taken")
	}
}

func TestDepositoryPaysOutForItsAllocatorOnly(t *testing.T) {
	t.Parallel()
	d := newDepositor(t)
	usdt, at := d.chain.spec.USDT.Address, contracts.DepositoryAddress
	d.send(d.user, at, 500, words(depositNative, onBehalfOf, orderID))
	d.send(d.user, usdt, 0, d.pack(d.set.Tether.ABI, "transfer", at, big.NewInt(900)))

	native := d.pack(d.set.Depository.ABI, "withdrawNative", recipientOfRefund, big.NewInt(400), orderID)
	token := d.pack(d.set.Depository.ABI, "withdrawErc20", usdt, recipientOfRefund, big.NewInt(800), orderID)
	for _, data := range [][]byte{native, token} {
		if receipt := d.send(d.user, at, 0, data); receipt.Status == types.ReceiptStatusSuccessful {
			t.Error("a stranger took a deposit out")
		}
		if receipt := d.send(d.allocator, at, 0, data); receipt.Status != types.ReceiptStatusSuccessful {
			t.Error("the allocator could not take a deposit out")
		}
	}
	coins, err := d.chain.client.BalanceAt(t.Context(), recipientOfRefund, nil)
	if err != nil || coins.Int64() != 400 || d.tokens(usdt, recipientOfRefund) != 800 {
		t.Errorf("paid out %v, %v and %d; want 400 and 800", coins, err, d.tokens(usdt, recipientOfRefund))
	}
	if receipt := d.send(d.allocator, at, 0, native); receipt.Status == types.ReceiptStatusSuccessful {
		t.Error("more was paid out than is there")
	}
}
