package pricing

import "math/big"

// The venue's fee table, in basis points of the value that moves. The rows are
// Relay's published ones.
const (
	sameAssetBps   = 0
	stablePairBps  = 1
	majorPairBps   = 6
	anyOtherBps    = 15
	flatExecution  = "0.02" // dollars for carrying out one order across chains, network fees not counted
	minimumDollars = "0.05" // smallest same-chain swap
)

var (
	stables = map[string]bool{"USDC": true, "USDT": true}
	majors  = map[string]bool{"ETH": true, "BNB": true, "SOL": true}
)

// ServiceBps is the venue's own fee for going from one price symbol to another.
func ServiceBps(from, to string) int64 {
	known := func(symbol string) bool { return stables[symbol] || majors[symbol] }
	switch {
	case from == to:
		return sameAssetBps
	case stables[from] && stables[to]:
		return stablePairBps
	case known(from) && known(to):
		return majorPairBps
	default:
		return anyOtherBps
	}
}

// MinimumValue is the smallest same-chain swap in US dollars.
func MinimumValue() *big.Rat { return rat(minimumDollars) }

// Charge is what a cross-chain order pays, in US dollars.
type Charge struct {
	Execution *big.Rat // flat fee, destination network fee and rent
	Service   *big.Rat // the venue's share
}

// ChargeFor splits what moving value costs, given what the destination's
// network takes.
func ChargeFor(value, network *big.Rat, bps int64) Charge {
	service := new(big.Rat).Mul(value, big.NewRat(bps, bpsUnit))
	return Charge{Execution: new(big.Rat).Add(rat(flatExecution), network), Service: service}
}

// Total is both parts together.
func (c Charge) Total() *big.Rat { return new(big.Rat).Add(c.Execution, c.Service) }

// After is what is left of value, or ErrFeesExceedValue when nothing is.
func (c Charge) After(value *big.Rat) (*big.Rat, error) {
	left := new(big.Rat).Sub(value, c.Total())
	if left.Sign() <= 0 {
		return nil, ErrFeesExceedValue
	}
	return left, nil
}

// Minimum is amount less a slippage tolerance, rounded down.
func Minimum(amount *big.Int, slippageBps int64) *big.Int {
	kept := new(big.Int).Mul(amount, big.NewInt(bpsUnit-slippageBps))
	return kept.Quo(kept, big.NewInt(bpsUnit))
}

func rat(text string) *big.Rat {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("pricing: bad constant " + text)
	}
	return value
}
