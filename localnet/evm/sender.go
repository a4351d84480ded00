package evm

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
)

// receiptInterval is how often a receipt is asked for. The node is in this
// process or on this machine, and blocks come at once.
const receiptInterval = 20 * time.Millisecond

var errNoCode = errors.New("no contract at this address")

// Sender sends transactions of one account on one chain. It may be used from
// several goroutines; it must be the account's only sender.
type Sender struct {
	client  *ethclient.Client
	chainID *big.Int
	key     *ecdsa.PrivateKey

	lane sync.Mutex // held from taking a nonce until the node has the transaction
	next uint64     // lowest nonce not used by us
}

// NewSender makes the sender of a key's account.
func NewSender(client *ethclient.Client, chainID int64, key *ecdsa.PrivateKey) *Sender {
	return &Sender{client: client, chainID: big.NewInt(chainID), key: key}
}

// Address is the account that sends.
func (s *Sender) Address() common.Address { return crypto.PubkeyToAddress(s.key.PublicKey) }

// Send signs a transaction and hands it to the node; it does not wait for a
// block. gas is the limit; value is wei.
func (s *Sender) Send(ctx context.Context, to common.Address, value *big.Int, data []byte, gas uint64) (*types.Transaction, error) {
	s.lane.Lock()
	defer s.lane.Unlock()

	// The node counts a transaction a moment after it has taken it, so its
	// count can be behind ours; ours can be behind after a restart.
	pending, err := s.client.PendingNonceAt(ctx, s.Address())
	if err != nil {
		return nil, fmt.Errorf("read nonce: %w", err)
	}
	nonce := max(pending, s.next)
	tip, cap, err := s.fees(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := types.SignNewTx(s.key, types.LatestSignerForChainID(s.chainID), &types.DynamicFeeTx{
		ChainID: s.chainID, Nonce: nonce, GasTipCap: tip, GasFeeCap: cap, Gas: gas, To: &to, Value: value, Data: data,
	})
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	if err := s.client.SendTransaction(ctx, tx); err != nil {
		return nil, fmt.Errorf("send transaction: %w", err)
	}
	s.next = nonce + 1
	return tx, nil
}

// fees gives the tip that the node suggests, and a cap that holds for several
// full blocks.
func (s *Sender) fees(ctx context.Context) (tip, cap *big.Int, err error) {
	if tip, err = s.client.SuggestGasTipCap(ctx); err != nil {
		return nil, nil, fmt.Errorf("read tip: %w", err)
	}
	head, err := s.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("read base fee: %w", err)
	}
	return tip, new(big.Int).Add(tip, new(big.Int).Mul(head.BaseFee, big.NewInt(3))), nil
}

// Await waits until the transaction is in a block; it is an error when it failed there.
func (s *Sender) Await(ctx context.Context, tx *types.Transaction) error {
	poll := time.NewTicker(receiptInterval)
	defer poll.Stop()
	for {
		receipt, err := s.client.TransactionReceipt(ctx, tx.Hash())
		switch {
		case err == nil && receipt.Status == types.ReceiptStatusSuccessful:
			return nil
		case err == nil:
			return fmt.Errorf("transaction %s failed in block %s", tx.Hash(), receipt.BlockNumber)
		case !errors.Is(err, ethereum.NotFound) && ctx.Err() == nil && !isIndexing(err):
			return fmt.Errorf("read receipt of %s: %w", tx.Hash(), err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for transaction %s: %w", tx.Hash(), ctx.Err())
		case <-poll.C:
		}
	}
}

// isIndexing: a node that has just started answers so until its index is ready.
func isIndexing(err error) bool { return err.Error() == "transaction indexing is in progress" }

// callForInt calls a view method whose one result is an integer.
func callForInt(ctx context.Context, client *ethclient.Client, to common.Address, a abi.ABI, method string, args ...any) (*big.Int, error) {
	data, err := a.Pack(method, args...)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", method, err)
	}
	raw, err := client.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
	if err != nil {
		return nil, fmt.Errorf("call %s of %s: %w", method, to, err)
	}
	if len(raw) != 32 {
		return nil, fmt.Errorf("call %s of %s: %w", method, to, errNoCode)
	}
	return new(big.Int).SetBytes(raw), nil
}

// TokenBalance is the account's balance of an ERC-20 token, in base units.
func TokenBalance(ctx context.Context, client *ethclient.Client, erc20 abi.ABI, token, account common.Address) (*big.Int, error) {
	return callForInt(ctx, client, token, erc20, "balanceOf", account)
}
