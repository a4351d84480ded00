package evmchain

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/localnet/contracts"
	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/trade"
)

// Steps writes what the user has to sign for a trade that starts on this chain:
// approvals where they are missing, then the one transaction that matters. The
// second result is what the network will take for all of it, in wei.
func (c *Chain) Steps(ctx context.Context, t trade.Trade) ([]relaywire.Step, *big.Int, error) {
	main := c.mainCall(t)
	approvals, err := c.approvals(ctx, t, main)
	if err != nil {
		return nil, nil, err
	}
	maximum, tip, err := c.feeCaps(ctx)
	if err != nil {
		return nil, nil, err
	}
	gas := main.gas
	var steps []relaywire.Step
	for _, approval := range approvals {
		gas += approval.gas
		item := c.item(t.User, approval, maximum, tip)
		steps = append(steps, relaywire.Step{
			ID: "approve", Action: "Confirm transaction in your wallet", Kind: "transaction", RequestID: t.ID.String(),
			Description: fmt.Sprintf("Sign an approval for %s", t.In.Symbol), Items: []relaywire.Item{item},
		})
	}
	id, description := stepWords(t)
	item := c.item(t.User, main, maximum, tip)
	item.Check = &relaywire.Check{Endpoint: "/intents/status/v3?requestId=" + t.ID.String(), Method: "GET"}
	steps = append(steps, relaywire.Step{
		ID: id, Action: "Confirm transaction in your wallet", Kind: "transaction", RequestID: t.ID.String(),
		Description: description, Items: []relaywire.Item{item},
	})
	fee, err := c.expectedFee(ctx, gas)
	return steps, fee, err
}

func stepWords(t trade.Trade) (id, description string) {
	switch t.Operation {
	case trade.Bridge:
		return "deposit", fmt.Sprintf("Depositing funds to the relayer to execute the swap for %s", t.Out.Symbol)
	case trade.Send:
		return "send", fmt.Sprintf("Sending %s to the recipient", t.In.Symbol)
	default:
		return "swap", fmt.Sprintf("Swapping %s for %s", t.In.Symbol, t.Out.Symbol)
	}
}

func (c *Chain) item(user string, do call, maximum, tip *big.Int) relaywire.Item {
	return relaywire.Item{Status: "incomplete", Data: relaywire.EVMTransaction{
		From: strings.ToLower(user), To: strings.ToLower(do.to.Hex()), Data: hexutil.Encode(do.data), Value: do.value.String(),
		ChainID: c.venueID, Gas: strconv.FormatUint(do.gas, 10),
		MaxFeePerGas: maximum.String(), MaxPriorityFeePerGas: tip.String(),
	}}
}

// mainCall is the transaction that carries the trade out.
func (c *Chain) mainCall(t trade.Trade) call {
	token, recipient := common.HexToAddress(t.In.Address), common.HexToAddress(t.Recipient)
	zero := new(big.Int)
	switch {
	case t.Operation == trade.Bridge && t.In.Native:
		return call{c.depository, pack("depositNative", common.HexToAddress(t.User), t.ID), t.AmountIn, gasDepositNative}
	case t.Operation == trade.Bridge:
		data := pack("depositErc20", common.HexToAddress(t.User), token, t.AmountIn, t.ID)
		return call{c.depository, data, zero, gasDepositToken}
	case t.Operation == trade.Wrap:
		return call{common.HexToAddress(t.Out.Address), pack("deposit"), t.AmountIn, gasWrap}
	case t.Operation == trade.Unwrap:
		return call{token, pack("withdraw", t.AmountIn), zero, gasWrap}
	case t.Operation == trade.Send && t.In.Native:
		return call{recipient, nil, t.AmountIn, gasPlainTransfer}
	case t.Operation == trade.Send:
		return call{token, pack("transfer", recipient, t.AmountIn), zero, gasTokenTransfer}
	default:
		return swapCall(t, recipient)
	}
}

func swapCall(t trade.Trade, recipient common.Address) call {
	path, deadline := addresses(t.Route.Tokens()), big.NewInt(t.Deadline)
	do := call{to: contracts.RouterAddress, value: new(big.Int), gas: gasSwapOneHop}
	if len(t.Route) > 1 {
		do.gas = gasSwapTwoHops
	}
	switch {
	case t.In.Native:
		do.value = t.AmountIn
		do.data = pack("swapExactETHForTokens", t.MinimumOut, path, recipient, deadline)
	case t.Out.Native:
		do.data = pack("swapExactTokensForETH", t.AmountIn, t.MinimumOut, path, recipient, deadline)
	default:
		do.data = pack("swapExactTokensForTokens", t.AmountIn, t.MinimumOut, path, recipient, deadline)
	}
	return do
}

// approvals are what must be approved before main works: nothing when the
// allowance is enough, exactly the amount when it is not, and first zero for a
// token that refuses to change an allowance.
func (c *Chain) approvals(ctx context.Context, t trade.Trade, main call) ([]call, error) {
	pullsToken := t.Operation == trade.Bridge || t.Operation == trade.Swap
	if t.In.Native || !pullsToken {
		return nil, nil
	}
	allowed, err := c.allowance(ctx, t.User, t.In.Address, main.to)
	if err != nil {
		return nil, err
	}
	if allowed.Cmp(t.AmountIn) >= 0 {
		return nil, nil
	}
	token := common.HexToAddress(t.In.Address)
	approve := func(amount *big.Int) call {
		return call{token, pack("approve", main.to, amount), new(big.Int), gasApprove}
	}
	if t.In.ResetAllowance && allowed.Sign() > 0 {
		return []call{approve(new(big.Int)), approve(t.AmountIn)}, nil
	}
	return []call{approve(t.AmountIn)}, nil
}
