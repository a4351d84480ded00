package evm

import (
	"bytes"
	"embed"
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

//go:embed abi/*.json
var abiFiles embed.FS

// The interfaces that we call or decode, and no others.
var (
	erc20      = mustABI("erc20")
	wrapped    = mustABI("wrapped")    // WETH9 and its like
	router     = mustABI("router")     // Uniswap v2
	depository = mustABI("depository") // Relay's
	multicall  = mustABI("multicall")  // Multicall3
	gasOracle  = mustABI("gasoracle")  // OP stack
)

// Addresses that are the same wherever the contract exists.
var (
	multicallAddress = common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")
	gasOracleAddress = common.HexToAddress("0x420000000000000000000000000000000000000F")
	// nodeTransferLog is the address under which eth_simulateV1 logs moves of the
	// native coin.
	nodeTransferLog = common.HexToAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")
)

func mustABI(name string) abi.ABI {
	raw, err := abiFiles.ReadFile("abi/" + name + ".json")
	if err != nil {
		panic(fmt.Sprintf("evm: %v", err))
	}
	parsed, err := abi.JSON(bytes.NewReader(raw))
	if err != nil {
		panic(fmt.Sprintf("evm: abi %s: %v", name, err))
	}
	return parsed
}

// pack encodes a call of ours; the arguments are typed by us, so a failure is a
// programming error.
func pack(contract abi.ABI, method string, args ...any) []byte {
	data, err := contract.Pack(method, args...)
	if err != nil {
		panic(fmt.Sprintf("evm: pack %s: %v", method, err))
	}
	return data
}

// unpackExact decodes a call's arguments and refuses bytes that are not exactly
// their canonical encoding: padding and odd offsets could hide something.
func unpackExact(contract abi.ABI, data []byte) (*abi.Method, []any, error) {
	if len(data) < 4 {
		return nil, nil, fmt.Errorf("%d bytes are no contract call", len(data))
	}
	method, err := contract.MethodById(data[:4])
	if err != nil {
		return nil, nil, err
	}
	args, err := method.Inputs.Unpack(data[4:])
	if err != nil {
		return nil, nil, fmt.Errorf("decode %s: %w", method.Name, err)
	}
	again, err := method.Inputs.Pack(args...)
	if err != nil || !bytes.Equal(again, data[4:]) {
		return nil, nil, fmt.Errorf("%s is not canonically encoded", method.Name)
	}
	return method, args, nil
}
