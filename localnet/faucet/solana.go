package faucet

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/catalog"
	"tenfold/localnet/evm"
)

const (
	solDecimals = 9
	// statusInterval is how often a signature's status is asked for; a local
	// slot takes 400 ms.
	statusInterval = 50 * time.Millisecond
)

// SolanaLane tops up on the local Solana.
type SolanaLane struct {
	client       *rpc.Client
	treasury     solana.PrivateKey
	usdc         solana.PublicKey
	usdcDecimals uint8
	wantLamports *big.Int
	wantUSDC     *big.Int
}

// NewSolanaLane makes the lane of the node at rpcURL; treasury pays. usdc is
// the catalog's USDC on Solana.
func NewSolanaLane(rpcURL string, treasury solana.PrivateKey, usdc catalog.Token) (*SolanaLane, error) {
	mint, err := solana.PublicKeyFromBase58(usdc.Address)
	if err != nil {
		return nil, fmt.Errorf("USDC mint: %w", err)
	}
	coins, _ := coinsOf("SOL")
	return &SolanaLane{
		client: rpc.New(rpcURL), treasury: treasury, usdc: mint, usdcDecimals: uint8(usdc.Decimals),
		wantLamports: evm.BaseUnits(coins, solDecimals), wantUSDC: evm.BaseUnits(startingUSDC, usdc.Decimals),
	}, nil
}

var _ Lane = (*SolanaLane)(nil)

// ChainID is the product's number for Solana.
func (l *SolanaLane) ChainID() int64 { return catalog.SolanaChainID }

// TopUp pays the SOL and USDC that the address lacks, in one transaction.
func (l *SolanaLane) TopUp(ctx context.Context, address string) ([]Transaction, error) {
	account, err := solana.PublicKeyFromBase58(address)
	if err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	instructions, err := l.payments(ctx, account)
	if err != nil || len(instructions) == 0 {
		return nil, err
	}
	signature, err := l.send(ctx, instructions)
	if err != nil {
		return nil, err
	}
	if err := l.await(ctx, signature); err != nil {
		return nil, err
	}
	return []Transaction{{ChainID: l.ChainID(), Hash: signature.String()}}, nil
}

// payments are the instructions that bring the account to the wanted balances;
// none when it has them.
func (l *SolanaLane) payments(ctx context.Context, account solana.PublicKey) ([]solana.Instruction, error) {
	balance, err := l.client.GetBalance(ctx, account, rpc.CommitmentConfirmed)
	if err != nil {
		return nil, fmt.Errorf("read balance: %w", err)
	}
	tokenAccount, _, err := solana.FindAssociatedTokenAddress(account, l.usdc)
	if err != nil {
		return nil, fmt.Errorf("token account: %w", err)
	}
	usdc, err := l.tokenBalance(ctx, tokenAccount)
	if err != nil {
		return nil, err
	}
	payer := l.treasury.PublicKey()
	var instructions []solana.Instruction
	if lack := missing(new(big.Int).SetUint64(balance.Value), l.wantLamports); lack.Sign() > 0 {
		instructions = append(instructions, system.NewTransferInstruction(lack.Uint64(), payer, account).Build())
	}
	if lack := missing(usdc, l.wantUSDC); lack.Sign() > 0 {
		source, _, err := solana.FindAssociatedTokenAddress(payer, l.usdc)
		if err != nil {
			return nil, fmt.Errorf("treasury's token account: %w", err)
		}
		instructions = append(instructions,
			associated.NewCreateIdempotentInstruction(payer, account, l.usdc).Build(),
			token.NewTransferCheckedInstruction(lack.Uint64(), l.usdcDecimals, source, l.usdc, tokenAccount, payer, nil).Build())
	}
	return instructions, nil
}

// tokenBalance is the base units in a token account; zero when there is none.
func (l *SolanaLane) tokenBalance(ctx context.Context, account solana.PublicKey) (*big.Int, error) {
	if _, err := l.client.GetAccountInfo(ctx, account); errors.Is(err, rpc.ErrNotFound) {
		return new(big.Int), nil
	} else if err != nil {
		return nil, fmt.Errorf("read token account: %w", err)
	}
	result, err := l.client.GetTokenAccountBalance(ctx, account, rpc.CommitmentConfirmed)
	if err != nil {
		return nil, fmt.Errorf("read token balance: %w", err)
	}
	amount, ok := new(big.Int).SetString(result.Value.Amount, 10)
	if !ok {
		return nil, fmt.Errorf("token balance %q is no integer", result.Value.Amount)
	}
	return amount, nil
}

func (l *SolanaLane) send(ctx context.Context, instructions []solana.Instruction) (solana.Signature, error) {
	latest, err := l.client.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
	if err != nil {
		return solana.Signature{}, fmt.Errorf("read blockhash: %w", err)
	}
	tx, err := solana.NewTransaction(instructions, latest.Value.Blockhash, solana.TransactionPayer(l.treasury.PublicKey()))
	if err != nil {
		return solana.Signature{}, fmt.Errorf("build transaction: %w", err)
	}
	if _, err := tx.Sign(func(key solana.PublicKey) *solana.PrivateKey {
		if key.Equals(l.treasury.PublicKey()) {
			return &l.treasury
		}
		return nil
	}); err != nil {
		return solana.Signature{}, fmt.Errorf("sign: %w", err)
	}
	signature, err := l.client.SendTransactionWithOpts(ctx, tx, rpc.TransactionOpts{PreflightCommitment: rpc.CommitmentConfirmed})
	if err != nil {
		return solana.Signature{}, fmt.Errorf("send transaction: %w", err)
	}
	return signature, nil
}

// await returns when the transaction is confirmed.
func (l *SolanaLane) await(ctx context.Context, signature solana.Signature) error {
	poll := time.NewTicker(statusInterval)
	defer poll.Stop()
	for {
		statuses, err := l.client.GetSignatureStatuses(ctx, true, signature)
		if err != nil && !errors.Is(err, rpc.ErrNotFound) {
			return fmt.Errorf("read status of %s: %w", signature, err)
		}
		if err == nil && len(statuses.Value) == 1 && statuses.Value[0] != nil {
			status := statuses.Value[0]
			if status.Err != nil {
				return fmt.Errorf("transaction %s failed: %v", signature, status.Err)
			}
			if status.ConfirmationStatus != rpc.ConfirmationStatusProcessed {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for transaction %s: %w", signature, ctx.Err())
		case <-poll.C:
		}
	}
}
