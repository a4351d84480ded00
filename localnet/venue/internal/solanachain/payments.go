package solanachain

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/trade"
)

// expiryMargin is how many blocks beyond its last valid one a transaction must
// have missed before it is given up: the node's view lags a little.
const expiryMargin = 32

// Prepare implements solver.Chain; Solana needs nothing.
func (c *Chain) Prepare(context.Context) error { return nil }

// Sign implements solver.Chain.
func (c *Chain) Sign(ctx context.Context, payment trade.Payment) (trade.Signed, error) {
	instructions, err := c.paymentInstructions(ctx, payment)
	if err != nil {
		return trade.Signed{}, err
	}
	latest, err := c.client.GetLatestBlockhash(ctx, rpc.CommitmentConfirmed)
	if err != nil {
		return trade.Signed{}, fmt.Errorf("read blockhash of Solana: %w", err)
	}
	payer := c.key.PublicKey()
	tx, err := solana.NewTransaction(instructions, latest.Value.Blockhash, solana.TransactionPayer(payer))
	if err != nil {
		return trade.Signed{}, fmt.Errorf("compile payment on Solana: %w", err)
	}
	if _, err := tx.Sign(func(key solana.PublicKey) *solana.PrivateKey {
		if key == payer {
			return &c.key
		}
		return nil
	}); err != nil {
		return trade.Signed{}, fmt.Errorf("sign payment on Solana: %w", err)
	}
	if err := c.rehearse(ctx, tx); err != nil {
		return trade.Signed{}, err
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return trade.Signed{}, fmt.Errorf("encode payment on Solana: %w", err)
	}
	return trade.Signed{
		Bytes: raw, Hash: tx.Signatures[0].String(), LastValidBlockHeight: latest.Value.LastValidBlockHeight,
	}, nil
}

// rehearse has the node run the transaction without keeping it.
func (c *Chain) rehearse(ctx context.Context, tx *solana.Transaction) error {
	answer, err := c.client.SimulateTransactionWithOpts(ctx, tx, &rpc.SimulateTransactionOpts{Commitment: rpc.CommitmentConfirmed})
	if err != nil {
		return fmt.Errorf("simulate payment on Solana: %w", err)
	}
	if answer.Value != nil && answer.Value.Err != nil {
		return fmt.Errorf("%w: %v", trade.ErrCannotPay, answer.Value.Err)
	}
	return nil
}

// paymentInstructions begin with the request id as a memo: two equal payments
// under one blockhash would otherwise be one and the same transaction.
func (c *Chain) paymentInstructions(ctx context.Context, payment trade.Payment) ([]solana.Instruction, error) {
	recipient, err := solana.PublicKeyFromBase58(payment.To)
	if err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
	}
	payer := c.key.PublicKey()
	if payment.Asset.Native {
		p := &plan{chain: c, payer: payer}
		p.add(memo.NewMemoInstruction([]byte(payment.ID.String()), payer).Build())
		p.add(system.NewTransferInstruction(payment.Amount.Uint64(), payer, recipient).Build())
		return p.instructions, nil
	}
	mint := mintOf(payment.Asset)
	from, to, err := bothAssociated(payer, mint, recipient, mint)
	if err != nil {
		return nil, err
	}
	p, err := c.newPlan(ctx, payer, to)
	if err != nil {
		return nil, err
	}
	p.add(memo.NewMemoInstruction([]byte(payment.ID.String()), payer).Build())
	p.open(recipient, mint, to)
	switch {
	case payment.Method == trade.ThroughPools:
		return p.instructions, c.purchase(ctx, p, payment, to)
	case mint == c.wrapped:
		p.wrap(to, payment.Amount.Uint64())
	default:
		p.add(token.NewTransferCheckedInstruction(payment.Amount.Uint64(), uint8(payment.Asset.Decimals), from, mint, to, payer, nil).Build())
	}
	return p.instructions, nil
}

// purchase buys the asset with the solver's USDC by the route that is best now.
func (c *Chain) purchase(ctx context.Context, p *plan, payment trade.Payment, to solana.PublicKey) error {
	usdc, err := c.usdc()
	if err != nil {
		return err
	}
	pools, err := c.Pools(ctx)
	if err != nil {
		return err
	}
	route, err := pricing.BestRoute(pools, usdc.Address, payment.Asset.Address, payment.Spend)
	if err != nil {
		return fmt.Errorf("%w: %w", trade.ErrCannotPay, err)
	}
	from, err := associated(p.payer, mintOf(usdc))
	if err != nil {
		return err
	}
	return p.route(route, payment.Minimum.Uint64(), from, to)
}

func (c *Chain) usdc() (catalog.Asset, error) {
	for _, asset := range c.facts.Assets() {
		if asset.PriceSymbol == "USDC" {
			return asset, nil
		}
	}
	return catalog.Asset{}, errors.New("the catalog has no USDC on Solana")
}

// Broadcast implements solver.Chain. What the node says of the transaction is
// not the last word; only a node that cannot be reached is an error. Whether the
// transaction landed is for Outcome to tell.
func (c *Chain) Broadcast(ctx context.Context, signed trade.Signed) error {
	_, err := c.client.SendEncodedTransactionWithOpts(ctx, base64.StdEncoding.EncodeToString(signed.Bytes),
		rpc.TransactionOpts{SkipPreflight: true, Encoding: solana.EncodingBase64})
	var refused *jsonrpc.RPCError
	if errors.As(err, &refused) {
		return nil
	}
	return err
}

// Outcome implements solver.Chain. Without bytes (a user's transaction) the
// answer is never Impossible.
func (c *Chain) Outcome(ctx context.Context, signed trade.Signed) (trade.Outcome, error) {
	outcome, err := c.statusOutcome(ctx, signed.Hash)
	if err != nil || outcome != trade.Pending || len(signed.Bytes) == 0 {
		return outcome, err
	}
	height, err := c.client.GetBlockHeight(ctx, rpc.CommitmentConfirmed)
	if err != nil {
		return "", fmt.Errorf("read block height of Solana: %w", err)
	}
	if height <= signed.LastValidBlockHeight+expiryMargin {
		return trade.Pending, nil
	}
	// It may have landed between the two questions.
	outcome, err = c.statusOutcome(ctx, signed.Hash)
	if err == nil && outcome == trade.Pending {
		return trade.Impossible, nil
	}
	return outcome, err
}

func (c *Chain) statusOutcome(ctx context.Context, hash string) (trade.Outcome, error) {
	signature, err := solana.SignatureFromBase58(hash)
	if err != nil {
		return trade.Pending, nil // somebody named a hash that is none: it will never be found
	}
	answer, err := c.client.GetSignatureStatuses(ctx, true, signature)
	if err != nil && !errors.Is(err, rpc.ErrNotFound) {
		return "", fmt.Errorf("read status on Solana: %w", err)
	}
	switch {
	case err != nil || len(answer.Value) == 0 || answer.Value[0] == nil:
		return trade.Pending, nil
	case answer.Value[0].ConfirmationStatus == rpc.ConfirmationStatusProcessed:
		return trade.Pending, nil
	case answer.Value[0].Err != nil:
		return trade.Reverted, nil
	default:
		return trade.Succeeded, nil
	}
}
