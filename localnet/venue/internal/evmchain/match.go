package evmchain

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/localnet/venue/internal/relaywire"
)

// Match is the fingerprint of the last transaction of the steps: the one that
// carries the quote out.
func (c *Chain) Match(steps []relaywire.Step) string {
	items := steps[len(steps)-1].Items
	quoted, ok := items[len(items)-1].Data.(relaywire.EVMTransaction)
	if !ok {
		return ""
	}
	value, valueOK := new(big.Int).SetString(quoted.Value, 10)
	data, err := hexutil.Decode(quoted.Data)
	if err != nil || !valueOK {
		return ""
	}
	return fingerprint(common.HexToAddress(quoted.From), common.HexToAddress(quoted.To), value, data)
}

// Fingerprint is that of a transaction that the node knows, in a block or not.
func (c *Chain) Fingerprint(ctx context.Context, hash string) (string, bool, error) {
	tx, _, err := c.client.TransactionByHash(ctx, common.HexToHash(hash))
	if errors.Is(err, ethereum.NotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read transaction on %s: %w", c.facts.Name, err)
	}
	from, err := types.Sender(types.LatestSignerForChainID(big.NewInt(c.facts.ID)), tx)
	if err != nil || tx.To() == nil {
		return "", true, nil // on the chain, but nothing that was quoted
	}
	return fingerprint(from, *tx.To(), tx.Value(), tx.Data()), true, nil
}

func fingerprint(from, to common.Address, value *big.Int, data []byte) string {
	return hex.EncodeToString(crypto.Keccak256(from.Bytes(), to.Bytes(), common.BigToHash(value).Bytes(), data))
}
