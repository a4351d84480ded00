package venue

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/solver"
	"tenfold/localnet/venue/internal/trade"
)

// Reasons are Relay's execution codes, so that clients can be tested with them.
const (
	reasonForced      = "MANUAL_ADMIN_REFUND"
	reasonDuplicate   = "DOUBLE_SPEND"
	reasonChain       = "DEPOSIT_CHAIN_MISMATCH"
	reasonCurrency    = "INCORRECT_DEPOSIT_CURRENCY"
	reasonDepositor   = "INVALID_SENDER"
	reasonAmount      = "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"
	reasonTooLittle   = "TOO_LITTLE_RECEIVED"
	reasonPools       = "INSUFFICIENT_POOL_LIQUIDITY"
	reasonNoRoute     = "NO_INTERNAL_SWAP_ROUTES_FOUND"
	reasonFees        = "NEGATIVE_NEW_AMOUNT_AFTER_FEES"
	reasonInventory   = "SOLVER_BALANCE_TOO_LOW"
	reasonRefundSmall = "AMOUNT_TOO_LOW_TO_REFUND"
	reasonManual      = "MANUAL_REFUND_REQUIRED"
)

// Referrer values that act when the deposit has come.
const (
	forceRefund = "debug-force-refund" // Relay's own
	driftFault  = "fault-price-drift"
	slowFault   = "fault-slow-fill"
	stuckFault  = "fault-refund-failed"
)

// fillFaults give the deposit back with a reason.
var fillFaults = map[string]string{
	forceRefund:             reasonForced,
	"fault-fill-slippage":   "SLIPPAGE",
	"fault-fill-too-little": reasonTooLittle,
	"fault-fill-no-quotes":  "NO_QUOTES",
	stuckFault:              "SLIPPAGE",
}

// driftPercent is how far prices fall between quote and fill under driftFault.
const driftPercent = 10

var _ solver.Desk = (*Venue)(nil)

// Fill implements solver.Desk: the deposit must be what was quoted, and what is
// left of it at the prices of now must reach the promised minimum.
func (v *Venue) Fill(ctx context.Context, due orders.Due) (solver.Decision, error) {
	terms := due.Order.Terms
	if v.byChain[terms.OriginChain] == nil {
		// The venue was started without that chain: the order waits until it is back.
		return solver.Decision{NotBefore: v.now().Add(time.Hour)}, nil
	}
	if reason := depositFault(due); reason != "" {
		return solver.Decision{Reason: reason}, nil
	}
	if reason, ok := fillFaults[terms.Referrer]; ok {
		return solver.Decision{Reason: reason}, nil
	}
	if wait := due.ReceivedAt.Add(slowFill); terms.Referrer == slowFault && wait.After(v.now()) {
		return solver.Decision{NotBefore: wait}, nil
	}
	payment, reason, err := v.fillPayment(ctx, due)
	return solver.Decision{Payment: payment, Reason: reason}, err
}

// depositFault is the reason for which a deposit is not the order's.
func depositFault(due orders.Due) string {
	terms, deposit := due.Order.Terms, due.Deposit
	wanted, ok := new(big.Int).SetString(terms.AmountIn, 10)
	switch {
	case !due.First:
		return reasonDuplicate
	case deposit.ChainID != terms.OriginChain || terms.SameChain():
		return reasonChain
	case deposit.Asset != terms.In:
		return reasonCurrency
	case deposit.Depositor != terms.User:
		return reasonDepositor
	case !ok || deposit.Amount.Cmp(wanted) < 0:
		return reasonAmount
	}
	return ""
}

func (v *Venue) fillPayment(ctx context.Context, due orders.Due) (trade.Payment, string, error) {
	terms := due.Order.Terms
	origin, destination := v.byChain[terms.OriginChain], v.byChain[terms.DestinationChain]
	in, inOK := origin.facts.AssetAt(terms.In)
	out, outOK := destination.facts.AssetAt(terms.Out)
	minimum, minimumOK := new(big.Int).SetString(terms.MinimumOut, 10)
	execution, executionOK := new(big.Rat).SetString(terms.Execution)
	if !inOK || !outOK || !minimumOK || !executionOK {
		return trade.Payment{}, "", fmt.Errorf("the terms of order %s are damaged", due.Order.ID)
	}
	value := v.book.Value(due.Deposit.Amount, in.PriceSymbol, in.Decimals)
	if terms.Referrer == driftFault {
		value.Mul(value, big.NewRat(100-driftPercent, 100))
	}
	charge := pricing.ChargeFor(value, new(big.Rat), pricing.ServiceBps(in.PriceSymbol, out.PriceSymbol))
	charge.Execution = execution
	bought, err := v.payout(ctx, destination, out, value, charge)
	if reason := pricingReason(err); reason != "" || err != nil {
		if reason != "" {
			err = nil
		}
		return trade.Payment{}, reason, err
	}
	if bought.amount.Cmp(minimum) < 0 {
		return trade.Payment{}, reasonTooLittle, nil
	}
	payment := trade.Payment{
		ID: due.Order.ID, Method: trade.FromInventory, To: terms.Recipient, Asset: out, Amount: bought.amount,
	}
	if bought.spend != nil {
		payment.Method, payment.Spend, payment.Minimum = trade.ThroughPools, bought.spend, minimum
	}
	reason, err := v.inventoryReason(ctx, destination, payment)
	return payment, reason, err
}

func pricingReason(err error) string {
	switch {
	case errors.Is(err, pricing.ErrLiquidity):
		return reasonPools
	case errors.Is(err, pricing.ErrNoRoute):
		return reasonNoRoute
	case errors.Is(err, pricing.ErrFeesExceedValue):
		return reasonFees
	}
	return ""
}

// inventoryReason is set when the solver no longer holds what it would pay with.
func (v *Venue) inventoryReason(ctx context.Context, at *site, payment trade.Payment) (string, error) {
	asset, needed := payment.Asset, payment.Amount
	switch {
	case payment.Method == trade.ThroughPools:
		asset, needed = at.usdc, payment.Spend
	case !asset.Native && asset.Address != at.usdc.Address:
		asset = at.facts.NativeAsset() // wrapped on the way
	}
	held, err := at.chain.Balance(ctx, at.chain.Solver(), asset)
	if err != nil {
		return "", err
	}
	if held.Cmp(needed) < 0 {
		return reasonInventory, nil
	}
	return "", nil
}

// Refund implements solver.Desk: the deposit goes to refundTo, less what sending
// it costs.
func (v *Venue) Refund(ctx context.Context, due orders.Due) (solver.Decision, error) {
	terms, deposit := due.Order.Terms, due.Deposit
	at := v.byChain[deposit.ChainID]
	asset, known := at.facts.AssetAt(deposit.Asset)
	_, payable := at.chain.ParseAddress(terms.RefundTo)
	if terms.Referrer == stuckFault || !known || !payable {
		return solver.Decision{Reason: reasonManual}, nil
	}
	cost, err := at.chain.RefundCost(ctx, asset, terms.RefundTo)
	if err != nil {
		return solver.Decision{}, err
	}
	left := new(big.Int).Sub(deposit.Amount, v.inUnitsOf(asset, cost, at))
	if left.Sign() <= 0 {
		return solver.Decision{Reason: reasonRefundSmall}, nil
	}
	payment := trade.Payment{ID: due.Order.ID, Method: at.refundMethod(), To: terms.RefundTo, Asset: asset, Amount: left}
	return solver.Decision{Payment: payment}, nil
}

// inUnitsOf turns an amount of native coin into base units of an asset.
func (v *Venue) inUnitsOf(asset catalog.Asset, cost *big.Int, at *site) *big.Int {
	if asset.Native {
		return cost
	}
	native := at.facts.NativeAsset()
	return v.book.Units(v.book.Value(cost, native.PriceSymbol, native.Decimals), asset.PriceSymbol, asset.Decimals)
}

// refundMethod: EVM depositories give deposits back; Solana's has no way out, so
// the solver pays.
func (s *site) refundMethod() string {
	if s.facts.IsEVM {
		return trade.FromDepository
	}
	return trade.FromInventory
}
