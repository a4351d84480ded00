package solanachain

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"

	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/trade"
)

// maximumSize is what the venue allows itself: the network's limit less the room
// that clients need for two compute-budget instructions.
const maximumSize = 1232 - 60

// Steps writes the one transaction that the user has to sign for a trade that
// starts on Solana. The second result is what it costs him, in lamports: the
// signature, and rent of accounts that stay.
func (c *Chain) Steps(ctx context.Context, t trade.Trade) ([]relaywire.Step, *big.Int, error) {
	if !t.AmountIn.IsUint64() || t.MinimumOut != nil && t.Operation != trade.Bridge && !t.MinimumOut.IsUint64() {
		return nil, nil, trade.ErrAmountTooLarge
	}
	p, err := c.planFor(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	instructions, err := wireInstructions(p.instructions)
	if err != nil {
		return nil, nil, err
	}
	if err := p.checkSize(); err != nil {
		return nil, nil, err
	}
	id, description := "swap", fmt.Sprintf("Swapping %s for %s", t.In.Symbol, t.Out.Symbol)
	switch t.Operation {
	case trade.Bridge:
		id, description = "deposit", fmt.Sprintf("Depositing funds to the relayer to execute the swap for %s", t.Out.Symbol)
	case trade.Send:
		id, description = "send", fmt.Sprintf("Sending %s to the recipient", t.In.Symbol)
	}
	step := relaywire.Step{
		ID: id, Action: "Confirm transaction in your wallet", Description: description, Kind: "transaction", RequestID: t.ID.String(),
		Items: []relaywire.Item{{
			Status: "incomplete",
			Data:   relaywire.SolanaTransaction{Instructions: instructions, AddressLookupTableAddresses: []string{}},
			Check:  &relaywire.Check{Endpoint: "/intents/status/v3?requestId=" + t.ID.String(), Method: "GET"},
		}},
	}
	return []relaywire.Step{step}, new(big.Int).SetUint64(signatureFee + p.rent), nil
}

func wireInstructions(instructions []solana.Instruction) ([]relaywire.Instruction, error) {
	wire := make([]relaywire.Instruction, 0, len(instructions))
	for _, instruction := range instructions {
		data, err := instruction.Data()
		if err != nil {
			return nil, fmt.Errorf("encode instruction: %w", err)
		}
		keys := []relaywire.AccountMeta{}
		for _, account := range instruction.Accounts() {
			keys = append(keys, relaywire.AccountMeta{
				PublicKey: account.PublicKey.String(), IsSigner: account.IsSigner, IsWritable: account.IsWritable,
			})
		}
		wire = append(wire, relaywire.Instruction{
			Keys: keys, ProgramID: instruction.ProgramID().String(), Data: hex.EncodeToString(data),
		})
	}
	return wire, nil
}

// checkSize compiles the transaction as a client will and measures it.
func (p *plan) checkSize() error {
	tx, err := solana.NewTransaction(p.instructions, solana.Hash{}, solana.TransactionPayer(p.payer))
	if err != nil {
		return fmt.Errorf("compile transaction: %w", err)
	}
	tx.Message.SetVersion(solana.MessageVersionV0)
	tx.Signatures = make([]solana.Signature, tx.Message.Header.NumRequiredSignatures)
	raw, err := tx.MarshalBinary()
	if err != nil {
		return fmt.Errorf("compile transaction: %w", err)
	}
	if len(raw) > maximumSize {
		return trade.ErrTransactionTooLarge
	}
	return nil
}

func (c *Chain) planFor(ctx context.Context, t trade.Trade) (*plan, error) {
	user, err := solana.PublicKeyFromBase58(t.User)
	if err != nil {
		return nil, fmt.Errorf("user: %w", err)
	}
	switch t.Operation {
	case trade.Bridge:
		return c.planDeposit(ctx, user, t)
	case trade.Send:
		return c.planSend(ctx, user, t)
	case trade.Wrap:
		return c.planWrap(ctx, user, t)
	case trade.Unwrap:
		return c.planUnwrap(ctx, user, t)
	default:
		return c.planSwap(ctx, user, t)
	}
}

func (c *Chain) planDeposit(ctx context.Context, user solana.PublicKey, t trade.Trade) (*plan, error) {
	p, err := c.newPlan(ctx, user)
	if err != nil {
		return nil, err
	}
	if t.In.Native {
		p.depositNative(t.AmountIn.Uint64(), t.ID)
		return p, nil
	}
	return p, p.depositToken(mintOf(t.In), t.AmountIn.Uint64(), t.ID)
}

func (c *Chain) planSend(ctx context.Context, user solana.PublicKey, t trade.Trade) (*plan, error) {
	recipient, err := solana.PublicKeyFromBase58(t.Recipient)
	if err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
	}
	if t.In.Native {
		p, err := c.newPlan(ctx, user)
		if err != nil {
			return nil, err
		}
		p.add(system.NewTransferInstruction(t.AmountIn.Uint64(), user, recipient).Build())
		return p, nil
	}
	mint := mintOf(t.In)
	from, to, err := bothAssociated(user, mint, recipient, mint)
	if err != nil {
		return nil, err
	}
	p, err := c.newPlan(ctx, user, to)
	if err != nil {
		return nil, err
	}
	p.open(recipient, mint, to)
	p.add(token.NewTransferCheckedInstruction(t.AmountIn.Uint64(), uint8(t.In.Decimals), from, mint, to, user, nil).Build())
	return p, nil
}

func (c *Chain) planWrap(ctx context.Context, user solana.PublicKey, t trade.Trade) (*plan, error) {
	account, err := associated(user, c.wrapped)
	if err != nil {
		return nil, err
	}
	p, err := c.newPlan(ctx, user, account)
	if err != nil {
		return nil, err
	}
	p.open(user, c.wrapped, account)
	p.wrap(account, t.AmountIn.Uint64())
	return p, nil
}

// planUnwrap passes the amount through an account that is closed at once, so that
// the bytes name it: closing the ordinary account would give whatever is in it.
func (c *Chain) planUnwrap(ctx context.Context, user solana.PublicKey, t trade.Trade) (*plan, error) {
	account, err := associated(user, c.wrapped)
	if err != nil {
		return nil, err
	}
	p, err := c.newPlan(ctx, user)
	if err != nil {
		return nil, err
	}
	temporary, err := p.openTemporary(t.ID)
	if err != nil {
		return nil, err
	}
	p.add(token.NewTransferInstruction(t.AmountIn.Uint64(), account, temporary, user, nil).Build())
	p.close(temporary)
	p.rent -= tokenAccountRent
	return p, nil
}

// planSwap wraps what is paid in SOL, trades, and unwraps what is bought as SOL.
// Wrapped tokens that the user held before stay wrapped.
func (c *Chain) planSwap(ctx context.Context, user solana.PublicKey, t trade.Trade) (*plan, error) {
	recipient, err := solana.PublicKeyFromBase58(t.Recipient)
	if err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
	}
	mintIn, mintOut := c.poolMint(t.Route[0].TokenIn), c.poolMint(t.Route[len(t.Route)-1].TokenOut)
	from, to, err := bothAssociated(user, mintIn, recipient, mintOut)
	if err != nil {
		return nil, err
	}
	accounts := []solana.PublicKey{from, to}
	for _, hop := range t.Route[1:] {
		between, err := associated(user, c.poolMint(hop.TokenIn))
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, between)
	}
	p, err := c.newPlan(ctx, user, accounts...)
	if err != nil {
		return nil, err
	}
	closing := []solana.PublicKey{}
	if t.In.Native {
		if p.existing[from] == nil {
			closing = append(closing, from)
		}
		p.open(user, mintIn, from)
		p.wrap(from, t.AmountIn.Uint64())
	}
	switch held := p.existing[to]; {
	case t.Out.Native && held != nil && held.Sign() > 0:
		if to, err = p.openTemporary(t.ID); err != nil {
			return nil, err
		}
		closing = append(closing, to)
	case t.Out.Native:
		p.open(recipient, mintOut, to)
		closing = append(closing, to)
	default:
		p.open(recipient, mintOut, to)
	}
	if err := p.route(t.Route, t.MinimumOut.Uint64(), from, to); err != nil {
		return nil, err
	}
	for _, account := range closing {
		p.close(account)
	}
	p.rent -= min(p.rent, tokenAccountRent*uint64(len(closing)))
	return p, nil
}

func (c *Chain) poolMint(address string) solana.PublicKey {
	return solana.MustPublicKeyFromBase58(address)
}

func bothAssociated(first, firstMint, second, secondMint solana.PublicKey) (a, b solana.PublicKey, err error) {
	if a, err = associated(first, firstMint); err != nil {
		return a, b, err
	}
	b, err = associated(second, secondMint)
	return a, b, err
}
