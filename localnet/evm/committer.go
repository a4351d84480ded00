package evm

import (
	"context"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/eth"
	"github.com/ethereum/go-ethereum/eth/catalyst"
)

// committer seals blocks: at once when a transaction comes to a quiet chain,
// at most one in a second, never with a time ahead of the wall clock (deadlines
// and permits are computed from the wall clock), and a few empty ones after the
// last transaction so that it gathers its confirmations.
type committer struct {
	chain  *eth.Ethereum
	beacon *catalyst.SimulatedBeacon
	tail   uint64 // empty blocks to seal after one with transactions
	log    *slog.Logger
}

// run seals until ctx is done. Nothing else may seal meanwhile.
func (c *committer) run(ctx context.Context) {
	arrivals := make(chan core.NewTxsEvent, 256)
	subscription := c.chain.TxPool().SubscribeTransactions(arrivals, true)
	defer subscription.Unsubscribe()

	owed := c.owedAtStart()
	for {
		if owed == 0 {
			select {
			case <-ctx.Done():
				return
			case <-arrivals:
			}
		}
		if !c.awaitNextSecond(ctx, arrivals) {
			return
		}
		sealed := c.seal()
		if sealed < 0 && !pause(ctx) {
			return
		}
		switch {
		case sealed < 0 || c.pending():
			owed = max(owed, 1)
		case sealed > 0:
			owed = c.tail
		case owed > 0:
			owed--
		}
	}
}

// owedAtStart is how many confirming blocks a run before this one left undone.
func (c *committer) owedAtStart() uint64 {
	head := c.chain.BlockChain().CurrentBlock().Number.Uint64()
	for back := uint64(0); back < c.tail && back < head; back++ {
		block := c.chain.BlockChain().GetBlockByNumber(head - back)
		if block != nil && len(block.Transactions()) > 0 {
			return c.tail - back
		}
	}
	return 0
}

// awaitNextSecond waits until a block would not be ahead of the wall clock and
// keeps the pool's announcements flowing meanwhile; false when ctx is done.
func (c *committer) awaitNextSecond(ctx context.Context, arrivals <-chan core.NewTxsEvent) bool {
	due := time.Unix(int64(c.chain.BlockChain().CurrentBlock().Time)+1, 0)
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-arrivals:
		case <-timer.C:
			return ctx.Err() == nil
		}
	}
}

// seal makes one block and gives its number of transactions, or -1 when no
// block came to be.
func (c *committer) seal() int {
	before := c.chain.BlockChain().CurrentBlock().Hash()
	head := c.beacon.Commit()
	if head == before {
		c.log.Error("no block was sealed", "chainId", c.chain.BlockChain().Config().ChainID)
		return -1
	}
	if err := c.chain.TxPool().Sync(); err != nil {
		c.log.Error("transaction pool did not follow the new block", "error", err)
	}
	block := c.chain.BlockChain().GetBlockByHash(head)
	if block == nil {
		return 0
	}
	return len(block.Transactions())
}

// pause keeps a lasting fault from spinning; false when ctx is done.
func pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Second):
		return true
	}
}

func (c *committer) pending() bool {
	executable, _ := c.chain.TxPool().Stats()
	return executable > 0
}
