package solana

import (
	"context"
	"testing"

	"tenfold/internal/chain/node"
)

// untold is a node that does not tell what was lately paid.
type untold struct{}

func (untold) Call(context.Context, any, string, ...any) error {
	return &node.RefusalError{Message: "Method not found"}
}

// A payment of everything is built after its amount was worked out, with another
// draw of the price: one lamport more would be refused.
func TestACoinPaymentsFeeIsTheSameForEveryDraw(t *testing.T) {
	t.Parallel()
	prices := map[uint64]bool{}
	for range 20_000 {
		price, err := unitPrice(t.Context(), untold{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		prices[price] = true
		if fee := (budget{units: coinUnits, price: price}).maximumFee(); fee != signatureFee+2 {
			t.Fatalf("at %d micro-lamports the fee is %d", price, fee)
		}
	}
	if len(prices) < distinctPrices/2 {
		t.Errorf("only %d prices tell equal payments apart", len(prices))
	}
}
