package evm

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
)

// construct runs init code on an empty throw-away state and gives the account
// that results: the deployed code with its immutables filled in, and the
// storage that the constructor wrote. The account can then be placed at any
// address, because none of our constructors depends on its own.
func construct(creation []byte) (types.Account, error) {
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		return types.Account{}, fmt.Errorf("open scratch state: %w", err)
	}
	written := map[common.Hash]struct{}{}
	onOpcode := func(_ uint64, op byte, _, _ uint64, scope tracing.OpContext, _ []byte, _ int, _ error) {
		if vm.OpCode(op) == vm.SSTORE {
			stack := scope.StackData()
			written[stack[len(stack)-1].Bytes32()] = struct{}{}
		}
	}
	code, address, _, err := runtime.Create(creation, &runtime.Config{
		State:     db,
		EVMConfig: vm.Config{Tracer: &tracing.Hooks{OnOpcode: onOpcode}},
	})
	if err != nil {
		return types.Account{}, fmt.Errorf("run constructor: %w", err)
	}
	storage := map[common.Hash]common.Hash{}
	for slot := range written {
		if value := db.GetState(address, slot); value != (common.Hash{}) {
			storage[slot] = value
		}
	}
	return types.Account{Code: code, Storage: storage, Balance: new(big.Int), Nonce: 1}, nil
}

// shortString is a string of at most 31 bytes as Solidity keeps it in one slot.
func shortString(text string) (common.Hash, error) {
	if len(text) > 31 {
		return common.Hash{}, fmt.Errorf("%q is too long for one storage slot", text)
	}
	var slot common.Hash
	copy(slot[:], text)
	slot[31] = byte(2 * len(text))
	return slot, nil
}
