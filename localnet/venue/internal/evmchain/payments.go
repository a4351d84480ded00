package evmchain

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/trade"
)

const (
	payDeadline     = 10 * time.Minute
	receiptInterval = 50 * time.Millisecond
)

// PayoutCost is the network fee of paying the asset out, at the price of now.
func (c *Chain) PayoutCost(ctx context.Context, asset catalog.Asset, _ string) (*big.Int, error) {
	switch {
	case asset.Native:
		return c.expectedFee(ctx, gasPlainTransfer)
	case asset.PriceSymbol == "USDC":
		return c.expectedFee(ctx, gasTokenTransfer)
	default:
		return c.expectedFee(ctx, gasSwapTwoHops)
	}
}

// RefundCost is the network fee of taking a deposit out of the depository.
func (c *Chain) RefundCost(ctx context.Context, _ catalog.Asset, _ string) (*big.Int, error) {
	return c.expectedFee(ctx, gasWithdrawal)
}

// CheckRecipient has nothing to refuse: an EVM account can hold any amount.
func (c *Chain) CheckRecipient(context.Context, catalog.Asset, string, *big.Int) error { return nil }

// Prepare lets the router take the solver's USDC, which ThroughPools spends.
func (c *Chain) Prepare(ctx context.Context) error {
	usdc, err := c.usdc()
	if err != nil {
		return err
	}
	allowed, err := c.allowance(ctx, c.Solver(), usdc.Address, contracts.RouterAddress)
	if err != nil {
		return err
	}
	if allowed.BitLen() >= 255 {
		return nil
	}
	unlimited := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	data := pack("approve", contracts.RouterAddress, unlimited)
	signed, err := c.sign(ctx, call{common.HexToAddress(usdc.Address), data, new(big.Int), gasApprove})
	if err != nil {
		return err
	}
	if err := c.Broadcast(ctx, signed); err != nil {
		return err
	}
	return c.await(ctx, signed)
}

func (c *Chain) await(ctx context.Context, signed trade.Signed) error {
	ticker := time.NewTicker(receiptInterval)
	defer ticker.Stop()
	for {
		outcome, err := c.Outcome(ctx, signed)
		switch {
		case err != nil:
			return err
		case outcome == trade.Succeeded:
			return nil
		case outcome != trade.Pending:
			return fmt.Errorf("transaction %s on %s: %s", signed.Hash, c.facts.Name, outcome)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

func (c *Chain) usdc() (catalog.Asset, error) {
	for _, asset := range c.facts.Assets() {
		if asset.PriceSymbol == "USDC" {
			return asset, nil
		}
	}
	return catalog.Asset{}, fmt.Errorf("%s has no USDC", c.facts.Name)
}

// Sign implements solver.Chain.
func (c *Chain) Sign(ctx context.Context, payment trade.Payment) (trade.Signed, error) {
	do, err := c.paymentCall(ctx, payment)
	if err != nil {
		return trade.Signed{}, err
	}
	gas, err := c.client.EstimateGas(ctx, ethereum.CallMsg{From: c.solver, To: &do.to, Value: do.value, Data: do.data})
	if err != nil {
		if isRefusal(err) {
			return trade.Signed{}, fmt.Errorf("%w: %w", trade.ErrCannotPay, err)
		}
		return trade.Signed{}, fmt.Errorf("estimate payment on %s: %w", c.facts.Name, err)
	}
	do.gas = gas + gas/5
	return c.sign(ctx, do)
}

// executionRefusals are the words with which a node says that it ran the call and
// the call failed. Anything else it may say (a timeout, a missing block) is no
// verdict on the payment.
var executionRefusals = []string{
	"execution reverted", "gas required exceeds allowance", "out of gas", "invalid opcode", "insufficient funds",
}

func isRefusal(err error) bool {
	for _, text := range executionRefusals {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

func (c *Chain) paymentCall(ctx context.Context, payment trade.Payment) (call, error) {
	to, zero := common.HexToAddress(payment.To), new(big.Int)
	token := common.HexToAddress(payment.Asset.Address)
	switch {
	case payment.Method == trade.FromDepository && payment.Asset.Native:
		return call{to: c.depository, data: pack("withdrawNative", to, payment.Amount, payment.ID), value: zero}, nil
	case payment.Method == trade.FromDepository:
		return call{to: c.depository, data: pack("withdrawErc20", token, to, payment.Amount, payment.ID), value: zero}, nil
	case payment.Method == trade.ThroughPools:
		return c.purchaseCall(ctx, payment, to)
	case payment.Asset.Native:
		return call{to: to, value: payment.Amount}, nil
	default:
		return call{to: token, data: pack("transfer", to, payment.Amount), value: zero}, nil
	}
}

// purchaseCall buys the asset for the recipient by the route that is best now.
func (c *Chain) purchaseCall(ctx context.Context, payment trade.Payment, to common.Address) (call, error) {
	usdc, err := c.usdc()
	if err != nil {
		return call{}, err
	}
	pools, err := c.Pools(ctx)
	if err != nil {
		return call{}, err
	}
	route, err := pricing.BestRoute(pools, usdc.Address, payment.Asset.Address, payment.Spend)
	if err != nil {
		return call{}, fmt.Errorf("%w: %w", trade.ErrCannotPay, err)
	}
	// The chain's own clock decides about deadlines, not this machine's.
	head, err := c.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return call{}, fmt.Errorf("read head of %s: %w", c.facts.Name, err)
	}
	deadline := new(big.Int).SetUint64(max(head.Time, uint64(time.Now().Unix())) + uint64(payDeadline.Seconds()))
	data := pack("swapExactTokensForTokens", payment.Spend, payment.Minimum, addresses(route.Tokens()), to, deadline)
	return call{to: contracts.RouterAddress, data: data, value: new(big.Int)}, nil
}

// sign takes the account's next nonce. The solver signs one payment after the
// other, each broadcast before the next is signed. Should the node have lost one,
// two would share a nonce: one lands, the other is Impossible and signed anew.
func (c *Chain) sign(ctx context.Context, do call) (trade.Signed, error) {
	nonce, err := c.nextNonce(ctx)
	if err != nil {
		return trade.Signed{}, err
	}
	maximum, tip, err := c.feeCaps(ctx)
	if err != nil {
		return trade.Signed{}, err
	}
	chainID := big.NewInt(c.facts.ID)
	signed, err := types.SignNewTx(c.key, types.LatestSignerForChainID(chainID), &types.DynamicFeeTx{
		ChainID: chainID, Nonce: nonce, GasTipCap: tip, GasFeeCap: maximum, Gas: do.gas, To: &do.to, Value: do.value, Data: do.data,
	})
	if err != nil {
		return trade.Signed{}, fmt.Errorf("sign on %s: %w", c.facts.Name, err)
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		return trade.Signed{}, fmt.Errorf("encode transaction on %s: %w", c.facts.Name, err)
	}
	c.latest = trade.Signed{Bytes: raw, Hash: signed.Hash().Hex(), Nonce: nonce}
	return c.latest, nil
}

// nextNonce is what the node says, unless it has not yet counted the transaction
// that was signed last: the pool takes transactions in before it counts them.
func (c *Chain) nextNonce(ctx context.Context) (uint64, error) {
	nonce, err := c.client.PendingNonceAt(ctx, c.solver)
	if err != nil {
		return 0, fmt.Errorf("read nonce on %s: %w", c.facts.Name, err)
	}
	if c.latest.Hash == "" || c.latest.Nonce < nonce {
		return nonce, nil
	}
	_, _, err = c.client.TransactionByHash(ctx, common.HexToHash(c.latest.Hash))
	switch {
	case errors.Is(err, ethereum.NotFound):
		return nonce, nil // it was never sent
	case err != nil:
		return 0, fmt.Errorf("read transaction on %s: %w", c.facts.Name, err)
	}
	return c.latest.Nonce + 1, nil
}

// settledByOutcome are refusals after which the transaction may still land, or can
// no longer: Outcome tells which.
var settledByOutcome = []string{"already known", "nonce too low", "replacement transaction underpriced"}

// Broadcast implements solver.Chain. A node that knows the transaction already,
// or has it in a block, has nothing to complain of.
func (c *Chain) Broadcast(ctx context.Context, signed trade.Signed) error {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(signed.Bytes); err != nil {
		return fmt.Errorf("decode kept transaction %s: %w", signed.Hash, err)
	}
	err := c.client.SendTransaction(ctx, &tx)
	for _, text := range settledByOutcome {
		if err != nil && strings.Contains(err.Error(), text) {
			return nil
		}
	}
	return err
}

// Outcome implements solver.Chain. Without bytes (a user's transaction) the
// answer is never Impossible.
func (c *Chain) Outcome(ctx context.Context, signed trade.Signed) (trade.Outcome, error) {
	outcome, err := c.receiptOutcome(ctx, signed.Hash)
	if err != nil || outcome != trade.Pending || len(signed.Bytes) == 0 {
		return outcome, err
	}
	used, err := c.client.NonceAt(ctx, c.solver, nil)
	if err != nil {
		return "", fmt.Errorf("read nonce on %s: %w", c.facts.Name, err)
	}
	if used <= signed.Nonce {
		return trade.Pending, nil
	}
	// The nonce is used. By this very transaction, unless there still is no receipt.
	outcome, err = c.receiptOutcome(ctx, signed.Hash)
	if err == nil && outcome == trade.Pending {
		return trade.Impossible, nil
	}
	return outcome, err
}

func (c *Chain) receiptOutcome(ctx context.Context, hash string) (trade.Outcome, error) {
	receipt, err := c.client.TransactionReceipt(ctx, common.HexToHash(hash))
	switch {
	case errors.Is(err, ethereum.NotFound):
		return trade.Pending, nil
	case err != nil && strings.Contains(err.Error(), "indexing is in progress"):
		return trade.Pending, nil
	case err != nil:
		return "", fmt.Errorf("read receipt on %s: %w", c.facts.Name, err)
	case receipt.Status == types.ReceiptStatusSuccessful:
		return trade.Succeeded, nil
	default:
		return trade.Reverted, nil
	}
}
