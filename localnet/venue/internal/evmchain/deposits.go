package evmchain

import (
	"context"
	"fmt"
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"tenfold/localnet/venue/internal/trade"
)

// blocksAtOnce bounds one request for logs.
const blocksAtOnce = 5_000

// Deposits implements solver.Chain. The cursor is the number of the last block
// that was read.
func (c *Chain) Deposits(ctx context.Context, cursor string) ([]trade.Deposit, string, error) {
	head, err := c.client.BlockNumber(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("read head of %s: %w", c.facts.Name, err)
	}
	var first uint64
	if cursor != "" {
		last, err := strconv.ParseUint(cursor, 10, 64)
		if err != nil {
			return nil, "", fmt.Errorf("cursor %q of %s: %w", cursor, c.facts.Name, err)
		}
		first = last + 1
	}
	if first > head {
		return nil, cursor, nil
	}
	last := min(head, first+blocksAtOnce-1)
	logs, err := c.client.FilterLogs(ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int).SetUint64(first), ToBlock: new(big.Int).SetUint64(last),
		Addresses: []common.Address{c.depository},
		Topics: [][]common.Hash{{
			contractInterface.Events["RelayNativeDeposit"].ID, contractInterface.Events["RelayErc20Deposit"].ID,
		}},
	})
	if err != nil {
		return nil, "", fmt.Errorf("read deposits of %s: %w", c.facts.Name, err)
	}
	var deposits []trade.Deposit
	for _, entry := range logs {
		deposit, err := c.depositFrom(entry)
		if err != nil {
			return nil, "", err
		}
		deposits = append(deposits, deposit)
	}
	return deposits, strconv.FormatUint(last, 10), nil
}

func (c *Chain) depositFrom(entry types.Log) (trade.Deposit, error) {
	deposit := trade.Deposit{ChainID: c.facts.ID, Hash: entry.TxHash.Hex(), Position: int(entry.Index), Asset: c.facts.TokenAddress}
	event, err := contractInterface.EventByID(entry.Topics[0])
	if err != nil {
		return deposit, fmt.Errorf("deposit event in %s: %w", entry.TxHash, err)
	}
	values, err := event.Inputs.Unpack(entry.Data)
	if err != nil {
		return deposit, fmt.Errorf("deposit event in %s: %w", entry.TxHash, err)
	}
	deposit.Depositor = values[0].(common.Address).Hex()
	if event.Name == "RelayErc20Deposit" {
		deposit.Asset = values[1].(common.Address).Hex()
		values = values[1:]
	}
	deposit.Amount, deposit.ID = values[1].(*big.Int), values[2].([32]byte)
	return deposit, nil
}
