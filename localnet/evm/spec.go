package evm

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Spec says which chain a node stands for.
type Spec struct {
	ChainID int64
	Name    string // for messages
	// NativeSymbol is the price symbol of the native coin, such as ETH or POL.
	NativeSymbol string
	// Confirmations is how many blocks, the including one counted, clients wait
	// for. A chain that seals on demand must go on for as long after its last
	// transaction, or nobody would ever see it settled.
	Confirmations uint64

	Wrapped, USDC, USDT Token
}

// Token is a token that exists from the first block on.
type Token struct {
	Address  common.Address
	Name     string
	Symbol   string
	Decimals int
	// ResetAllowance: the token behaves as Ethereum's USDT does.
	ResetAllowance bool
}

// Holder owns native coin and stablecoins from the first block on. Both are
// whole units, not base units.
type Holder struct {
	Address common.Address
	Coins   int64
	Stables int64 // of USDC and of USDT, each
}

// BaseUnits is a whole number of units in base units of the given decimals.
func BaseUnits(whole int64, decimals int) *big.Int {
	return new(big.Int).Mul(big.NewInt(whole), pow10(decimals))
}

func pow10(decimals int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
}

// nativeDecimals is the same on every EVM chain.
const nativeDecimals = 18

const gwei = 1_000_000_000

// tipFloor is the lowest priority fee (wei per gas) that the chain's blocks
// take, and what eth_maxPriorityFeePerGas answers on a quiet chain. The figures
// are of the order that each real chain asks; Polygon really enforces its own.
func tipFloor(chainID int64) uint64 {
	switch chainID {
	case 8453: // Base
		return gwei / 1000
	case 42161: // Arbitrum
		return gwei / 100
	case 56, 999: // BSC, HyperEVM
		return gwei / 10
	case 137: // Polygon
		return 30 * gwei
	default:
		return gwei
	}
}
