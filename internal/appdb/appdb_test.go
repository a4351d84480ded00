package appdb_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenfold/catalog"
	"tenfold/internal/appdb"
	"tenfold/internal/chain"
	"tenfold/internal/movement"
)

func open(t *testing.T, folder string) *appdb.Store {
	t.Helper()
	store, err := appdb.Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

var sameNumbers = cmp.Comparer(func(a, b *big.Int) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(b) == 0
})

func moment(seconds int64) time.Time { return time.Unix(1_800_000_000+seconds, 0) }

// full has every field set, with amounts as large as they can be.
func full(t *testing.T) movement.Movement {
	t.Helper()
	base, _ := catalog.ChainByID(8453)
	solana, _ := catalog.ChainByID(catalog.SolanaChainID)
	largest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	nonce := uint64(7)
	return movement.Movement{
		ID: "01890000-0000-7000-8000-000000000001", OrganizationID: "o", UserID: "u",
		Kind: movement.KindSwap, State: movement.NeedsSignature, Version: 1, Venue: "relay", QuoteID: "q", RequestID: "r",
		From:       movement.From{Asset: base.NativeAsset(), Owner: "owner", Amount: largest},
		To:         movement.To{Asset: solana.NativeAsset(), Recipient: "recipient", Minimum: big.NewInt(5)},
		MaximumFee: movement.MaximumFee{Amount: big.NewInt(3), Rent: new(big.Int)}, Simulated: movement.SimulationUnavailable,
		Steps: []movement.Step{
			{Index: 0, Kind: movement.StepApprove, State: movement.StepNeedsSignature, Unsigned: chain.Unsigned{
				ChainID: 8453, From: "owner", Bytes: []byte{0, 1}, Nonce: &nonce, MaximumFee: big.NewInt(1), Rent: new(big.Int),
			}},
			{Index: 1, Kind: movement.StepDeposit, State: movement.StepNeedsSignature, Unsigned: chain.Unsigned{
				ChainID: catalog.SolanaChainID, From: "owner", Bytes: []byte{2}, LastValidBlockHeight: 9, MaximumFee: big.NewInt(2), Rent: big.NewInt(4),
			}},
		},
		Timeline:  []movement.Moment{{State: movement.Drafted, At: moment(0)}, {State: movement.NeedsSignature, At: moment(0)}},
		CreatedAt: moment(0), UpdatedAt: moment(0), ExpiresAt: moment(60), ExpectedSeconds: 12,
	}
}

func read(t *testing.T, store *appdb.Store) movement.Movement {
	t.Helper()
	m, ok, err := store.Movement(t.Context(), "o", "01890000-0000-7000-8000-000000000001")
	if err != nil || !ok {
		t.Fatalf("the movement is not found: %v", err)
	}
	return m
}

// TestMovementSurvives stores everything that a movement can have, twice, and
// reads it with a newly opened database.
func TestMovementSurvives(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store := open(t, folder)
	was := full(t)
	if err := store.InsertMovement(t.Context(), was, movement.Idempotency{Key: "k", BodyHash: "b"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(was, read(t, open(t, folder)), sameNumbers); diff != "" {
		t.Errorf("stored and read differ:\n%s", diff)
	}
	m := full(t)
	m.State, m.UpdatedAt, m.DeliveryHash, m.Indexed = movement.Signed, moment(9), "delivery", true
	m.To.Amount, m.From.Amount = big.NewInt(6), big.NewInt(8)
	m.Refund = &movement.Refund{Asset: m.From.Asset, Amount: big.NewInt(11)}
	m.Problem = &movement.Problem{Code: "c", Message: "m", FundsWhere: "f"}
	m.Steps[0].State, m.Steps[0].Signed = movement.StepConfirmed, &chain.Signed{Bytes: []byte{0, 0xff}, Hash: "h"}
	m.Steps[0].BlockNumber, m.Steps[0].FeePaid = 12, big.NewInt(13)
	m.Timeline = append(m.Timeline, movement.Moment{State: movement.Signed, At: moment(9)})
	if err := store.SaveMovement(t.Context(), m, was); err != nil {
		t.Fatal(err)
	}
	m.Version = 2
	if diff := cmp.Diff(m, read(t, open(t, folder)), sameNumbers); diff != "" {
		t.Errorf("saved and read differ:\n%s", diff)
	}
}

// TestStaleSaveIsRefused is the compare-and-set: of two changes that were
// computed from the same version the second is refused, and leaves no trace.
func TestStaleSaveIsRefused(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	was := full(t)
	if err := store.InsertMovement(t.Context(), was, movement.Idempotency{Key: "k", BodyHash: "b"}); err != nil {
		t.Fatal(err)
	}
	first, second := full(t), full(t)
	first.DeliveryHash, second.DeliveryHash = "first", "second"
	second.Steps[0].State = movement.StepFailed
	if err := store.SaveMovement(t.Context(), first, was); err != nil {
		t.Fatal(err)
	}
	if err := store.SaveMovement(t.Context(), second, was); !errors.Is(err, movement.ErrStale) {
		t.Errorf("the stale change gave %v", err)
	}
	if m := read(t, store); m.DeliveryHash != "first" || m.Steps[0].State != movement.StepNeedsSignature || m.Version != 2 {
		t.Errorf("the stale change left %+v", m)
	}
}

func TestOnePerQuoteAndKey(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	if err := store.InsertMovement(t.Context(), full(t), movement.Idempotency{Key: "k", BodyHash: "b"}); err != nil {
		t.Fatal(err)
	}
	sameQuote, sameKey := full(t), full(t)
	sameQuote.ID, sameKey.ID, sameKey.QuoteID = "2", "3", "another"
	for key, m := range map[string]movement.Movement{"new": sameQuote, "k": sameKey} {
		if err := store.InsertMovement(t.Context(), m, movement.Idempotency{Key: key}); !errors.Is(err, movement.ErrTaken) {
			t.Errorf("movement %s with key %s: %v", m.ID, key, err)
		}
		if _, ok, err := store.Movement(t.Context(), "o", m.ID); ok || err != nil {
			t.Errorf("half of movement %s was stored: %v", m.ID, err)
		}
	}
}
