// Package evmchain is the venue's hand on one EVM chain: it reads pools and
// balances, writes the transactions that users sign, watches the depository and
// pays from the solver's account. It must not decide what to pay, and it never
// prints the solver's key.
//
// Layer: part of the local network's venue.
package evmchain

import (
	"context"
	"crypto/ecdsa"
	"fmt"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/trade"
)

// Chain is one EVM chain as the venue sees it.
type Chain struct {
	facts      catalog.Chain
	venueID    int64
	client     *ethclient.Client
	key        *ecdsa.PrivateKey
	solver     common.Address
	depository common.Address

	latest trade.Signed // the solver's; used by its one goroutine of this chain

	mutex sync.Mutex
	pairs map[[2]string]common.Address // pair contracts found so far
}

// New connects to the node at rpcURL. The solver's key also is the depository's
// allocator, who may take deposits out for refunds.
func New(facts catalog.Chain, venueID int64, rpcURL string, depository common.Address, key *ecdsa.PrivateKey) (*Chain, error) {
	client, err := ethclient.Dial(rpcURL)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", facts.Name, err)
	}
	return &Chain{
		facts: facts, venueID: venueID, client: client, key: key,
		solver: crypto.PubkeyToAddress(key.PublicKey), depository: depository,
		pairs: map[[2]string]common.Address{},
	}, nil
}

// Close ends the connection.
func (c *Chain) Close() { c.client.Close() }

// Solver is the address that pays.
func (c *Chain) Solver() string { return c.solver.Hex() }

// ParseAddress gives the canonical form of an address; false when the text is
// none. A mixed-case address must have the right EIP-55 checksum.
func (c *Chain) ParseAddress(text string) (string, bool) {
	if len(text) != 42 || text[:2] != "0x" || !common.IsHexAddress(text) {
		return "", false
	}
	canonical := common.HexToAddress(text).Hex()
	digits := text[2:]
	if hasUpper(digits) && hasLower(digits) && canonical != text {
		return "", false
	}
	return canonical, true
}

func hasUpper(s string) bool { return containsBetween(s, 'A', 'F') }
func hasLower(s string) bool { return containsBetween(s, 'a', 'f') }

func containsBetween(s string, low, high byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= low && s[i] <= high {
			return true
		}
	}
	return false
}

// Balance reads the owner's balance of an asset in base units.
func (c *Chain) Balance(ctx context.Context, owner string, asset catalog.Asset) (*big.Int, error) {
	if asset.Native {
		balance, err := c.client.BalanceAt(ctx, common.HexToAddress(owner), nil)
		if err != nil {
			return nil, fmt.Errorf("read balance on %s: %w", c.facts.Name, err)
		}
		return balance, nil
	}
	return c.readAmount(ctx, asset.Address, "balanceOf", common.HexToAddress(owner))
}

func (c *Chain) allowance(ctx context.Context, owner, token string, spender common.Address) (*big.Int, error) {
	return c.readAmount(ctx, token, "allowance", common.HexToAddress(owner), spender)
}

func (c *Chain) readAmount(ctx context.Context, contract, method string, args ...any) (*big.Int, error) {
	values, err := c.read(ctx, common.HexToAddress(contract), method, args...)
	if err != nil {
		return nil, err
	}
	return values[0].(*big.Int), nil
}

func (c *Chain) read(ctx context.Context, contract common.Address, method string, args ...any) ([]any, error) {
	raw, err := c.client.CallContract(ctx, ethereum.CallMsg{To: &contract, Data: pack(method, args...)}, nil)
	if err != nil {
		return nil, fmt.Errorf("read %s on %s: %w", method, c.facts.Name, err)
	}
	values, err := contractInterface.Unpack(method, raw)
	if err != nil {
		return nil, fmt.Errorf("decode %s on %s: %w", method, c.facts.Name, err)
	}
	return values, nil
}

// Pools reads the reserves of every pool between the catalog's tokens, now.
func (c *Chain) Pools(ctx context.Context) ([]pricing.Pool, error) {
	tokens := catalog.TokensOn(c.facts.ID)
	var pools []pricing.Pool
	for i, a := range tokens {
		for _, b := range tokens[i+1:] {
			pool, found, err := c.pool(ctx, a.Address, b.Address)
			if err != nil {
				return nil, err
			}
			if found {
				pools = append(pools, pool)
			}
		}
	}
	return pools, nil
}

func (c *Chain) pool(ctx context.Context, a, b string) (pricing.Pool, bool, error) {
	pair, err := c.pair(ctx, a, b)
	if err != nil || pair == (common.Address{}) {
		return pricing.Pool{}, false, err
	}
	values, err := c.read(ctx, pair, "getReserves")
	if err != nil {
		return pricing.Pool{}, false, err
	}
	reserveA, reserveB := values[0].(*big.Int), values[1].(*big.Int)
	// A pair orders its tokens by address.
	if common.HexToAddress(a).Cmp(common.HexToAddress(b)) > 0 {
		reserveA, reserveB = reserveB, reserveA
	}
	return pricing.Pool{
		ID: pair.Hex(), TokenA: a, TokenB: b, ReserveA: reserveA, ReserveB: reserveB, Formula: pricing.UniswapV2,
	}, true, nil
}

// pair asks the factory; an answer is kept for ever, since a pair is never moved.
func (c *Chain) pair(ctx context.Context, a, b string) (common.Address, error) {
	c.mutex.Lock()
	known, ok := c.pairs[[2]string{a, b}]
	c.mutex.Unlock()
	if ok {
		return known, nil
	}
	values, err := c.read(ctx, contracts.FactoryAddress, "getPair", common.HexToAddress(a), common.HexToAddress(b))
	if err != nil {
		return common.Address{}, err
	}
	pair := values[0].(common.Address)
	if pair != (common.Address{}) {
		c.mutex.Lock()
		c.pairs[[2]string{a, b}] = pair
		c.mutex.Unlock()
	}
	return pair, nil
}

// feeCaps are the fees per gas that the next blocks will surely take: twice the
// base fee, and the tip that the node suggests.
func (c *Chain) feeCaps(ctx context.Context) (maximum, tip *big.Int, err error) {
	head, err := c.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("read head of %s: %w", c.facts.Name, err)
	}
	tip, err = c.client.SuggestGasTipCap(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read fees of %s: %w", c.facts.Name, err)
	}
	maximum = new(big.Int).Mul(head.BaseFee, big.NewInt(2))
	return maximum.Add(maximum, tip), tip, nil
}

// expectedFee is what gas costs now, in wei.
func (c *Chain) expectedFee(ctx context.Context, gas uint64) (*big.Int, error) {
	price, err := c.client.SuggestGasPrice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read gas price of %s: %w", c.facts.Name, err)
	}
	return price.Mul(price, new(big.Int).SetUint64(gas)), nil
}
