package evm

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// Describe decodes an unsigned EVM transaction. It asks no node. The sender is
// not part of the bytes, so Description.From stays empty; CheckSigned proves it.
// Which contracts may be called is for the caller to judge by Effect.Contract.
func (a *Adapter) Describe(_ context.Context, unsigned []byte) (chain.Description, error) {
	d, err := decodeDraft(unsigned)
	if err != nil {
		return chain.Description{}, unsafe(err)
	}
	if d.chainID.Cmp(big.NewInt(a.chain.ID)) != 0 {
		return chain.Description{}, unsafe(fmt.Errorf("the transaction is for chain %s, not %d", d.chainID, a.chain.ID))
	}
	if d.to == nil {
		return chain.Description{}, unsafe(fmt.Errorf("the transaction creates a contract"))
	}
	effect, err := a.effect(*d.to, d.value, d.data)
	if err != nil {
		return chain.Description{}, unsafe(err)
	}
	return chain.Description{ChainID: a.chain.ID, MaximumFee: d.maximumFee(), Effects: []chain.Effect{effect}}, nil
}

func unsafe(cause error) error {
	return fault.Wrap(fault.UnsafeTransaction, messageMissingData, cause)
}

// shape turns the decoded arguments of one contract method into its effect.
type shape struct {
	contract abi.ABI
	payable  bool
	read     func(a *Adapter, to common.Address, value *big.Int, args []any) (chain.Effect, error)
}

// shapes are the contract calls that we sign, by selector.
var shapes = map[[4]byte]shape{
	selector(erc20, "transfer"):                  {erc20, false, tokenTransfer},
	selector(erc20, "approve"):                   {erc20, false, tokenApprove},
	selector(wrapped, "deposit"):                 {wrapped, true, wrap},
	selector(wrapped, "withdraw"):                {wrapped, false, unwrap},
	selector(router, "swapExactETHForTokens"):    {router, true, swapFromNative},
	selector(router, "swapExactTokensForETH"):    {router, false, swapToNative},
	selector(router, "swapExactTokensForTokens"): {router, false, swapTokens},
	selector(depository, "depositNative"):        {depository, true, depositNative},
	selector(depository, "depositErc20"):         {depository, false, depositToken},
}

func selector(contract abi.ABI, method string) [4]byte {
	return [4]byte(contract.Methods[method].ID)
}

func (a *Adapter) effect(to common.Address, value *big.Int, data []byte) (chain.Effect, error) {
	if len(data) == 0 {
		return chain.Effect{Kind: chain.EffectTransfer, Asset: a.chain.TokenAddress, Amount: value, Recipient: to.Hex()}, nil
	}
	if len(data) < 4 {
		return chain.Effect{}, fmt.Errorf("%d bytes of data are no contract call", len(data))
	}
	s, known := shapes[[4]byte(data[:4])]
	if !known {
		return chain.Effect{}, fmt.Errorf("it calls an unknown method %s of %s", hexutil.Encode(data[:4]), to)
	}
	method, args, err := unpackExact(s.contract, data)
	if err != nil {
		return chain.Effect{}, err
	}
	if !s.payable && value.Sign() != 0 {
		return chain.Effect{}, fmt.Errorf("%s would take %s wei along", method.Name, value)
	}
	return s.read(a, to, value, args)
}

func tokenTransfer(_ *Adapter, to common.Address, _ *big.Int, args []any) (chain.Effect, error) {
	return chain.Effect{
		Kind: chain.EffectTransfer, Asset: to.Hex(), Contract: to.Hex(),
		Recipient: args[0].(common.Address).Hex(), Amount: args[1].(*big.Int),
	}, nil
}

func tokenApprove(_ *Adapter, to common.Address, _ *big.Int, args []any) (chain.Effect, error) {
	return chain.Effect{
		Kind: chain.EffectApprove, Asset: to.Hex(), Contract: to.Hex(),
		Spender: args[0].(common.Address).Hex(), Amount: args[1].(*big.Int),
	}, nil
}

func wrap(a *Adapter, to common.Address, value *big.Int, _ []any) (chain.Effect, error) {
	if to != a.wrappedToken() {
		return chain.Effect{}, fmt.Errorf("%s is not the chain's wrapped coin", to)
	}
	return chain.Effect{
		Kind: chain.EffectWrap, Contract: to.Hex(), Asset: a.chain.TokenAddress, Amount: value,
		AssetOut: to.Hex(), MinimumOut: value,
	}, nil
}

func unwrap(a *Adapter, to common.Address, _ *big.Int, args []any) (chain.Effect, error) {
	if to != a.wrappedToken() {
		return chain.Effect{}, fmt.Errorf("%s is not the chain's wrapped coin", to)
	}
	amount := args[0].(*big.Int)
	return chain.Effect{
		Kind: chain.EffectUnwrap, Contract: to.Hex(), Asset: to.Hex(), Amount: amount,
		AssetOut: a.chain.TokenAddress, MinimumOut: amount,
	}, nil
}

func swapFromNative(a *Adapter, to common.Address, value *big.Int, args []any) (chain.Effect, error) {
	path := args[1].([]common.Address)
	if len(path) < 2 || path[0] != a.wrappedToken() {
		return chain.Effect{}, fmt.Errorf("the swap's path %v does not start at the wrapped coin", path)
	}
	return swapEffect(to, a.chain.TokenAddress, path[len(path)-1].Hex(), value, args[0], args[2], args[3])
}

func swapToNative(a *Adapter, to common.Address, _ *big.Int, args []any) (chain.Effect, error) {
	path := args[2].([]common.Address)
	if len(path) < 2 || path[len(path)-1] != a.wrappedToken() {
		return chain.Effect{}, fmt.Errorf("the swap's path %v does not end at the wrapped coin", path)
	}
	return swapEffect(to, path[0].Hex(), a.chain.TokenAddress, args[0].(*big.Int), args[1], args[3], args[4])
}

func swapTokens(_ *Adapter, to common.Address, _ *big.Int, args []any) (chain.Effect, error) {
	path := args[2].([]common.Address)
	if len(path) < 2 {
		return chain.Effect{}, fmt.Errorf("the swap's path %v is too short", path)
	}
	return swapEffect(to, path[0].Hex(), path[len(path)-1].Hex(), args[0].(*big.Int), args[1], args[3], args[4])
}

func swapEffect(contract common.Address, in, out string, amount *big.Int, minimum, recipient, deadline any) (chain.Effect, error) {
	ends := deadline.(*big.Int)
	if !ends.IsInt64() {
		return chain.Effect{}, fmt.Errorf("the swap's deadline %s never comes", ends)
	}
	return chain.Effect{
		Kind: chain.EffectSwap, Contract: contract.Hex(), Asset: in, Amount: amount, AssetOut: out,
		MinimumOut: minimum.(*big.Int), Recipient: recipient.(common.Address).Hex(), Deadline: ends.Int64(),
	}, nil
}

func depositNative(a *Adapter, to common.Address, value *big.Int, args []any) (chain.Effect, error) {
	return depositEffect(to, a.chain.TokenAddress, value, args[0], args[1]), nil
}

func depositToken(_ *Adapter, to common.Address, _ *big.Int, args []any) (chain.Effect, error) {
	return depositEffect(to, args[1].(common.Address).Hex(), args[2].(*big.Int), args[0], args[3]), nil
}

func depositEffect(contract common.Address, asset string, amount *big.Int, depositor, id any) chain.Effect {
	request := id.([32]byte)
	return chain.Effect{
		Kind: chain.EffectDeposit, Contract: contract.Hex(), Recipient: contract.Hex(), Asset: asset, Amount: amount,
		Depositor: depositor.(common.Address).Hex(), RequestID: hexutil.Encode(request[:]),
	}
}

func (a *Adapter) wrappedToken() common.Address {
	return common.HexToAddress(a.chain.WrappedToken.Address)
}
