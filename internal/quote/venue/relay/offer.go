package relay

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/quote"
)

// offer normalises a quote and refuses one that answers another question.
func (a quoteAnswer) offer(ask quote.Ask) (quote.Offer, error) {
	o := quote.Offer{Venue: Name, Ask: ask, Request: chain.Request{From: ask.User}}
	for _, part := range []func(*quote.Offer) error{a.addAmounts, a.addRequestID, a.addSteps} {
		if err := part(&o); err != nil {
			return quote.Offer{}, err
		}
	}
	a.addFees(&o)
	if percent := a.Details.TotalImpact.Percent; decimalForm.MatchString(percent) {
		o.PriceImpactPercent = percent
	}
	if seconds, err := a.Details.TimeEstimate.decimal(); err == nil {
		o.TimeSeconds = wholeSeconds(seconds)
	}
	return o, nil
}

func (a quoteAnswer) addAmounts(o *quote.Offer) (err error) {
	d, ask := a.Details, o.Ask
	for _, pair := range []struct {
		got  currency
		want catalog.Asset
	}{{d.CurrencyIn.Currency, ask.From}, {d.CurrencyOut.Currency, ask.To}} {
		asset, known := assetOf(pair.got)
		if !known || asset.ChainID != pair.want.ChainID || asset.Address != pair.want.Address {
			return fmt.Errorf("it quotes %d/%s instead of %s", pair.got.ChainID, pair.got.Address, pair.want.Symbol)
		}
	}
	if !sameAddress(ask.From.ChainID, d.Sender, ask.User) || !sameAddress(ask.To.ChainID, d.Recipient, ask.Recipient) {
		return errors.New("it quotes for another sender or recipient")
	}
	for _, field := range []struct {
		name string
		from numeral
		into **big.Int
	}{
		{"currencyIn.amount", d.CurrencyIn.Amount, &o.AmountIn},
		{"currencyOut.amount", d.CurrencyOut.Amount, &o.AmountOut},
		{"currencyOut.minimumAmount", d.CurrencyOut.MinimumAmount, &o.MinimumOut},
	} {
		if *field.into, err = field.from.integer(); err != nil {
			return fmt.Errorf("%s is %q: %w", field.name, field.from, err)
		}
	}
	if o.AmountIn.Cmp(ask.Amount) != 0 {
		return fmt.Errorf("it takes %s instead of %s", o.AmountIn, ask.Amount)
	}
	o.AmountInUSD, o.AmountOutUSD = d.CurrencyIn.usd(), d.CurrencyOut.usd()
	return nil
}

func sameAddress(chainID int64, x, y string) bool {
	c, known := catalog.ChainByID(chainID)
	return known && c.SameAddress(x, y)
}

// addRequestID finds the order's id: there is none at the top level, and every
// step that names one must name the same.
func (a quoteAnswer) addRequestID(o *quote.Offer) error {
	for _, s := range a.Steps {
		id := strings.ToLower(s.RequestID)
		switch {
		case id == "":
		case !requestIDForm.MatchString(id):
			return fmt.Errorf("request id %q is not 32 bytes", s.RequestID)
		case o.RequestID != "" && o.RequestID != id:
			return errors.New("its steps belong to different orders")
		default:
			o.RequestID = id
		}
	}
	if o.RequestID == "" {
		return errors.New("it has no request id")
	}
	return nil
}

var stepKinds = map[string]quote.StepKind{
	"approve": quote.StepApprove, "approval": quote.StepApprove,
	"swap": quote.StepSwap, "deposit": quote.StepDeposit,
}

func (a quoteAnswer) addSteps(o *quote.Offer) error {
	from, known := catalog.ChainByID(o.Ask.From.ChainID)
	if !known {
		return errors.New("the origin chain is unknown")
	}
	for _, s := range a.Steps {
		if len(s.Items) == 0 {
			continue // Relay's documents: a step without items is to be skipped
		}
		kind, known := stepKinds[s.ID]
		if !known || s.Kind != "transaction" {
			return fmt.Errorf("it wants a step %q of kind %q", s.ID, s.Kind)
		}
		for _, item := range s.Items {
			add := addSolana
			if from.IsEVM {
				add = addCall
			}
			if err := add(o, item.Data, from); err != nil {
				return fmt.Errorf("step %s: %w", s.ID, err)
			}
			o.Steps = append(o.Steps, quote.Step{Kind: kind, ChainID: from.ID})
		}
	}
	if len(o.Steps) == 0 {
		return errors.New("it has no steps")
	}
	return nil
}

func addCall(o *quote.Offer, raw json.RawMessage, from catalog.Chain) error {
	var t evmTransaction
	if err := json.Unmarshal(raw, &t); err != nil {
		return fmt.Errorf("decode the transaction: %w", err)
	}
	if id, err := t.ChainID.integer(); err != nil || id.Cmp(big.NewInt(from.Venues[Name].ChainID)) != 0 {
		return fmt.Errorf("it is for chain %s", t.ChainID)
	}
	if !strings.EqualFold(t.From, o.Ask.User) {
		return fmt.Errorf("it is from %s", t.From)
	}
	data, err := hex.DecodeString(strings.TrimPrefix(t.Data, "0x"))
	if err != nil {
		return fmt.Errorf("decode the call data: %w", err)
	}
	call := chain.Call{To: t.To, Data: data, Value: new(big.Int)}
	if t.Value != "" {
		if call.Value, err = t.Value.integer(); err != nil {
			return fmt.Errorf("its value is %q: %w", t.Value, err)
		}
	}
	if gas, err := t.Gas.integer(); err == nil && gas.IsUint64() { // a hint, often absent
		call.GasLimit = gas.Uint64()
	}
	o.Request.Calls = append(o.Request.Calls, call)
	return nil
}

func addSolana(o *quote.Offer, raw json.RawMessage, _ catalog.Chain) error {
	if len(o.Request.Instructions) > 0 {
		return errors.New("it wants a second transaction")
	}
	var t solanaTransaction
	if err := json.Unmarshal(raw, &t); err != nil {
		return fmt.Errorf("decode the transaction: %w", err)
	}
	for _, i := range t.Instructions {
		data, err := hex.DecodeString(i.Data)
		if err != nil {
			return fmt.Errorf("decode the instruction data: %w", err)
		}
		instruction := chain.Instruction{ProgramID: i.ProgramID, Data: data}
		for _, k := range i.Keys {
			instruction.Accounts = append(instruction.Accounts, chain.InstructionAccount{Address: k.Address, Signer: k.Signer, Writable: k.Writable})
		}
		o.Request.Instructions = append(o.Request.Instructions, instruction)
	}
	if len(o.Request.Instructions) == 0 {
		return errors.New("it has no instructions")
	}
	o.Request.LookupTables = t.LookupTables
	return nil
}
