package pricing

import "math/big"

// Pool is one constant-product pool with the reserves that were read from its
// chain. Tokens are addresses as the catalog writes them.
type Pool struct {
	// ID is the pair contract or the pool's state account.
	ID                 string
	TokenA, TokenB     string
	ReserveA, ReserveB *big.Int // base units
	Formula            Formula
}

// Formula gives what a pool pays out for amountIn, in base units, rounded down
// as the pool itself rounds. It is positive or zero, never nil.
type Formula func(amountIn, reserveIn, reserveOut *big.Int) *big.Int

// UniswapV2 is the formula of UniswapV2Library.getAmountOut: a fee of 0.3 % on
// what comes in, one rounding at the end.
func UniswapV2(amountIn, reserveIn, reserveOut *big.Int) *big.Int {
	if reserveIn.Sign() <= 0 || reserveOut.Sign() <= 0 || amountIn.Sign() <= 0 {
		return new(big.Int)
	}
	withFee := new(big.Int).Mul(amountIn, big.NewInt(997))
	numerator := new(big.Int).Mul(withFee, reserveOut)
	denominator := new(big.Int).Mul(reserveIn, big.NewInt(1000))
	return numerator.Quo(numerator, denominator.Add(denominator, withFee))
}

// LocalSolana is the formula of the pool program of the local Solana network:
// the fee is taken off and rounded first, then the product rule is applied.
func LocalSolana(feeBps int64) Formula {
	return func(amountIn, reserveIn, reserveOut *big.Int) *big.Int {
		if reserveIn.Sign() <= 0 || reserveOut.Sign() <= 0 || amountIn.Sign() <= 0 {
			return new(big.Int)
		}
		net := new(big.Int).Mul(amountIn, big.NewInt(bpsUnit-feeBps))
		net.Quo(net, big.NewInt(bpsUnit))
		out := new(big.Int).Mul(reserveOut, net)
		return out.Quo(out, new(big.Int).Add(reserveIn, net))
	}
}

// Hop is one pool of a route in the direction in which it is used.
type Hop struct {
	Pool      Pool
	TokenIn   string
	TokenOut  string
	AmountIn  *big.Int
	AmountOut *big.Int
}

// Route is a way through one or two pools.
type Route []Hop

// Out is what the route's last pool pays, in base units.
func (r Route) Out() *big.Int { return r[len(r)-1].AmountOut }

// Tokens are the route's tokens in order: the path of a Uniswap router call.
func (r Route) Tokens() []string {
	path := []string{r[0].TokenIn}
	for _, hop := range r {
		path = append(path, hop.TokenOut)
	}
	return path
}

// exhausts says that more is paid in than a pool holds of it: such a trade
// would move the price by more than a factor of four.
func (r Route) exhausts() bool {
	for _, hop := range r {
		reserveIn, _, _ := hop.Pool.facing(hop.TokenIn)
		if hop.AmountIn.Cmp(reserveIn) > 0 {
			return true
		}
	}
	return false
}

// facing gives the reserves seen from the token that is paid in.
func (p Pool) facing(tokenIn string) (reserveIn, reserveOut *big.Int, tokenOut string) {
	switch tokenIn {
	case p.TokenA:
		return p.ReserveA, p.ReserveB, p.TokenB
	case p.TokenB:
		return p.ReserveB, p.ReserveA, p.TokenA
	}
	return nil, nil, ""
}

func (p Pool) hop(tokenIn string, amountIn *big.Int) (Hop, bool) {
	reserveIn, reserveOut, tokenOut := p.facing(tokenIn)
	if tokenOut == "" {
		return Hop{}, false
	}
	out := p.Formula(amountIn, reserveIn, reserveOut)
	return Hop{Pool: p, TokenIn: tokenIn, TokenOut: tokenOut, AmountIn: amountIn, AmountOut: out}, true
}

// BestRoute finds the way of at most two pools that pays most. It gives
// ErrNoRoute when no pools connect the tokens, and ErrLiquidity when they do but
// the amount is beyond what they can trade.
func BestRoute(pools []Pool, tokenIn, tokenOut string, amountIn *big.Int) (Route, error) {
	var best Route
	exhausted := false
	consider := func(route Route) {
		switch {
		case route.exhausts():
			exhausted = true
		case best == nil || route.Out().Cmp(best.Out()) > 0:
			best = route
		}
	}
	for i, first := range pools {
		one, ok := first.hop(tokenIn, amountIn)
		if !ok {
			continue
		}
		if one.TokenOut == tokenOut {
			consider(Route{one})
			continue
		}
		for j, second := range pools {
			if two, ok := second.hop(one.TokenOut, one.AmountOut); ok && i != j && two.TokenOut == tokenOut {
				consider(Route{one, two})
			}
		}
	}
	switch {
	case best != nil:
		return best, nil
	case exhausted:
		return nil, ErrLiquidity
	default:
		return nil, ErrNoRoute
	}
}
