package network

import (
	"crypto/ecdsa"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/localnet/evm"
)

const testAccounts = 2

// keys are the network's EVM keys. They are random for each data folder; what
// they own exists on the local chains only.
type keys struct {
	treasury *ecdsa.PrivateKey // the faucet pays from it
	solver   *ecdsa.PrivateKey // the venue pays and refunds from it
	provider *ecdsa.PrivateKey // owns the pools' liquidity
	accounts []*ecdsa.PrivateKey
}

// keyFile is the keys as stored: hex without 0x.
type keyFile struct {
	Treasury          string   `json:"treasury"`
	Solver            string   `json:"solver"`
	LiquidityProvider string   `json:"liquidityProvider"`
	TestAccounts      []string `json:"testAccounts"`
}

// loadOrCreateKeys reads the folder's keys; a new folder gets new ones, which
// are on disk (0600) before anything is paid to them.
func loadOrCreateKeys(dir string) (*keys, error) {
	path := filepath.Join(dir, "keys.json")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return createKeys(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	var stored keyFile
	// The decoder's error could quote the file, and with it a key.
	if json.Unmarshal(raw, &stored) != nil || len(stored.TestAccounts) != testAccounts {
		return nil, fmt.Errorf("%s is not a key file of the local network", path)
	}
	texts := append([]string{stored.Treasury, stored.Solver, stored.LiquidityProvider}, stored.TestAccounts...)
	all := make([]*ecdsa.PrivateKey, len(texts))
	for i, text := range texts {
		if all[i], err = crypto.HexToECDSA(text); err != nil {
			return nil, fmt.Errorf("%s: key %d is not a secp256k1 key", path, i)
		}
	}
	return namedKeys(all), nil
}

func createKeys(path string) (*keys, error) {
	all := make([]*ecdsa.PrivateKey, 3+testAccounts)
	texts := make([]string, len(all))
	for i := range all {
		key, err := crypto.GenerateKey()
		if err != nil {
			return nil, fmt.Errorf("create keys: %w", err)
		}
		all[i], texts[i] = key, hex.EncodeToString(crypto.FromECDSA(key))
	}
	raw, err := json.MarshalIndent(keyFile{
		Treasury: texts[0], Solver: texts[1], LiquidityProvider: texts[2], TestAccounts: texts[3:],
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode keys: %w", err)
	}
	if err := evm.WriteWhole(path, raw); err != nil {
		return nil, fmt.Errorf("keep keys: %w", err)
	}
	return namedKeys(all), nil
}

func namedKeys(all []*ecdsa.PrivateKey) *keys {
	return &keys{treasury: all[0], solver: all[1], provider: all[2], accounts: all[3:]}
}

// holders says who owns what in the first block of each chain, in whole units.
// Pools take what is worth tens of millions of dollars from the provider.
func (k *keys) holders() []evm.Holder {
	holders := []evm.Holder{
		{Address: addressOf(k.treasury), Coins: 100_000_000_000, Stables: 100_000_000_000},
		{Address: addressOf(k.solver), Coins: 1_000_000_000, Stables: 1_000_000_000},
		{Address: addressOf(k.provider), Coins: 1_000_000_000, Stables: 1_000_000_000},
	}
	for _, account := range k.accounts {
		holders = append(holders, evm.Holder{Address: addressOf(account), Coins: 10_000, Stables: 100_000})
	}
	return holders
}

func addressOf(key *ecdsa.PrivateKey) common.Address { return crypto.PubkeyToAddress(key.PublicKey) }
