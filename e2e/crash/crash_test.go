package crash

import (
	"errors"
	"math/big"
	"net/http"
	"testing"
	"time"

	"tenfold/catalog"
	"tenfold/internal/apphttp"
)

// TestKilledBetweenConfirmAndFinal kills the app server with SIGKILL at ten
// different moments after the confirmation left the page, for payments and swaps
// on both kinds of chain. After each restart the movement must reach its end by
// itself, and the chains must show it exactly once.
func TestKilledBetweenConfirmAndFinal(t *testing.T) {
	t.Parallel()
	w := start(t)
	p := newPerson(t, w)
	p.fund(t)
	solanaID := catalog.SolanaChainID
	ether := func(t *testing.T) crashCase { return p.payment(t, native(t, base), "1000000000000000", strangerEVM(t)) }
	usdc := func(t *testing.T) crashCase { return p.payment(t, token(t, base, "USDC"), "1000001", strangerEVM(t)) }
	sol := func(t *testing.T) crashCase { return p.payment(t, native(t, solanaID), "10000001", strangerSolana(t)) }
	spl := func(t *testing.T) crashCase {
		return p.payment(t, token(t, solanaID, "USDC"), "1000002", strangerSolana(t))
	}
	approved := func(t *testing.T) crashCase {
		return p.exchange(t, token(t, base, "USDC"), native(t, base), "15000000")
	}
	across := func(t *testing.T) crashCase {
		return p.exchange(t, native(t, base), token(t, solanaID, "USDC"), "20000000000000000")
	}
	for i, c := range []struct {
		name  string
		build func(*testing.T) crashCase
		// after is when the kill comes, counted from the sending of the
		// confirmation; the answer may be lost.
		after time.Duration
	}{
		{"before the answer", ether, time.Millisecond},
		{"around the commit", sol, 3 * time.Millisecond},
		{"around the first broadcast", usdc, 6 * time.Millisecond},
		{"after the broadcast", spl, 12 * time.Millisecond},
		{"between approval and swap", approved, 400 * time.Millisecond},
		{"after the approval", approved, 1500 * time.Millisecond},
		{"before the deposit", across, 10 * time.Millisecond},
		{"while the deposit confirms", across, 700 * time.Millisecond},
		{"while the venue delivers", across, 1200 * time.Millisecond},
		{"before the last block", ether, 250 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := c.build(t)
			p.confirmAndKill(t, one, c.after)
			p.checkOnce(t, one)
			t.Logf("kill %d of 10 after %s survived", i+1, c.after)
		})
	}
}

// TestKilledAtTheBroadcast hits the two moments that matter most exactly: signed
// and stored with nothing sent, and sent with the node's answer lost. The node's
// gate makes them, not luck.
func TestKilledAtTheBroadcast(t *testing.T) {
	t.Parallel()
	w := start(t)
	p := newPerson(t, w)
	p.fund(t)
	for name, mode := range map[string]gateMode{"nothing sent": shut, "answer lost": deaf} {
		t.Run(name, func(t *testing.T) {
			c := p.payment(t, native(t, base), "77", strangerEVM(t))
			signatures := p.signatures(t, c.movement)
			w.base.during(t, mode)
			var m apphttp.Movement
			p.must(t, http.MethodPost, "/movements/"+c.movement.ID+"/signatures", signatures, &m)
			if m.State != "signed" {
				t.Fatalf("the confirmed movement is %s", m.State)
			}
			if mode == deaf {
				eventually(t, "the arrival", patience, func() (bool, string) {
					got := balance(t, c.assets[0], c.recipient)
					return got.Sign() > 0, got.String()
				})
			}
			w.app.kill(t)
			w.base.set(open)
			w.startApp(t)
			p.checkOnce(t, c)
		})
	}
}

// crashCase is a prepared movement with what its end is compared with.
type crashCase struct {
	movement  apphttp.Movement
	before    map[catalog.Asset]*big.Int
	assets    []catalog.Asset
	recipient string // of a payment; empty for a swap
	amount    string
}

func (p *person) payment(t *testing.T, asset catalog.Asset, amount, recipient string) crashCase {
	t.Helper()
	c := crashCase{before: p.ledger(t, asset), assets: []catalog.Asset{asset}, recipient: recipient, amount: amount}
	c.movement = p.transfer(t, apphttp.MovementRequest{ChainID: asset.ChainID, Asset: asset.Address, Amount: amount, Recipient: recipient})
	return c
}

func (p *person) exchange(t *testing.T, from, to catalog.Asset, amount string) crashCase {
	t.Helper()
	c := crashCase{before: p.ledger(t, from, to), assets: []catalog.Asset{from, to}, amount: amount}
	_, c.movement = p.swap(t, map[string]any{
		"fromChainId": from.ChainID, "fromAsset": from.Address, "toChainId": to.ChainID, "toAsset": to.Address, "amount": amount,
	})
	return c
}

// confirmAndKill sends the confirmation, kills the server after a while, starts
// it again, and repeats the confirmation as the page does when it got no answer.
func (p *person) confirmAndKill(t *testing.T, c crashCase, after time.Duration) {
	t.Helper()
	signatures := p.signatures(t, c.movement)
	key := p.nextKey()
	path := "/movements/" + c.movement.ID + "/signatures"
	sent := make(chan error, 1)
	go func() { sent <- p.call(t.Context(), http.MethodPost, path, key, signatures, nil) }()
	time.Sleep(after) // the moment of the kill is what this test varies
	p.world.app.kill(t)
	lost := <-sent
	p.world.startApp(t)
	restarted := time.Now()
	var m apphttp.Movement
	if lost != nil {
		var refused *problem
		if errors.As(lost, &refused) {
			t.Fatalf("the confirmation was refused: %v", refused)
		}
		if err := p.call(t.Context(), http.MethodPost, path, key, signatures, &m); err != nil {
			t.Fatalf("the repeated confirmation: %v", err)
		}
	}
	eventually(t, "the resumption", 3*time.Second, func() (bool, string) {
		p.must(t, http.MethodGet, "/movements/"+c.movement.ID, nil, &m)
		return m.State != "signed" && m.State != "needs_signature", string(m.State)
	})
	t.Logf("answer lost: %v; resumed %s after the restart", lost != nil, time.Since(restarted).Round(time.Millisecond))
}

// checkOnce waits for the end and compares every balance with the chains.
func (p *person) checkOnce(t *testing.T, c crashCase) {
	t.Helper()
	m := p.finished(t, c.movement.ID, patience)
	if m.State != "done" || m.To.Amount == nil || m.From.Amount != c.amount {
		t.Fatalf("the movement ended as %+v, problem %+v", m, m.Problem)
	}
	if c.recipient != "" {
		if got := balance(t, c.assets[0], c.recipient); got.String() != c.amount {
			t.Errorf("the recipient has %s, want %s", got, c.amount)
		}
	}
	compare(t, m, c.before, p.ledger(t, c.assets...), c.recipient == "")
	hashes := map[string]bool{}
	for _, step := range m.Steps {
		if step.Hash == nil || hashes[*step.Hash] {
			t.Errorf("step %d has no hash of its own: %+v", step.Index, step)
			continue
		}
		hashes[*step.Hash] = true
	}
}
