package evmchain

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// contractInterface is every function and event that the venue calls or reads:
// ERC-20, WETH9, Uniswap v2 and the depository. Names do not clash, so one
// interface serves all.
var contractInterface = mustParse(`[
{"type":"function","name":"approve","stateMutability":"nonpayable","inputs":[{"name":"spender","type":"address"},{"name":"amount","type":"uint256"}],"outputs":[]},
{"type":"function","name":"transfer","stateMutability":"nonpayable","inputs":[{"name":"to","type":"address"},{"name":"amount","type":"uint256"}],"outputs":[]},
{"type":"function","name":"allowance","stateMutability":"view","inputs":[{"name":"owner","type":"address"},{"name":"spender","type":"address"}],"outputs":[{"name":"","type":"uint256"}]},
{"type":"function","name":"balanceOf","stateMutability":"view","inputs":[{"name":"owner","type":"address"}],"outputs":[{"name":"","type":"uint256"}]},
{"type":"function","name":"deposit","stateMutability":"payable","inputs":[],"outputs":[]},
{"type":"function","name":"withdraw","stateMutability":"nonpayable","inputs":[{"name":"amount","type":"uint256"}],"outputs":[]},
{"type":"function","name":"getPair","stateMutability":"view","inputs":[{"name":"a","type":"address"},{"name":"b","type":"address"}],"outputs":[{"name":"","type":"address"}]},
{"type":"function","name":"getReserves","stateMutability":"view","inputs":[],"outputs":[{"name":"reserve0","type":"uint112"},{"name":"reserve1","type":"uint112"},{"name":"timestamp","type":"uint32"}]},
{"type":"function","name":"swapExactETHForTokens","stateMutability":"payable","inputs":[{"name":"amountOutMin","type":"uint256"},{"name":"path","type":"address[]"},{"name":"to","type":"address"},{"name":"deadline","type":"uint256"}],"outputs":[]},
{"type":"function","name":"swapExactTokensForETH","stateMutability":"nonpayable","inputs":[{"name":"amountIn","type":"uint256"},{"name":"amountOutMin","type":"uint256"},{"name":"path","type":"address[]"},{"name":"to","type":"address"},{"name":"deadline","type":"uint256"}],"outputs":[]},
{"type":"function","name":"swapExactTokensForTokens","stateMutability":"nonpayable","inputs":[{"name":"amountIn","type":"uint256"},{"name":"amountOutMin","type":"uint256"},{"name":"path","type":"address[]"},{"name":"to","type":"address"},{"name":"deadline","type":"uint256"}],"outputs":[]},
{"type":"function","name":"depositNative","stateMutability":"payable","inputs":[{"name":"depositor","type":"address"},{"name":"id","type":"bytes32"}],"outputs":[]},
{"type":"function","name":"depositErc20","stateMutability":"nonpayable","inputs":[{"name":"depositor","type":"address"},{"name":"token","type":"address"},{"name":"amount","type":"uint256"},{"name":"id","type":"bytes32"}],"outputs":[]},
{"type":"function","name":"withdrawNative","stateMutability":"nonpayable","inputs":[{"name":"to","type":"address"},{"name":"amount","type":"uint256"},{"name":"id","type":"bytes32"}],"outputs":[]},
{"type":"function","name":"withdrawErc20","stateMutability":"nonpayable","inputs":[{"name":"token","type":"address"},{"name":"to","type":"address"},{"name":"amount","type":"uint256"},{"name":"id","type":"bytes32"}],"outputs":[]},
{"type":"event","name":"RelayNativeDeposit","inputs":[{"name":"from","type":"address"},{"name":"amount","type":"uint256"},{"name":"id","type":"bytes32"}]},
{"type":"event","name":"RelayErc20Deposit","inputs":[{"name":"from","type":"address"},{"name":"token","type":"address"},{"name":"amount","type":"uint256"},{"name":"id","type":"bytes32"}]}
]`)

func mustParse(text string) abi.ABI {
	parsed, err := abi.JSON(strings.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("evmchain: contract interface: %v", err))
	}
	return parsed
}

// pack encodes a call. The arguments are the venue's own and of fixed types, so
// a failure is a programming error.
func pack(method string, args ...any) []byte {
	data, err := contractInterface.Pack(method, args...)
	if err != nil {
		panic(fmt.Sprintf("evmchain: encode %s: %v", method, err))
	}
	return data
}

// call is one contract call with the gas it usually takes.
type call struct {
	to    common.Address
	data  []byte
	value *big.Int
	gas   uint64
}

// Gas limits with room above what the contracts use.
const (
	gasPlainTransfer = 21_000
	gasTokenTransfer = 80_000
	gasApprove       = 70_000
	gasWrap          = 60_000
	gasSwapOneHop    = 180_000
	gasSwapTwoHops   = 260_000
	gasDepositNative = 60_000
	gasDepositToken  = 110_000
	gasWithdrawal    = 120_000
)

func addresses(texts []string) []common.Address {
	list := make([]common.Address, len(texts))
	for i, text := range texts {
		list[i] = common.HexToAddress(text)
	}
	return list
}
