package evm

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/localnet/contracts"
)

// poolDepthUSD is what lies on each side of a new pool, in whole US dollars.
const poolDepthUSD = 25_000_000

// seedGas is enough for the dearest seeding transaction, which also deploys a pair.
const seedGas = 4_000_000

// Prices gives US dollars per whole coin, by symbol.
type Prices map[string]*big.Rat

// SeedPools makes sure that every chain has its two pools, wrapped/USDC and
// USDC/USDT, with liquidity at the given prices. What exists is left alone, so
// it may be called at every start and after a crash at any point. The
// provider's account pays and owns the liquidity.
func (n *Network) SeedPools(ctx context.Context, set *contracts.Set, provider *ecdsa.PrivateKey, prices Prices) error {
	failures := make([]error, len(n.chains))
	var seeding sync.WaitGroup
	for i, c := range n.chains {
		seeding.Go(func() {
			s := seeder{chain: c, set: set, provider: provider}
			if err := s.run(ctx, prices); err != nil {
				failures[i] = fmt.Errorf("seed pools of %s: %w", c.spec.Name, err)
			}
		})
	}
	seeding.Wait()
	return errors.Join(failures...)
}

// seeder fills the pools of one chain.
type seeder struct {
	chain    *chain
	set      *contracts.Set
	provider *ecdsa.PrivateKey
	sender   *Sender
}

func (s *seeder) run(ctx context.Context, prices Prices) error {
	price, ok := prices[s.chain.spec.NativeSymbol]
	if !ok || price.Sign() <= 0 {
		return fmt.Errorf("no price for %s", s.chain.spec.NativeSymbol)
	}
	s.sender = NewSender(s.chain.client, s.chain.spec.ChainID, s.provider)
	spec := s.chain.spec
	wrappedEmpty, err := s.poolIsEmpty(ctx, spec.Wrapped.Address, spec.USDC.Address)
	if err != nil {
		return err
	}
	stableEmpty, err := s.poolIsEmpty(ctx, spec.USDC.Address, spec.USDT.Address)
	if err != nil {
		return err
	}
	calls, err := s.missingCalls(ctx, price, wrappedEmpty, stableEmpty)
	if err != nil {
		return err
	}
	return s.sendAll(ctx, calls)
}

// call is one contract call still to be made.
type call struct {
	to    common.Address
	value *big.Int
	data  []byte
}

// missingCalls are the approvals and deposits that the two pools still need.
func (s *seeder) missingCalls(ctx context.Context, price *big.Rat, wrapped, stable bool) ([]call, error) {
	spec := s.chain.spec
	usdc, usdt := BaseUnits(poolDepthUSD, spec.USDC.Decimals), BaseUnits(poolDepthUSD, spec.USDT.Decimals)
	deadline := big.NewInt(time.Now().Add(time.Hour).Unix())
	to, zero := s.sender.Address(), new(big.Int)

	var calls []call
	add := func(target common.Address, value *big.Int, a abi.ABI, method string, args ...any) error {
		data, err := a.Pack(method, args...)
		if err != nil {
			return fmt.Errorf("encode %s: %w", method, err)
		}
		calls = append(calls, call{target, value, data})
		return nil
	}
	approve := func(token Token, amount *big.Int) error {
		allowed, err := s.allowance(ctx, token.Address)
		if err != nil || allowed.Cmp(amount) >= 0 {
			return err
		}
		return add(token.Address, zero, s.set.Token.ABI, "approve", contracts.RouterAddress, amount)
	}
	if wrapped || stable {
		if err := approve(spec.USDC, new(big.Int).Mul(usdc, big.NewInt(2))); err != nil {
			return nil, err
		}
	}
	if wrapped {
		coins := coinsWorth(poolDepthUSD, price)
		if err := add(contracts.RouterAddress, coins, s.set.Router.ABI, "addLiquidityETH",
			spec.USDC.Address, usdc, zero, zero, to, deadline); err != nil {
			return nil, err
		}
	}
	if stable {
		if err := approve(spec.USDT, usdt); err != nil {
			return nil, err
		}
		if err := add(contracts.RouterAddress, zero, s.set.Router.ABI, "addLiquidity",
			spec.USDC.Address, spec.USDT.Address, usdc, usdt, zero, zero, to, deadline); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

// sendAll sends the calls at once, in order, and waits until all are mined.
func (s *seeder) sendAll(ctx context.Context, calls []call) error {
	sent := make([]*types.Transaction, 0, len(calls))
	for _, c := range calls {
		tx, err := s.sender.Send(ctx, c.to, c.value, c.data, seedGas)
		if err != nil {
			return err
		}
		sent = append(sent, tx)
	}
	for _, tx := range sent {
		if err := s.sender.Await(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// coinsWorth is the wei that cost so many whole dollars.
func coinsWorth(dollars int64, price *big.Rat) *big.Int {
	wei := new(big.Rat).SetInt(BaseUnits(dollars, nativeDecimals))
	wei.Quo(wei, price)
	return new(big.Int).Quo(wei.Num(), wei.Denom())
}

func (s *seeder) poolIsEmpty(ctx context.Context, a, b common.Address) (bool, error) {
	supply, err := callForInt(ctx, s.chain.client, PairAddress(a, b, s.set), s.set.Pair.ABI, "totalSupply")
	if errors.Is(err, errNoCode) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return supply.Sign() == 0, nil
}

func (s *seeder) allowance(ctx context.Context, token common.Address) (*big.Int, error) {
	return callForInt(ctx, s.chain.client, token, s.set.Token.ABI, "allowance", s.sender.Address(), contracts.RouterAddress)
}

// PairAddress is where the factory puts the pool of two tokens, in any order.
func PairAddress(a, b common.Address, set *contracts.Set) common.Address {
	if a.Cmp(b) > 0 {
		a, b = b, a
	}
	salt := crypto.Keccak256Hash(a.Bytes(), b.Bytes())
	return crypto.CreateAddress2(contracts.FactoryAddress, salt, crypto.Keccak256(set.Pair.Creation))
}
