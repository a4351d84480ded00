package evm

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// BuildRequest makes one transaction per call, nonces in sequence from the
// pending count. Gas comes from a simulation of the whole sequence, since a swap
// can't be estimated before its approval has happened.
func (a *Adapter) BuildRequest(ctx context.Context, r chain.Request) ([]chain.Unsigned, error) {
	from, err := parseAddress(r.From)
	if err != nil {
		return nil, err
	}
	if len(r.Calls) == 0 || len(r.Instructions) > 0 {
		return nil, fault.New(fault.UnsafeTransaction, messageMissingData)
	}
	messages := make([]callMessage, len(r.Calls))
	for i, c := range r.Calls {
		to, err := parseAddress(c.To)
		if err != nil || c.Value == nil || c.Value.Sign() < 0 || c.Value.BitLen() > 256 {
			return nil, fault.Wrap(fault.UnsafeTransaction, messageMissingData, fmt.Errorf("call %d is malformed: %w", i, err))
		}
		messages[i] = callMessage{From: from, To: &to, Value: (*hexutil.Big)(c.Value), Input: c.Data}
	}
	if err := a.readCalls(messages); err != nil {
		return nil, unsafe(err)
	}
	var built []chain.Unsigned
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		built, err = a.buildCalls(ctx, n, from, messages, r.Calls)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("build a venue's transactions on %s: %w", a.chain.Name, err))
	}
	return built, nil
}

// readCalls refuses calls of unknown shape, and an approval of anybody but the
// contract that a later call calls, before a node is asked about them: it would
// only answer that they fail.
func (a *Adapter) readCalls(messages []callMessage) error {
	called := map[string]bool{}
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		e, err := a.effect(*m.To, m.Value.ToInt(), m.Input)
		if err != nil {
			return fmt.Errorf("call %d: %w", i, err)
		}
		if e.Kind == chain.EffectApprove && !called[e.Spender] {
			return fmt.Errorf("call %d approves %s, which no later call calls", i, e.Spender)
		}
		called[m.To.Hex()] = true
	}
	return nil
}

func (a *Adapter) buildCalls(ctx context.Context, n node.Caller, from common.Address, messages []callMessage, hints []chain.Call) ([]chain.Unsigned, error) {
	native, err := balanceAt(ctx, n, from, "latest")
	if err != nil {
		return nil, err
	}
	price, err := readPrices(ctx, n)
	if err != nil {
		return nil, err
	}
	nonce, err := nonceAt(ctx, n, from, "pending")
	if err != nil {
		return nil, err
	}
	limits, err := gasLimits(ctx, n, messages, hints)
	if err != nil {
		return nil, err
	}
	// What all calls together pay out is kept back before any fee.
	free := new(big.Int).Set(native)
	for _, m := range messages {
		free.Sub(free, m.Value.ToInt())
	}
	built := make([]chain.Unsigned, len(messages))
	for i, m := range messages {
		u, err := a.finish(ctx, n, m, order{gas: limits[i], nonce: nonce + uint64(i), price: price, native: free})
		if err != nil {
			return nil, err
		}
		free.Sub(free, u.MaximumFee)
		built[i] = u
	}
	return built, nil
}

// gasLimits finds a limit for each call of a sequence: what a simulation of all of
// them used, and half more. Half, because a call must be allowed more than it
// uses (refunds come at the end, each inner call keeps a 64th back), and because a
// pool's first exchange in a block costs more than the ones after it.
func gasLimits(ctx context.Context, n node.Caller, messages []callMessage, hints []chain.Call) ([]uint64, error) {
	outcomes, err := simulate(ctx, n, messages)
	if errors.Is(err, chain.ErrSimulationUnavailable) {
		return estimatedLimits(ctx, n, messages, hints)
	}
	if err != nil {
		return nil, err
	}
	limits := make([]uint64, len(messages))
	for i, o := range outcomes {
		used := max(uint64(o.MaxUsedGas), uint64(o.GasUsed))
		limits[i] = used + used/2
		if limits[i] < plainGas || limits[i] > mostGas {
			return nil, node.Broken(fmt.Errorf("it simulates %d gas", used))
		}
	}
	return limits, nil
}

// estimatedLimits is for nodes that can't simulate: an estimate for the first
// call, and the venue's own limits for those that depend on it.
func estimatedLimits(ctx context.Context, n node.Caller, messages []callMessage, hints []chain.Call) ([]uint64, error) {
	limits := make([]uint64, len(messages))
	for i := range messages {
		limits[i] = hints[i].GasLimit
	}
	first, err := estimateGas(ctx, n, messages[0])
	if err != nil {
		return nil, err
	}
	limits[0] = first + first/2
	for i, limit := range limits {
		if limit < plainGas || limit > mostGas {
			return nil, fault.Wrap(fault.SimulationFailed, fault.DefaultMessage, fmt.Errorf("no gas limit for call %d: %d", i, limit))
		}
	}
	return limits, nil
}
