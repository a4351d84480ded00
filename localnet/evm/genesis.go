package evm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"tenfold/localnet/contracts"
)

const blockGasLimit = 60_000_000

// WETH9 keeps its name and symbol in its first two storage slots.
var (
	wrappedNameSlot   = common.BigToHash(big.NewInt(0))
	wrappedSymbolSlot = common.BigToHash(big.NewInt(1))
)

// loadOrBuildGenesis gives the chain's first block. It is built once and kept
// beside the chain: a chain must start from the same block for ever, also when
// a later program has other contracts.
func loadOrBuildGenesis(path string, build func() (*core.Genesis, error)) (*core.Genesis, error) {
	raw, err := os.ReadFile(path)
	if err == nil {
		var kept core.Genesis
		if err := json.Unmarshal(raw, &kept); err != nil {
			return nil, fmt.Errorf("decode %s: %w", path, err)
		}
		return &kept, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read genesis: %w", err)
	}
	genesis, err := build()
	if err != nil {
		return nil, err
	}
	if raw, err = json.Marshal(genesis); err != nil {
		return nil, fmt.Errorf("encode genesis: %w", err)
	}
	if err := WriteWhole(path, raw); err != nil {
		return nil, fmt.Errorf("keep genesis: %w", err)
	}
	return genesis, nil
}

// WriteWhole replaces a file such that a reader, also after a crash, finds the
// old content or the new, never a part.
func WriteWhole(path string, content []byte) error {
	partial, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(partial.Name())
	_, err = partial.Write(content)
	if err = errors.Join(err, partial.Sync(), partial.Close()); err != nil {
		return err
	}
	return os.Rename(partial.Name(), path)
}

// chainConfig has every fork that the real chains have; not the future Bogota,
// whose other gas prices would make every estimate look wrong.
func chainConfig(chainID int64) *params.ChainConfig {
	config := *params.AllDevChainProtocolChanges
	config.ChainID = big.NewInt(chainID)
	config.BogotaTime = nil
	return &config
}

func buildGenesis(spec Spec, set *contracts.Set, holders []Holder, allocator common.Address) (*core.Genesis, error) {
	genesis := core.DeveloperGenesisBlock(blockGasLimit, nil)
	genesis.Config = chainConfig(spec.ChainID)
	for _, h := range holders {
		genesis.Alloc[h.Address] = types.Account{Balance: BaseUnits(h.Coins, nativeDecimals)}
	}
	deployed, err := deployedContracts(spec, set, holders, allocator)
	if err != nil {
		return nil, err
	}
	for address, account := range deployed {
		genesis.Alloc[address] = account
	}
	return genesis, nil
}

// deployedContracts are the accounts with code of a chain's first block.
func deployedContracts(spec Spec, set *contracts.Set, holders []Holder, allocator common.Address) (types.GenesisAlloc, error) {
	alloc := types.GenesisAlloc{
		contracts.Permit2Address: {Code: set.Permit2Runtime, Balance: new(big.Int), Nonce: 1},
	}
	multicall, err := construct(set.Multicall3Creation)
	if err != nil {
		return nil, fmt.Errorf("Multicall3: %w", err)
	}
	alloc[contracts.Multicall3Address] = multicall

	wrapped, err := wrappedAccount(set, spec.Wrapped)
	if err != nil {
		return nil, err
	}
	alloc[spec.Wrapped.Address] = wrapped

	for _, token := range []Token{spec.USDC, spec.USDT} {
		if alloc[token.Address], err = tokenAccount(set, token, holders); err != nil {
			return nil, err
		}
	}
	for _, c := range []struct {
		address  common.Address
		contract contracts.Contract
		args     []any
	}{
		// Nobody may switch the protocol fee on: the setter is the zero address.
		{contracts.FactoryAddress, set.Factory, []any{common.Address{}}},
		{contracts.RouterAddress, set.Router, []any{contracts.FactoryAddress, spec.Wrapped.Address}},
		{contracts.DepositoryAddress, set.Depository, []any{allocator}},
	} {
		if alloc[c.address], err = constructWith(c.contract, c.args...); err != nil {
			return nil, fmt.Errorf("contract at %s: %w", c.address, err)
		}
	}
	return alloc, nil
}

func constructWith(contract contracts.Contract, args ...any) (types.Account, error) {
	creation, err := contract.CreationWith(args...)
	if err != nil {
		return types.Account{}, err
	}
	return construct(creation)
}

// wrappedAccount is WETH9 under the chain's own name for it.
func wrappedAccount(set *contracts.Set, token Token) (types.Account, error) {
	account, err := construct(set.Wrapped.Creation)
	if err != nil {
		return types.Account{}, fmt.Errorf("%s: %w", token.Symbol, err)
	}
	name, nameErr := shortString(token.Name)
	symbol, symbolErr := shortString(token.Symbol)
	account.Storage[wrappedNameSlot], account.Storage[wrappedSymbolSlot] = name, symbol
	return account, errors.Join(nameErr, symbolErr)
}

func tokenAccount(set *contracts.Set, token Token, holders []Holder) (types.Account, error) {
	contract := set.Token
	if token.ResetAllowance {
		contract = set.Tether
	}
	owners := make([]common.Address, len(holders))
	amounts := make([]*big.Int, len(holders))
	for i, h := range holders {
		owners[i], amounts[i] = h.Address, BaseUnits(h.Stables, token.Decimals)
	}
	account, err := constructWith(contract, token.Name, token.Symbol, uint8(token.Decimals), owners, amounts)
	if err != nil {
		return types.Account{}, fmt.Errorf("%s: %w", token.Symbol, err)
	}
	return account, nil
}
