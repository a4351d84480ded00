package solana

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/internal/chain/node"
)

// account is one account's state; a nil *account does not exist.
type account struct {
	Lamports   uint64
	Owner      solana.PublicKey
	Executable bool
	Data       []byte
}

// Sizes and offsets of the classic token program's accounts.
const (
	tokenAccountSize   = 165
	tokenAmountOffset  = 64
	mintSize           = 82
	mintDecimalsOffset = 44
)

// accountWire is an account as nodes send it, encoding base64.
type accountWire struct {
	Lamports   uint64           `json:"lamports"`
	Owner      solana.PublicKey `json:"owner"`
	Executable bool             `json:"executable"`
	Data       [2]string        `json:"data"` // content and the word "base64"
}

func (w *accountWire) decode() (*account, error) {
	if w == nil {
		return nil, nil
	}
	data, err := base64.StdEncoding.DecodeString(w.Data[0])
	if err != nil || w.Data[1] != "base64" {
		return nil, node.Broken(fmt.Errorf("account data is not base64: %w", err))
	}
	return &account{w.Lamports, w.Owner, w.Executable, data}, nil
}

// readAccounts reads many accounts by one call; nil stands for one that does not
// exist.
func readAccounts(ctx context.Context, n node.Caller, keys []solana.PublicKey) ([]*account, error) {
	var answer struct {
		Value []*accountWire `json:"value"`
	}
	config := map[string]string{"encoding": "base64", "commitment": commitment}
	if err := n.Call(ctx, &answer, "getMultipleAccounts", keys, config); err != nil {
		return nil, err
	}
	return decodeAccounts(answer.Value, len(keys))
}

func decodeAccounts(wires []*accountWire, want int) ([]*account, error) {
	if len(wires) != want {
		return nil, node.Broken(fmt.Errorf("%d accounts instead of %d", len(wires), want))
	}
	list := make([]*account, len(wires))
	for i, w := range wires {
		decoded, err := w.decode()
		if err != nil {
			return nil, err
		}
		list[i] = decoded
	}
	return list, nil
}

// lamports is zero for an account that does not exist.
func (a *account) lamports() uint64 {
	if a == nil {
		return 0
	}
	return a.Lamports
}

// isToken tells whether this is a token account (not a mint) of the classic
// token program.
func (a *account) isToken() bool {
	return a != nil && a.Owner == solana.TokenProgramID && len(a.Data) == tokenAccountSize
}

// tokens is the amount in a token account, zero when it does not exist.
func (a *account) tokens() (uint64, error) {
	if a == nil || a.Owner == solana.SystemProgramID {
		return 0, nil
	}
	if !a.isToken() {
		return 0, errors.New("an associated token account holds something else")
	}
	return binary.LittleEndian.Uint64(a.Data[tokenAmountOffset:]), nil
}

// Balances reads lamports and the owner's associated token accounts by one
// getMultipleAccounts. Other token accounts of the owner are not counted: the
// product neither makes nor spends from them.
func (a *Adapter) Balances(ctx context.Context, owner string, assets []catalog.Asset) ([]*big.Int, error) {
	key, err := parseAddress(owner)
	if err != nil {
		return nil, err
	}
	keys := make([]solana.PublicKey, len(assets))
	for i, asset := range assets {
		if keys[i] = key; asset.Native {
			continue
		}
		mint, err := parseAddress(asset.Address)
		if err != nil {
			return nil, err
		}
		keys[i] = tokenAccount(key, mint)
	}
	var balances []*big.Int
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		list, err := readAccounts(ctx, n, keys)
		if err != nil {
			return err
		}
		balances, err = amounts(list, assets)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("read balances on %s: %w", a.chain.Name, err))
	}
	return balances, nil
}

func amounts(list []*account, assets []catalog.Asset) ([]*big.Int, error) {
	balances := make([]*big.Int, len(list))
	for i, found := range list {
		held := found.lamports()
		if !assets[i].Native {
			var err error
			if held, err = found.tokens(); err != nil {
				return nil, fmt.Errorf("balance of %s: %w", assets[i].Symbol, err)
			}
		}
		balances[i] = new(big.Int).SetUint64(held)
	}
	return balances, nil
}
