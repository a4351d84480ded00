// Package contracts owns the bytecode that the local EVM chains carry: our own
// contracts, committed with their sources, and the public ones (Uniswap v2,
// WETH9, Permit2, Multicall3), which are read from npm packages at run time and
// never committed. It must not talk to a chain.
//
// Layer: part of the local network; only localnet and tests may import it.
package contracts

import (
	"embed"
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

//go:embed artifacts/*.json
var ownArtifacts embed.FS

// Addresses at which every local EVM chain has the contract. They are those of
// Ethereum mainnet, so that one catalog serves both.
var (
	Permit2Address    = common.HexToAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3")
	Multicall3Address = common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")
	FactoryAddress    = common.HexToAddress("0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f")
	RouterAddress     = common.HexToAddress("0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D")
	DepositoryAddress = common.HexToAddress("0x4cd00e387622c35bddb9b4c962c136462338bc31")
)

// Contract is what is needed to deploy a contract and to call it.
type Contract struct {
	ABI      abi.ABI
	Creation []byte // init code without constructor arguments
}

// CreationWith is the init code with the constructor's arguments appended.
func (c Contract) CreationWith(args ...any) ([]byte, error) {
	packed, err := c.ABI.Pack("", args...)
	if err != nil {
		return nil, fmt.Errorf("constructor arguments: %w", err)
	}
	return append(append([]byte(nil), c.Creation...), packed...), nil
}

// Set holds every contract of a local EVM chain.
type Set struct {
	Token      Contract // plain ERC-20
	Tether     Contract // ERC-20 with the habits of Ethereum's USDT
	Depository Contract // takes cross-chain deposits in
	Wrapped    Contract // WETH9
	Factory    Contract // UniswapV2Factory
	Pair       Contract // UniswapV2Pair
	Router     Contract // UniswapV2Router02

	Multicall3Creation []byte
	Permit2Runtime     []byte // deployed code; Permit2 has no constructor storage
}

// Load reads our own contracts, and the public ones from the folder that holds
// node_modules.
func Load(assets string) (*Set, error) {
	set := &Set{}
	for name, into := range map[string]*Contract{
		"LocalToken": &set.Token, "LocalTether": &set.Tether, "Depository": &set.Depository,
	} {
		raw, err := ownArtifacts.ReadFile("artifacts/" + name + ".json")
		if err != nil {
			return nil, fmt.Errorf("read our contract %s: %w", name, err)
		}
		if *into, err = parseArtifact(raw); err != nil {
			return nil, fmt.Errorf("our contract %s: %w", name, err)
		}
	}
	if err := set.loadPublic(assets); err != nil {
		return nil, err
	}
	return set, nil
}

// parseArtifact reads the two fields that solc, truffle and waffle outputs have
// in common; the bytecode may lack its 0x.
func parseArtifact(raw []byte) (Contract, error) {
	var artifact struct {
		ABI      abi.ABI `json:"abi"`
		Bytecode string  `json:"bytecode"`
	}
	if err := json.Unmarshal(raw, &artifact); err != nil {
		return Contract{}, fmt.Errorf("decode artifact: %w", err)
	}
	creation := common.FromHex(artifact.Bytecode)
	if len(creation) == 0 {
		return Contract{}, fmt.Errorf("artifact has no bytecode")
	}
	return Contract{ABI: artifact.ABI, Creation: creation}, nil
}
