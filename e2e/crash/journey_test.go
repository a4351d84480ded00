package crash

import (
	"math/big"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/apphttp"
)

const base = 8453

// patience bounds every movement of a journey.
const patience = 60 * time.Second

// TestJourney carries out every kind of movement and compares what the API
// recorded with the chains' own ledgers, to the last unit.
func TestJourney(t *testing.T) {
	t.Parallel()
	p := newPerson(t, start(t))
	p.fund(t)
	// One after the other: they share an account, and each reads its balances.
	for _, c := range []struct {
		name      string
		asset     catalog.Asset
		amount    string
		recipient func(*testing.T) string
	}{
		{"ether", native(t, base), "123456789012345678", strangerEVM},
		{"usdc", token(t, base, "USDC"), "1234567", strangerEVM},
		{"ethereum usdc", token(t, 1, "USDC"), "1", strangerEVM},
		{"sol", native(t, catalog.SolanaChainID), "1234567890", strangerSolana},
		{"spl to a new account", token(t, catalog.SolanaChainID, "USDC"), "7654321", strangerSolana},
	} {
		t.Run("transfer "+c.name, func(t *testing.T) { p.checkTransfer(t, c.asset, c.amount, c.recipient(t)) })
	}
	sol, usdc, usdt := native(t, catalog.SolanaChainID), token(t, catalog.SolanaChainID, "USDC"), token(t, catalog.SolanaChainID, "USDT")
	wrapped := token(t, catalog.SolanaChainID, "wSOL")
	for _, c := range []struct {
		name     string
		from, to catalog.Asset
		amount   string
	}{
		{"ETH to USDC on Base", native(t, base), token(t, base, "USDC"), "500000000000000000"},
		{"USDC to ETH on Base, with an approval", token(t, base, "USDC"), native(t, base), "25000000"},
		{"USDC to USDT on Ethereum", token(t, 1, "USDC"), token(t, 1, "USDT"), "20000000"},
		{"USDT to ETH on Ethereum", token(t, 1, "USDT"), native(t, 1), "10000000"},
		{"wrapping on Base", native(t, base), token(t, base, "WETH"), "1000000000000000"},
		{"SOL to USDC", native(t, catalog.SolanaChainID), token(t, catalog.SolanaChainID, "USDC"), "2500000000"},
		{"USDC to SOL", token(t, catalog.SolanaChainID, "USDC"), native(t, catalog.SolanaChainID), "10000000"},
		{"SOL to wrapped SOL", sol, wrapped, "500000000"},
		{"USDC to SOL, wrapped SOL held", usdc, sol, "5000000"},
		{"SOL to USDT through two pools", sol, usdt, "300000000"},
		{"USDT to SOL through two pools, wrapped SOL held", usdt, sol, "10000000"},
		{"wrapped SOL to USDT through two pools", wrapped, usdt, "50000000"},
		{"a part of the wrapped SOL to SOL", wrapped, sol, "100000000"},
		{"all of the wrapped SOL to SOL", wrapped, sol, "350000000"},
		{"USDT to SOL, an empty account of wrapped SOL held", usdt, sol, "1000000"},
		{"ETH on Base to USDC on Solana", native(t, base), token(t, catalog.SolanaChainID, "USDC"), "100000000000000000"},
		{"USDC on Solana to ETH on Base", token(t, catalog.SolanaChainID, "USDC"), native(t, base), "30000000"},
		{"USDC on Base to BNB on BSC", token(t, base, "USDC"), native(t, 56), "40000000"},
	} {
		t.Run("swap "+c.name, func(t *testing.T) { p.checkSwap(t, c.from, c.to, c.amount) })
	}
}

func (p *person) own(chainID int64) string {
	if chainID == catalog.SolanaChainID {
		return p.solana
	}
	return p.evm
}

// ledger reads what a movement touches: the asset and the native coin of both ends.
func (p *person) ledger(t *testing.T, assets ...catalog.Asset) map[catalog.Asset]*big.Int {
	t.Helper()
	read := map[catalog.Asset]*big.Int{}
	for _, a := range assets {
		for _, one := range []catalog.Asset{a, native(t, a.ChainID)} {
			if read[one] == nil {
				read[one] = balance(t, one, p.own(one.ChainID))
			}
		}
	}
	return read
}

// compare checks that each balance moved by exactly what the movement records:
// what left, what arrived, and the fees.
func compare(t *testing.T, m apphttp.Movement, before, after map[catalog.Asset]*big.Int, arrivesHere bool) {
	t.Helper()
	for asset, was := range before {
		want := new(big.Int).Set(was)
		if asset.ChainID == m.From.ChainID && asset.Address == m.From.Asset {
			want.Sub(want, number(t, m.From.Amount, 10))
		}
		if arrivesHere && asset.ChainID == m.To.ChainID && asset.Address == m.To.Asset {
			want.Add(want, number(t, *m.To.Amount, 10))
		}
		for _, fee := range m.FeesPaid {
			if asset.ChainID == fee.ChainID && asset.Address == fee.Asset {
				want.Sub(want, number(t, fee.Amount, 10))
			}
		}
		if after[asset].Cmp(want) != 0 {
			t.Errorf("%s on %d is %s, want %s (was %s): %+v", asset.Symbol, asset.ChainID, after[asset], want, was, m)
		}
	}
}

func (p *person) checkTransfer(t *testing.T, asset catalog.Asset, amount, recipient string) {
	t.Helper()
	before := p.ledger(t, asset)
	m := p.transfer(t, apphttp.MovementRequest{ChainID: asset.ChainID, Asset: asset.Address, Amount: amount, Recipient: recipient})
	if m.Simulated != "matches" {
		t.Errorf("the simulation is %q", m.Simulated)
	}
	p.confirm(t, m)
	m = p.finished(t, m.ID, patience)
	if m.State != "done" || m.To.Amount == nil || *m.To.Amount != amount || m.From.Amount != amount {
		t.Fatalf("the movement ended as %+v, problem %+v", m, m.Problem)
	}
	if got := balance(t, asset, recipient); got.String() != amount {
		t.Errorf("the recipient has %s, want %s", got, amount)
	}
	compare(t, m, before, p.ledger(t, asset), false)
}

func (p *person) checkSwap(t *testing.T, from, to catalog.Asset, amount string) {
	t.Helper()
	before := p.ledger(t, from, to)
	q, m := p.swap(t, map[string]any{
		"fromChainId": from.ChainID, "fromAsset": from.Address, "toChainId": to.ChainID, "toAsset": to.Address, "amount": amount,
	})
	if m.Simulated != "matches" {
		t.Errorf("the simulation is %q", m.Simulated)
	}
	p.confirm(t, m)
	m = p.finished(t, m.ID, patience)
	if m.State != "done" || m.To.Amount == nil || m.From.Amount != amount {
		t.Fatalf("the movement ended as %+v, problem %+v", m, m.Problem)
	}
	if number(t, *m.To.Amount, 10).Cmp(number(t, q.MinimumOut, 10)) < 0 {
		t.Errorf("%s arrived, the minimum was %s", *m.To.Amount, q.MinimumOut)
	}
	compare(t, m, before, p.ledger(t, from, to), true)
}

// TestRefund lets the venue take a deposit and give it back. What came back is
// read from the origin chain and fits the ledger to the last unit.
func TestRefund(t *testing.T) {
	t.Parallel()
	p := newPerson(t, start(t, "TENFOLD_RELAY_REFERRER=debug-force-refund"))
	p.fund(t)
	from, to := native(t, base), token(t, catalog.SolanaChainID, "USDC")
	before := p.ledger(t, from, to)
	_, m := p.swap(t, map[string]any{
		"fromChainId": from.ChainID, "fromAsset": from.Address, "toChainId": to.ChainID, "toAsset": to.Address, "amount": "50000000000000000",
	})
	p.confirm(t, m)
	m = p.finished(t, m.ID, patience)
	if m.State != "refunded" || m.Refund == nil || m.To.Amount != nil || m.DeliveryHash == nil || m.Problem == nil {
		t.Fatalf("the movement ended as %+v, problem %+v", m, m.Problem)
	}
	if m.Problem.Code != "venue_refunded" || m.Problem.FundsWhere != "The refund is in your wallet on the chain it came from." {
		t.Errorf("the problem is %+v", m.Problem)
	}
	after := p.ledger(t, from, to)
	back := number(t, m.Refund.Amount, 10)
	after[from] = new(big.Int).Sub(after[from], back)
	compare(t, m, before, after, false)
}
