package evm

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

var (
	// leastTip is offered when a node suggests less: a quiet node suggests 1 wei,
	// below the floor (0.001 gwei) at which go-ethereum miners take a transaction.
	leastTip = big.NewInt(1_000_000)
	// mostPrice bounds what a node can talk us into: 100,000 gwei per gas, far
	// above any fee that these chains have seen.
	mostPrice = big.NewInt(100_000_000_000_000)
)

// prices are what gas costs now, in wei per gas.
type prices struct {
	legacy bool
	base   *big.Int
	tip    *big.Int
	cap    *big.Int // base fee twice, so that six full blocks can pass, plus the tip
}

// readPrices asks for the base fee and a tip; a chain without a base fee is
// priced by eth_gasPrice.
func readPrices(ctx context.Context, n node.Caller) (prices, error) {
	head, err := blockAt(ctx, n, "latest")
	if err != nil {
		return prices{}, fmt.Errorf("read the base fee: %w", err)
	}
	p := prices{legacy: head.BaseFee == nil, base: new(big.Int)}
	method := "eth_gasPrice"
	if !p.legacy {
		p.base, method = head.BaseFee.ToInt(), "eth_maxPriorityFeePerGas"
	}
	var suggested hexutil.Big
	if err := n.Call(ctx, &suggested, method); err != nil {
		return prices{}, fmt.Errorf("read the gas price: %w", err)
	}
	p.tip = suggested.ToInt()
	if p.tip.Cmp(leastTip) < 0 {
		p.tip = new(big.Int).Set(leastTip)
	}
	p.cap = new(big.Int).Add(new(big.Int).Lsh(p.base, 1), p.tip)
	if p.base.Sign() < 0 || suggested.ToInt().Sign() < 0 || p.cap.Cmp(mostPrice) > 0 {
		return prices{}, node.Broken(fmt.Errorf("it asks %s wei per gas", p.cap))
	}
	return p, nil
}

// fitted lowers the cap so that gas units cost at most budget, for payments of
// nearly everything. It keeps enough for the next block (the base fee rises by
// at most an eighth) and is false when the budget does not reach for that.
func (p prices) fitted(gas uint64, budget *big.Int) (prices, bool) {
	units := new(big.Int).SetUint64(gas)
	if budget.Sign() < 0 {
		return p, false
	}
	affordable := new(big.Int).Div(budget, units)
	if affordable.Cmp(p.cap) >= 0 {
		return p, true
	}
	least := new(big.Int).Add(p.base, new(big.Int).Rsh(p.base, 3))
	least.Add(least, p.tip).Add(least, big.NewInt(1))
	if p.legacy || affordable.Cmp(least) < 0 {
		return p, false
	}
	p.cap = affordable
	return p, true
}

// l1Fee bounds what an OP-stack chain (Base) charges for publishing the
// transaction on layer 1, on top of gas times price; zero elsewhere. A quarter is
// added because the layer 1 price moves until the transaction is included.
func (a *Adapter) l1Fee(ctx context.Context, n node.Caller, unsigned []byte) (*big.Int, error) {
	charged, err := a.chargesForL1(ctx, n)
	if err != nil || !charged {
		return new(big.Int), err
	}
	message := callMessage{To: &gasOracleAddress, Input: pack(gasOracle, "getL1Fee", unsigned)}
	var answer hexutil.Bytes
	if err := n.Call(ctx, &answer, "eth_call", message, "latest"); err != nil {
		return nil, fmt.Errorf("read the layer 1 fee: %w", err)
	}
	if len(answer) != common.HashLength {
		return nil, node.Broken(fmt.Errorf("the layer 1 fee has %d bytes", len(answer)))
	}
	fee := new(big.Int).SetBytes(answer)
	return fee.Add(fee, new(big.Int).Rsh(fee, 2)), nil
}

// chargesForL1 looks once whether the chain has the OP stack's fee oracle.
func (a *Adapter) chargesForL1(ctx context.Context, n node.Caller) (bool, error) {
	a.mu.Lock()
	known := a.l1Charges
	a.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	var code hexutil.Bytes
	if err := n.Call(ctx, &code, "eth_getCode", gasOracleAddress, "latest"); err != nil {
		return false, fmt.Errorf("look for the layer 1 fee oracle: %w", err)
	}
	charged := len(code) > 0
	a.mu.Lock()
	a.l1Charges = &charged
	a.mu.Unlock()
	return charged, nil
}

const (
	plainGas    = 21_000     // a payment to an account without code
	mostGas     = 15_000_000 // no step of ours needs more; a node or venue that says so is refused
	gasMarginBy = 5          // a fifth is added to estimates of contract calls
)

// estimateGas asks for the gas of one call on the current state, with head-room
// for contract calls, whose cost depends on a state that may move.
func estimateGas(ctx context.Context, n node.Caller, m callMessage) (uint64, error) {
	var estimate hexutil.Uint64
	if err := n.Call(ctx, &estimate, "eth_estimateGas", m); err != nil {
		return 0, refused("estimate gas", err)
	}
	gas := uint64(estimate)
	if gas < plainGas || gas > mostGas {
		return 0, node.Broken(fmt.Errorf("it estimates %d gas", gas))
	}
	if gas > plainGas {
		gas += gas / gasMarginBy
	}
	return gas, nil
}

func errNoFunds(need, have *big.Int) error {
	return fault.Wrap(fault.InsufficientBalance, messageNoFunds, fmt.Errorf("%s base units are needed and %s are there", need, have))
}
