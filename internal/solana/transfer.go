package solana

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"

	"tenfold/catalog"
	"tenfold/internal/amount"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// Compute units of our payments, with room: a coin payment uses 450, a token
// payment about 6,500, and creating a token account 20,000 to 40,000 more,
// depending on how long the search for its address is.
const (
	coinUnits  = 1_000
	tokenUnits = 75_000
)

// payment is a checked Transfer.
type payment struct {
	from, recipient solana.PublicKey
	asset           catalog.Asset
	mint            solana.PublicKey // of a token
	amount          uint64
}

// scene is what the chain says before a payment.
type scene struct {
	sender, recipient, source, target, mint *account
	rents                                   rents
}

// BuildTransfer makes the transaction of a payment: compute budget, then a system
// transfer, or the creation (harmless when it exists) of the recipient's
// associated token account and a checked token transfer. The creation is always
// there because it ties the token account to its owner in the signed bytes; rent
// is only counted when the account is missing.
func (a *Adapter) BuildTransfer(ctx context.Context, t chain.Transfer) (chain.Unsigned, error) {
	p, err := checkTransfer(t)
	if err != nil {
		return chain.Unsigned{}, err
	}
	var built chain.Unsigned
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		built, err = a.buildTransfer(ctx, n, p)
		return err
	})
	if err != nil {
		return chain.Unsigned{}, a.classify(fmt.Errorf("build a payment on %s: %w", a.chain.Name, err))
	}
	return built, nil
}

func checkTransfer(t chain.Transfer) (payment, error) {
	var p payment
	var err error
	if p.from, err = parseAddress(t.From); err != nil {
		return p, err
	}
	if p.recipient, err = parseAddress(t.Recipient); err != nil {
		return p, err
	}
	if p.asset = t.Asset; !p.asset.Native {
		if p.mint, err = parseAddress(t.Asset.Address); err != nil {
			return p, err
		}
	}
	if p.from == p.recipient {
		return p, fault.New(fault.SelfTransfer, messageSelfTransfer)
	}
	if t.Amount == nil || t.Amount.Sign() <= 0 {
		return p, fault.New(fault.AmountZero, "Please enter a valid amount")
	}
	if !t.Amount.IsUint64() {
		return p, fault.Wrap(fault.InsufficientBalance, messageNoFunds, fmt.Errorf("%s base units exist on no chain", t.Amount))
	}
	p.amount = t.Amount.Uint64()
	return p, nil
}

func (a *Adapter) buildTransfer(ctx context.Context, n node.Caller, p payment) (chain.Unsigned, error) {
	s, err := look(ctx, n, p)
	if err != nil {
		return chain.Unsigned{}, err
	}
	if err := checkRecipient(p, s); err != nil {
		return chain.Unsigned{}, err
	}
	b, err := p.budget(ctx, n)
	if err != nil {
		return chain.Unsigned{}, err
	}
	rent := p.rent(s)
	outgoing := b.maximumFee() + rent
	if p.asset.Native {
		err = p.checkCoin(s, outgoing)
	} else {
		err = p.checkToken(s, outgoing)
	}
	if err != nil {
		return chain.Unsigned{}, err
	}
	valid, err := latestBlockhash(ctx, n)
	if err != nil {
		return chain.Unsigned{}, err
	}
	wire, err := encode(p.from, append(b.instructions(), p.instructions()...), valid.Blockhash, nil)
	if err != nil {
		return chain.Unsigned{}, err
	}
	return a.unsigned(p.from, wire, valid, b, rent), nil
}

func (a *Adapter) unsigned(from solana.PublicKey, wire []byte, v validity, b budget, rent uint64) chain.Unsigned {
	u := chain.Unsigned{
		ChainID: a.chain.ID, From: from.String(), Bytes: wire,
		LastValidBlockHeight: v.LastValidBlockHeight, MaximumFee: lamports(b.maximumFee()),
	}
	if rent > 0 {
		u.Rent = lamports(rent)
	}
	return u
}

// look reads all that a payment depends on by one call and the rents.
func look(ctx context.Context, n node.Caller, p payment) (scene, error) {
	keys := []solana.PublicKey{p.from, p.recipient}
	if !p.asset.Native {
		keys = append(keys, tokenAccount(p.from, p.mint), tokenAccount(p.recipient, p.mint), p.mint)
	}
	list, err := readAccounts(ctx, n, keys)
	if err != nil {
		return scene{}, err
	}
	r, err := readRents(ctx, n)
	if err != nil {
		return scene{}, err
	}
	s := scene{sender: list[0], recipient: list[1], rents: r}
	if !p.asset.Native {
		s.source, s.target, s.mint = list[2], list[3], list[4]
		err = checkMint(s.mint, p.asset)
	}
	return s, err
}

func checkMint(mint *account, asset catalog.Asset) error {
	if mint == nil || mint.Owner != solana.TokenProgramID || len(mint.Data) != mintSize {
		return fault.Wrap(fault.UnsupportedAsset, fault.DefaultMessage, fmt.Errorf("%s is no mint of the token program", asset.Address))
	}
	if int(mint.Data[mintDecimalsOffset]) != asset.Decimals {
		return fault.Wrap(fault.UnsupportedAsset, fault.DefaultMessage, fmt.Errorf("%s has %d decimals", asset.Address, mint.Data[mintDecimalsOffset]))
	}
	return nil
}

// checkRecipient refuses accounts from which nobody could spend: token accounts,
// mints and programs, and addresses off the curve (which have no key) at which
// no program keeps an account.
func checkRecipient(p payment, s scene) error {
	r := s.recipient
	bad := r != nil && (r.Executable || r.Owner == solana.TokenProgramID || r.Owner == solana.Token2022ProgramID) ||
		r == nil && !solana.IsOnCurve(p.recipient[:])
	if bad {
		return fault.Wrap(fault.InvalidAddress, messageBadPair, fmt.Errorf("%s is no wallet", p.recipient))
	}
	return nil
}

// checkCoin checks both ends of a coin payment against the rent-exempt minimum.
func (p payment) checkCoin(s scene, outgoing uint64) error {
	if p.amount > s.sender.lamports() {
		return checkLamports(s.sender.lamports(), p.amount, s.rents)
	}
	if err := checkLamports(s.sender.lamports(), outgoing+p.amount, s.rents); err != nil {
		return err
	}
	if s.recipient.lamports() < s.rents.empty && p.amount < s.rents.empty-s.recipient.lamports() {
		least := amount.Format(lamports(s.rents.empty-s.recipient.lamports()), p.asset.Decimals)
		return fault.New(fault.InvalidAmount, fmt.Sprintf("The recipient's account is new: it must receive at least %s %s.", least, p.asset.Symbol))
	}
	return nil
}

func (p payment) checkToken(s scene, outgoing uint64) error {
	held, err := s.source.tokens()
	if err != nil {
		return err
	}
	if held < p.amount {
		return fault.Wrap(fault.InsufficientBalance, messageNoFunds, fmt.Errorf("%d of %d base units are there", held, p.amount))
	}
	return checkLamports(s.sender.lamports(), outgoing, s.rents)
}

// rent is what creating the recipient's token account takes from the sender.
func (p payment) rent(s scene) uint64 {
	if p.asset.Native || s.target.isToken() {
		return 0
	}
	return s.rents.token - min(s.rents.token, s.target.lamports())
}

func (p payment) budget(ctx context.Context, n node.Caller) (budget, error) {
	writes := []solana.PublicKey{p.from, p.recipient}
	b := budget{units: coinUnits}
	if !p.asset.Native {
		writes[1], b.units = tokenAccount(p.recipient, p.mint), tokenUnits
	}
	var err error
	b.price, err = unitPrice(ctx, n, writes)
	return b, err
}

func (p payment) instructions() []solana.Instruction {
	if p.asset.Native {
		return []solana.Instruction{system.NewTransferInstruction(p.amount, p.from, p.recipient).Build()}
	}
	source, target := tokenAccount(p.from, p.mint), tokenAccount(p.recipient, p.mint)
	return []solana.Instruction{
		associated.NewCreateIdempotentInstruction(p.from, p.recipient, p.mint).Build(),
		token.NewTransferCheckedInstruction(p.amount, uint8(p.asset.Decimals), source, p.mint, target, p.from, nil).Build(),
	}
}

// MaximumTransfer keeps back the fee, the rent of the recipient's token account
// where it is missing (without a recipient: it is), and of SOL the rent-exempt
// minimum. The amount is zero when nothing is left.
func (a *Adapter) MaximumTransfer(ctx context.Context, from, recipient string, asset catalog.Asset) (sendable, fee, rent *big.Int, err error) {
	p := payment{asset: asset}
	if p.from, err = parseAddress(from); err != nil {
		return nil, nil, nil, err
	}
	unknown := recipient == ""
	if p.recipient = p.from; !unknown {
		if p.recipient, err = parseAddress(recipient); err != nil {
			return nil, nil, nil, err
		}
	}
	if !asset.Native {
		if p.mint, err = parseAddress(asset.Address); err != nil {
			return nil, nil, nil, err
		}
	}
	var most, charged, locked uint64
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		most, charged, locked, err = p.maximum(ctx, n, unknown)
		return err
	})
	if err != nil {
		return nil, nil, nil, a.classify(fmt.Errorf("work out the most that can be sent on %s: %w", a.chain.Name, err))
	}
	return lamports(most), lamports(charged), lamports(locked), nil
}

func (p payment) maximum(ctx context.Context, n node.Caller, unknown bool) (most, fee, rent uint64, err error) {
	s, err := look(ctx, n, p)
	if err != nil {
		return 0, 0, 0, err
	}
	b, err := p.budget(ctx, n)
	if err != nil {
		return 0, 0, 0, err
	}
	if unknown {
		s.target = nil
	}
	fee, rent = b.maximumFee(), p.rent(s)
	if p.asset.Native {
		keep := fee + s.rents.empty
		held := s.sender.lamports()
		return held - min(held, keep), fee, 0, nil
	}
	most, err = s.source.tokens()
	return most, fee, rent, err
}

// refusedSize words errTooLarge for a person.
func refusedSize(err error) error {
	if errors.Is(err, errTooLarge) {
		return fault.Wrap(fault.NoRoute, messageNoRoute, err)
	}
	return err
}
