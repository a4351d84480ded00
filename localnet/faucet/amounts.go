package faucet

import "math/big"

// startingUSDC is how many whole USDC an account has on each chain afterwards.
const startingUSDC = 5000

// startingCoins is how many whole native coins an account has afterwards, by
// the coin's symbol.
var startingCoins = map[string]int64{
	"ETH": 5, "BNB": 10, "BERA": 500, "S": 5000, "AVAX": 100, "POL": 5000, "HYPE": 100, "SOL": 50,
}

// coinsOf is the whole native coins that the faucet tops an account up
// to; false for a coin that it does not know.
func coinsOf(symbol string) (int64, bool) {
	coins, ok := startingCoins[symbol]
	return coins, ok
}

// missing is what a balance lacks to the wanted amount, all in base units; zero
// when it lacks nothing.
func missing(balance, wanted *big.Int) *big.Int {
	if balance.Cmp(wanted) >= 0 {
		return new(big.Int)
	}
	return new(big.Int).Sub(wanted, balance)
}
