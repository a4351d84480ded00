package evm_test

import (
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

var nobody = common.HexToAddress("0x000000000000000000000000000000000000bEEF")

func TestEveryChainSaysItsRealID(t *testing.T) {
	t.Parallel()
	if len(evmChains()) != 9 {
		t.Fatalf("the catalog has %d EVM chains", len(evmChains()))
	}
	for _, c := range evmChains() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			client := dial(t, endpointsOf(t, c.ID).RPCURL)
			id, err := client.ChainID(t.Context())
			if err != nil || id.Int64() != c.ID {
				t.Errorf("eth_chainId = %v, %v", id, err)
			}
			var version string
			if err := client.Client().CallContext(t.Context(), &version, "net_version"); err != nil || version != strconv.FormatInt(c.ID, 10) {
				t.Errorf("net_version = %q, %v", version, err)
			}
			if progress, err := client.SyncProgress(t.Context()); err != nil || progress != nil {
				t.Errorf("eth_syncing = %v, %v; want false", progress, err)
			}
		})
	}
}

func TestTransferIsMinedAtOnceAndNotAheadOfTheClock(t *testing.T) {
	t.Parallel()
	sender := accountOn(t, chainOfTransfer)
	to := common.HexToAddress("0x00000000000000000000000000000000000A11cE")
	value := big.NewInt(1_234_567_890_123_456_789)

	sent := time.Now()
	receipt := sender.mined(to, value, nil)
	// A block takes a second at most; the rest is patience with a busy machine.
	if took := time.Since(sent); took > 5*time.Second {
		t.Errorf("mined after %s", took)
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		t.Errorf("status %d", receipt.Status)
	}
	if balance, err := sender.client.BalanceAt(t.Context(), to, nil); err != nil || balance.Cmp(value) != 0 {
		t.Errorf("arrived %v, %v; want %v", balance, err, value)
	}
	header, err := sender.client.HeaderByHash(t.Context(), receipt.BlockHash)
	if err != nil {
		t.Fatal(err)
	}
	if ahead := int64(header.Time) - time.Now().Unix(); ahead > 0 {
		t.Errorf("the block is %d s ahead of the wall clock", ahead)
	}
}

func TestBurstIsMinedWithoutRunningAheadOfTheClock(t *testing.T) {
	t.Parallel()
	const burst = 50
	sender := accountOn(t, chainOfBurst)
	first := sender.nonce()
	txs := make([]*types.Transaction, burst)
	for i := range txs {
		txs[i] = sender.sign(first+uint64(i), nobody, big.NewInt(1), nil)
	}
	sender.send(txs...)

	blocks := map[uint64]bool{}
	for _, tx := range txs {
		receipt := sender.receipt(tx.Hash())
		if receipt.Status != types.ReceiptStatusSuccessful {
			t.Errorf("%s failed", tx.Hash())
		}
		blocks[receipt.BlockNumber.Uint64()] = true
	}
	for number := range blocks {
		header, err := sender.client.HeaderByNumber(t.Context(), new(big.Int).SetUint64(number))
		if err != nil {
			t.Fatal(err)
		}
		parent, err := sender.client.HeaderByHash(t.Context(), header.ParentHash)
		if err != nil {
			t.Fatal(err)
		}
		if header.Time <= parent.Time || int64(header.Time) > time.Now().Unix() {
			t.Errorf("block %d has time %d, its parent %d, the clock %d", number, header.Time, parent.Time, time.Now().Unix())
		}
	}
}

// The product waits for the catalog's number of confirmations; a chain that
// sealed only on demand would never give a lone transaction its second block.
func TestLoneTransactionGathersItsConfirmations(t *testing.T) {
	t.Parallel()
	sender := accountOn(t, chainOfTail)
	receipt := sender.mined(nobody, big.NewInt(1), nil)
	settled := receipt.BlockNumber.Uint64() + sender.chain.Finality.Blocks - 1
	if sender.chain.Finality.Blocks < 2 {
		t.Fatalf("chain %d asks for %d blocks only; the test needs another chain", sender.chain.ID, sender.chain.Finality.Blocks)
	}
	awaitHead(t, sender, settled)
}

func awaitHead(t *testing.T, a account, wanted uint64) {
	t.Helper()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(20 * time.Second); ; {
		head, err := a.client.BlockNumber(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if head >= wanted {
			return
		}
		select {
		case <-poll.C:
		case <-deadline:
			t.Fatalf("block %d never came; the head is %d", wanted, head)
		}
	}
}

func TestNewHeadsArriveOverWebSocket(t *testing.T) {
	t.Parallel()
	sender := accountOn(t, chainOfHeads)
	socket := dial(t, endpointsOf(t, chainOfHeads).WSURL)
	heads := make(chan *types.Header, 64)
	subscription, err := socket.SubscribeNewHead(t.Context(), heads)
	if err != nil {
		t.Fatal(err)
	}
	defer subscription.Unsubscribe()

	receipt := sender.mined(nobody, big.NewInt(1), nil)
	for {
		select {
		case head := <-heads:
			if head.Hash() == receipt.BlockHash {
				return
			}
		case err := <-subscription.Err():
			t.Fatalf("subscription ended: %v", err)
		case <-time.After(10 * time.Second):
			t.Fatal("the block's head was not announced")
		}
	}
}
