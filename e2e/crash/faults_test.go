package crash

import (
	"net/http"
	"testing"

	"tenfold/internal/apphttp"
)

// TestConfirmations replays, mixes up and delays confirmations.
func TestConfirmations(t *testing.T) {
	t.Parallel()
	w := start(t)
	p := newPerson(t, w)
	p.fund(t)
	ether := native(t, base)
	recipient := strangerEVM(t)
	pay := apphttp.MovementRequest{Kind: "transfer", ChainID: base, Asset: ether.Address, Amount: "1000", Recipient: recipient}

	t.Run("the same key gives the same movement, another body is refused", func(t *testing.T) {
		var first, second apphttp.Movement
		for _, into := range []*apphttp.Movement{&first, &second} {
			if err := p.call(t.Context(), http.MethodPost, "/movements", "one key", pay, into); err != nil {
				t.Fatal(err)
			}
		}
		if first.ID != second.ID {
			t.Error("one key made two movements")
		}
		other := pay
		other.Amount = "1001"
		err := p.call(t.Context(), http.MethodPost, "/movements", "one key", other, nil)
		refusal, ok := err.(*problem) // call returns it bare
		if !ok || refusal.Code != "idempotency_key_reused" || refusal.Status != http.StatusConflict {
			t.Errorf("another body under the same key: %v", err)
		}
		p.must(t, http.MethodPost, "/movements/"+first.ID+"/cancellation", nil, nil)
	})

	t.Run("a signature of something else", func(t *testing.T) {
		m, other := p.transfer(t, pay), p.transfer(t, apphttp.MovementRequest{
			ChainID: base, Asset: ether.Address, Amount: "2000", Recipient: recipient,
		})
		p.refused(t, http.MethodPost, "/movements/"+m.ID+"/signatures", p.signatures(t, other)).
			expect(t, 422, "signature_mismatch", "The signature does not belong to this transaction. Nothing was sent.")
	})

	t.Run("another person's movement", func(t *testing.T) {
		m := p.transfer(t, pay)
		other := newPerson(t, w)
		theirs, missing := other.refused(t, http.MethodGet, "/movements/"+m.ID, nil), other.refused(t, http.MethodGet, "/movements/nothing", nil)
		if *theirs != *missing || theirs.Code != "movement_not_found" {
			t.Errorf("another's movement is told %+v, a missing one %+v", theirs, missing)
		}
		other.refused(t, http.MethodPost, "/movements/"+m.ID+"/signatures", p.signatures(t, m)).
			expect(t, 404, "movement_not_found", theirs.Detail)
	})

	t.Run("cancelled", func(t *testing.T) {
		m := p.transfer(t, pay)
		signatures := p.signatures(t, m)
		p.must(t, http.MethodPost, "/movements/"+m.ID+"/cancellation", nil, nil)
		p.refused(t, http.MethodPost, "/movements/"+m.ID+"/signatures", signatures).
			expect(t, 409, "movement_expired", "This review has expired. Nothing was sent. Please review it again.")
	})

	t.Run("session ends between review and confirmation", func(t *testing.T) {
		m := p.transfer(t, pay)
		signatures := p.signatures(t, m)
		p.must(t, http.MethodDelete, "/session", nil, nil)
		p.refused(t, http.MethodPost, "/movements/"+m.ID+"/signatures", signatures).
			expect(t, 401, "session_expired", "Please log out and log back in.")
		p.signIn(t)
		p.must(t, http.MethodPost, "/movements/"+m.ID+"/signatures", signatures, &m)
		if m = p.finished(t, m.ID, patience); m.State != "done" {
			t.Errorf("after the new login the movement ended as %s: %+v", m.State, m.Problem)
		}
	})

	t.Run("replayed confirmation", func(t *testing.T) {
		fresh := strangerEVM(t)
		m := p.transfer(t, apphttp.MovementRequest{ChainID: base, Asset: ether.Address, Amount: "3000", Recipient: fresh})
		signatures := p.signatures(t, m)
		for _, key := range []string{"first", "first", "second"} {
			var again apphttp.Movement
			if err := p.call(t.Context(), http.MethodPost, "/movements/"+m.ID+"/signatures", key, signatures, &again); err != nil || again.ID != m.ID {
				t.Fatalf("confirmation with key %s: %v, %s", key, err, again.ID)
			}
		}
		p.finished(t, m.ID, patience)
		if got := balance(t, ether, fresh); got.String() != "3000" {
			t.Errorf("the recipient has %s, want 3000", got)
		}
		var once apphttp.Movement
		if err := p.call(t.Context(), http.MethodPost, "/movements/"+m.ID+"/signatures", "third", signatures, &once); err != nil || once.State != "done" {
			t.Errorf("a replay after the end: %v, state %s", err, once.State)
		}
	})
}

// TestDependenciesDown shuts a node, the venue and custody, one at a time.
func TestDependenciesDown(t *testing.T) {
	t.Parallel()
	w := start(t)
	p := newPerson(t, w)
	p.fund(t)
	ether, usdc := native(t, base), token(t, base, "USDC")
	pay := apphttp.MovementRequest{Kind: "transfer", ChainID: base, Asset: ether.Address, Amount: "1000", Recipient: strangerEVM(t)}
	var whole apphttp.Portfolio
	p.must(t, http.MethodGet, "/portfolio", nil, &whole)

	t.Run("node down", func(t *testing.T) {
		w.base.during(t, shut)
		var p2 apphttp.Portfolio
		p.must(t, http.MethodGet, "/portfolio", nil, &p2)
		for i, c := range p2.Chains {
			want := "ok"
			if c.ChainID == base {
				want = "unavailable"
				if c.AsOf != whole.Chains[i].AsOf || c.ValueUSD != whole.Chains[i].ValueUSD || c.Message == "" {
					t.Errorf("the last known values are not shown: %+v, were %+v", c, whole.Chains[i])
				}
			}
			if c.Status != want {
				t.Errorf("chain %d is %q, want %q", c.ChainID, c.Status, want)
			}
		}
		if p2.TotalUSD != whole.TotalUSD {
			t.Errorf("the total went from %s to %s", whole.TotalUSD, p2.TotalUSD)
		}
		if refusal := p.refused(t, http.MethodPost, "/movements", pay); refusal.Status != 503 || refusal.Code != "chain_unavailable" {
			t.Errorf("a payment on the dead chain: %v", refusal)
		}
		m := p.transfer(t, apphttp.MovementRequest{ChainID: 1, Asset: native(t, 1).Address, Amount: "1", Recipient: strangerEVM(t)})
		p.must(t, http.MethodPost, "/movements/"+m.ID+"/cancellation", nil, nil)
	})

	t.Run("node down after the confirmation", func(t *testing.T) {
		fresh := strangerEVM(t)
		m := p.transfer(t, apphttp.MovementRequest{ChainID: base, Asset: ether.Address, Amount: "4000", Recipient: fresh})
		signatures := p.signatures(t, m)
		w.base.set(shut)
		p.must(t, http.MethodPost, "/movements/"+m.ID+"/signatures", signatures, &m)
		if m.State != "signed" {
			t.Errorf("the confirmed movement is %s", m.State)
		}
		w.base.set(open)
		if m = p.finished(t, m.ID, patience); m.State != "done" || balance(t, ether, fresh).String() != "4000" {
			t.Errorf("it ended as %s: %+v", m.State, m.Problem)
		}
	})

	t.Run("venue down", func(t *testing.T) {
		w.venue.during(t, shut)
		refusal := p.refused(t, http.MethodPost, "/quotes", map[string]any{
			"fromChainId": base, "fromAsset": ether.Address, "toChainId": base, "toAsset": usdc.Address, "amount": "10000000000000000",
		})
		if refusal.Status != 503 || refusal.Code != "venue_unavailable" || refusal.Detail == "" {
			t.Errorf("a quote without the venue: %v", refusal)
		}
		m := p.confirm(t, p.transfer(t, pay))
		if m = p.finished(t, m.ID, patience); m.State != "done" {
			t.Errorf("a payment needs no venue, but ended as %s", m.State)
		}
	})

	t.Run("custody down", func(t *testing.T) {
		w.custody.during(t, shut)
		stranger := &person{world: w, signer: p.signer, organizationID: p.organizationID}
		refusal := stranger.refused(t, http.MethodPost, "/sessions", stranger.signInRequest(t))
		if refusal.Status != 503 || refusal.Code != "custody_unavailable" || refusal.Detail == "" {
			t.Errorf("a sign-in without custody: %v", refusal)
		}
		var who apphttp.Session
		p.must(t, http.MethodGet, "/session", nil, &who)
		var list apphttp.MovementList
		p.must(t, http.MethodGet, "/movements", nil, &list)
		if len(list.Movements) == 0 {
			t.Error("the history is gone while custody is down")
		}
	})
}
