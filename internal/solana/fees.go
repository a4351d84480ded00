package solana

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"

	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

const (
	signatureFee = 5_000 // lamports for the one signature that our transactions carry
	// mostUnits is the runtime's bound on compute units per transaction.
	mostUnits = 1_400_000
	// Prices are micro-lamports per compute unit. The floor keeps a transaction in
	// order on a quiet cluster, the ceiling (0.002 SOL for the heaviest
	// transaction) bounds what a node can talk us into.
	leastUnitPrice = 1_000
	mostUnitPrice  = 1_500_000
)

// budget is what a transaction may use and pay per unit.
type budget struct {
	units uint32
	price uint64 // micro-lamports per unit
}

// maximumFee is what the network charges: it bills the units asked for, used or
// not. In lamports.
func (b budget) maximumFee() uint64 {
	const perLamport = 1_000_000
	return signatureFee + (uint64(b.units)*b.price+perLamport-1)/perLamport
}

func (b budget) instructions() []solana.Instruction {
	return []solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(b.units).Build(),
		computebudget.NewSetComputeUnitPriceInstruction(b.price).Build(),
	}
}

// unitPrice is the upper quartile of what was lately paid for writing to the
// accounts, within our bounds, plus a random part of at most a thousandth of a
// lamport: without it two equal payments made within one slot would be the same
// bytes, so one transaction, and one of them would silently not be paid. The part
// is never zero, so that with coinUnits it always rounds up to one lamport: a
// payment of everything must cost what was kept back for it.
func unitPrice(ctx context.Context, n node.Caller, writes []solana.PublicKey) (uint64, error) {
	usual, err := usualPrice(ctx, n, writes)
	return usual + 1 + rand.Uint64N(distinctPrices-1), err
}

const distinctPrices = 1_000

func usualPrice(ctx context.Context, n node.Caller, writes []solana.PublicKey) (uint64, error) {
	var recent []struct {
		Fee uint64 `json:"prioritizationFee"`
	}
	err := n.Call(ctx, &recent, "getRecentPrioritizationFees", writes)
	var refusal *node.RefusalError
	if errors.As(err, &refusal) {
		return leastUnitPrice, nil // some nodes don't tell; the floor is what a quiet cluster asks
	}
	if err != nil || len(recent) == 0 {
		return leastUnitPrice, err
	}
	fees := make([]uint64, len(recent))
	for i, r := range recent {
		fees[i] = r.Fee
	}
	slices.Sort(fees)
	return min(max(fees[len(fees)*3/4], leastUnitPrice), mostUnitPrice), nil
}

// rents are the lamports that must stay in accounts for them to live.
type rents struct {
	empty, token uint64
}

// mostRent is a sanity bound: no account of ours needs a tenth of a SOL.
const mostRent = 100_000_000

func readRents(ctx context.Context, n node.Caller) (rents, error) {
	var r rents
	for size, into := range map[int]*uint64{0: &r.empty, tokenAccountSize: &r.token} {
		if err := n.Call(ctx, into, "getMinimumBalanceForRentExemption", size); err != nil {
			return rents{}, fmt.Errorf("read the rent: %w", err)
		}
	}
	if r.empty == 0 || r.token < r.empty || r.token > mostRent {
		return rents{}, node.Broken(fmt.Errorf("it asks %d and %d lamports of rent", r.empty, r.token))
	}
	return r, nil
}

// validity is the blockhash of a transaction and the last height at which it is
// good.
type validity struct {
	Blockhash            solana.Hash `json:"blockhash"`
	LastValidBlockHeight uint64      `json:"lastValidBlockHeight"`
}

func latestBlockhash(ctx context.Context, n node.Caller) (validity, error) {
	var answer struct {
		Value validity `json:"value"`
	}
	err := n.Call(ctx, &answer, "getLatestBlockhash", map[string]string{"commitment": commitment})
	if err == nil && (answer.Value.Blockhash.IsZero() || answer.Value.LastValidBlockHeight == 0) {
		err = node.Broken(errors.New("it gave no blockhash"))
	}
	return answer.Value, err
}

// checkLamports refuses what would leave the sender below the rent-exempt
// minimum, which must stay in an account.
func checkLamports(held, outgoing uint64, r rents) error {
	if held < outgoing || held-outgoing < r.empty {
		return fault.Wrap(fault.InsufficientBalance, messageNoFunds,
			fmt.Errorf("%d lamports are needed and %d must stay, but %d are there", outgoing, r.empty, held))
	}
	return nil
}

func lamports(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
