package faucet

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"tenfold/localnet/evm"
)

// paymentGas is enough for a token transfer, and for a coin transfer to an
// account with code.
const paymentGas = 100_000

// EVMLane tops up on one EVM chain.
type EVMLane struct {
	chain    evm.Spec
	client   *ethclient.Client
	treasury *evm.Sender
	token    abi.ABI
	coins    *big.Int // wei
	usdc     *big.Int // base units
}

// NewEVMLane makes the lane of a chain; treasury pays, and nothing else may
// send from its account. token is the ABI of any ERC-20.
func NewEVMLane(chain evm.Spec, client *ethclient.Client, treasury *ecdsa.PrivateKey, token abi.ABI) (*EVMLane, error) {
	coins, ok := coinsOf(chain.NativeSymbol)
	if !ok {
		return nil, fmt.Errorf("no starting amount for %s", chain.NativeSymbol)
	}
	return &EVMLane{
		chain: chain, client: client, treasury: evm.NewSender(client, chain.ChainID, treasury), token: token,
		coins: evm.BaseUnits(coins, 18), usdc: evm.BaseUnits(startingUSDC, chain.USDC.Decimals),
	}, nil
}

var _ Lane = (*EVMLane)(nil)

// ChainID is the chain's EIP-155 id.
func (l *EVMLane) ChainID() int64 { return l.chain.ChainID }

// TopUp pays the coin and USDC that the address lacks.
func (l *EVMLane) TopUp(ctx context.Context, address string) ([]Transaction, error) {
	account := common.HexToAddress(address)
	coins, err := l.client.BalanceAt(ctx, account, nil)
	if err != nil {
		return nil, fmt.Errorf("read balance: %w", err)
	}
	usdc, err := evm.TokenBalance(ctx, l.client, l.token, l.chain.USDC.Address, account)
	if err != nil {
		return nil, fmt.Errorf("read USDC balance: %w", err)
	}
	var sent []*types.Transaction
	var failures []error
	keep := func(tx *types.Transaction, err error) {
		if err != nil {
			failures = append(failures, err)
			return
		}
		sent = append(sent, tx)
	}
	if lack := missing(coins, l.coins); lack.Sign() > 0 {
		keep(l.treasury.Send(ctx, account, lack, nil, paymentGas))
	}
	if lack := missing(usdc, l.usdc); lack.Sign() > 0 {
		keep(l.payUSDC(ctx, account, lack))
	}
	paid := make([]Transaction, 0, len(sent))
	for _, tx := range sent {
		if err := l.treasury.Await(ctx, tx); err != nil {
			failures = append(failures, err)
			continue
		}
		paid = append(paid, Transaction{ChainID: l.chain.ChainID, Hash: tx.Hash().Hex()})
	}
	return paid, errors.Join(failures...)
}

func (l *EVMLane) payUSDC(ctx context.Context, to common.Address, amount *big.Int) (*types.Transaction, error) {
	data, err := l.token.Pack("transfer", to, amount)
	if err != nil {
		return nil, fmt.Errorf("encode transfer: %w", err)
	}
	return l.treasury.Send(ctx, l.chain.USDC.Address, new(big.Int), data, paymentGas)
}
