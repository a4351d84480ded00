package evm

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// payment is a checked Transfer.
type payment struct {
	from, recipient common.Address
	asset           catalog.Asset
	amount          *big.Int
}

// message is the call that makes the payment.
func (p payment) message() callMessage {
	if p.asset.Native {
		return callMessage{From: p.from, To: &p.recipient, Value: (*hexutil.Big)(p.amount)}
	}
	token := common.HexToAddress(p.asset.Address)
	return callMessage{From: p.from, To: &token, Input: pack(erc20, "transfer", p.recipient, p.amount)}
}

// BuildTransfer makes the transaction of a payment. It refuses recipients at
// which the money would be lost: the zero address and the token's own contract.
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
	from, err := parseAddress(t.From)
	if err != nil {
		return payment{}, err
	}
	recipient, err := parseAddress(t.Recipient)
	if err != nil {
		return payment{}, err
	}
	if recipient == (common.Address{}) || !t.Asset.Native && strings.EqualFold(recipient.Hex(), t.Asset.Address) {
		return payment{}, fault.Wrap(fault.InvalidAddress, messageBadPair, fmt.Errorf("%s would lose the money", recipient))
	}
	if from == recipient {
		return payment{}, fault.New(fault.SelfTransfer, messageSelfTransfer)
	}
	if t.Amount == nil || t.Amount.Sign() <= 0 {
		return payment{}, fault.New(fault.AmountZero, "Please enter a valid amount")
	}
	return payment{from, recipient, t.Asset, t.Amount}, nil
}

func (a *Adapter) buildTransfer(ctx context.Context, n node.Caller, p payment) (chain.Unsigned, error) {
	native, err := balanceAt(ctx, n, p.from, "latest")
	if err != nil {
		return chain.Unsigned{}, err
	}
	outgoing := new(big.Int)
	if p.asset.Native {
		outgoing = p.amount
	} else if err := a.hasToken(ctx, n, p); err != nil {
		return chain.Unsigned{}, err
	}
	if native.Cmp(outgoing) < 0 {
		return chain.Unsigned{}, errNoFunds(outgoing, native)
	}
	message := p.message()
	gas, err := estimateGas(ctx, n, message)
	if err != nil {
		return chain.Unsigned{}, err
	}
	price, err := readPrices(ctx, n)
	if err != nil {
		return chain.Unsigned{}, err
	}
	nonce, err := nonceAt(ctx, n, p.from, "pending")
	if err != nil {
		return chain.Unsigned{}, err
	}
	return a.finish(ctx, n, message, order{gas: gas, nonce: nonce, price: price, native: new(big.Int).Sub(native, outgoing)})
}

func (a *Adapter) hasToken(ctx context.Context, n node.Caller, p payment) error {
	held, err := readBalances(ctx, n, []subcall{{common.HexToAddress(p.asset.Address), true, pack(erc20, "balanceOf", p.from)}})
	if err != nil {
		return err
	}
	if held[0].Cmp(p.amount) < 0 {
		return errNoFunds(p.amount, held[0])
	}
	return nil
}

// order is what is decided about a transaction besides its call.
type order struct {
	gas, nonce uint64
	price      prices
	native     *big.Int // what is left for fees, wei; nil when that is not checked
}

// finish turns a call into an unsigned transaction whose worst fee is covered.
func (a *Adapter) finish(ctx context.Context, n node.Caller, m callMessage, o order) (chain.Unsigned, error) {
	d := draft{
		legacy: o.price.legacy, chainID: big.NewInt(a.chain.ID), nonce: o.nonce,
		tip: o.price.tip, cap: o.price.cap, gas: o.gas, to: m.To, value: new(big.Int), data: m.Input,
	}
	if m.Value != nil {
		d.value = m.Value.ToInt()
	}
	l1, err := a.l1Fee(ctx, n, d.encode())
	if err != nil {
		return chain.Unsigned{}, err
	}
	if o.native != nil {
		fits, ok := o.price.fitted(o.gas, new(big.Int).Sub(o.native, l1))
		if !ok {
			return chain.Unsigned{}, errNoFunds(new(big.Int).Add(d.maximumFee(), l1), o.native)
		}
		d.cap = fits.cap
	}
	nonce := o.nonce
	return chain.Unsigned{
		ChainID: a.chain.ID, From: m.From.Hex(), Bytes: d.encode(), Nonce: &nonce,
		MaximumFee: new(big.Int).Add(d.maximumFee(), l1),
	}, nil
}

// MaximumTransfer keeps back the worst fee from the native coin; of a token
// everything can be sent. Without a recipient an ordinary account is assumed.
// There is no rent on EVM chains. The amount is zero when the fee takes all.
func (a *Adapter) MaximumTransfer(ctx context.Context, from, recipient string, asset catalog.Asset) (amount, fee, rent *big.Int, err error) {
	sender, err := parseAddress(from)
	if err != nil {
		return nil, nil, nil, err
	}
	// Any account without code costs the same to pay; this one has no owner.
	to := common.HexToAddress("0x000000000000000000000000000000000000dEaD")
	if recipient != "" {
		if to, err = parseAddress(recipient); err != nil {
			return nil, nil, nil, err
		}
	}
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		amount, fee, err = a.maximum(ctx, n, payment{from: sender, recipient: to, asset: asset})
		return err
	})
	if err != nil {
		return nil, nil, nil, a.classify(fmt.Errorf("work out the most that can be sent on %s: %w", a.chain.Name, err))
	}
	return amount, fee, new(big.Int), nil
}

func (a *Adapter) maximum(ctx context.Context, n node.Caller, p payment) (amount, fee *big.Int, err error) {
	held, err := a.held(ctx, n, p.from, p.asset)
	if err != nil {
		return nil, nil, err
	}
	p.amount = held
	message := p.message()
	if p.asset.Native {
		message.Value = (*hexutil.Big)(new(big.Int)) // the whole balance would not leave gas to estimate with
	}
	gas, err := estimateGas(ctx, n, message)
	if err != nil {
		return nil, nil, err
	}
	price, err := readPrices(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	u, err := a.finish(ctx, n, message, order{gas: gas, price: price})
	if err != nil {
		return nil, nil, err
	}
	if !p.asset.Native {
		return held, u.MaximumFee, nil
	}
	amount = new(big.Int).Sub(held, u.MaximumFee)
	if amount.Sign() < 0 {
		amount.SetInt64(0)
	}
	return amount, u.MaximumFee, nil
}

func (a *Adapter) held(ctx context.Context, n node.Caller, owner common.Address, asset catalog.Asset) (*big.Int, error) {
	if asset.Native {
		return balanceAt(ctx, n, owner, "latest")
	}
	list, err := readBalances(ctx, n, []subcall{{common.HexToAddress(asset.Address), true, pack(erc20, "balanceOf", owner)}})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}
