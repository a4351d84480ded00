package venue

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/trade"
)

// sameChainWindow is how long a quote's transaction is looked for: its deadline
// and some room.
const sameChainWindow = swapDeadline + 10*time.Minute

// flexibleID takes a chain id as text or as a number: the schema says one, the
// published examples send the other.
type flexibleID int64

// UnmarshalJSON implements json.Unmarshaler.
func (f *flexibleID) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if unquoted, err := strconv.Unquote(text); err == nil {
		text = unquoted
	}
	id, err := strconv.ParseInt(text, 10, 64)
	*f = flexibleID(id)
	return err
}

// serveIndex takes the hash of a transaction that was just broadcast: a deposit,
// which hurries the solver, or a same-chain swap.
func (v *Venue) serveIndex(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ChainID   flexibleID `json:"chainId"`
		TxHash    string     `json:"txHash"`
		RequestID string     `json:"requestId"`
	}
	if err := decode(r, &request); err != nil {
		v.answerError(w, r, err)
		return
	}
	at, ok := v.sites[int64(request.ChainID)]
	if !ok || request.TxHash == "" {
		answerJSON(w, http.StatusBadRequest, relaywire.Message{Message: "Invalid chainId or txHash"})
		return
	}
	v.engine.Hurry(at.facts.ID)
	if err := v.noteTransaction(r.Context(), at, request.TxHash, request.RequestID); err != nil {
		v.answerError(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, relaywire.Message{Message: "Transaction indexed"})
}

// serveSingle is the same for same-chain transactions, whose data comes as JSON
// in a text.
func (v *Venue) serveSingle(w http.ResponseWriter, r *http.Request) {
	var request struct {
		RequestID string     `json:"requestId"`
		ChainID   flexibleID `json:"chainId"`
		Tx        string     `json:"tx"`
	}
	if err := decode(r, &request); err != nil {
		v.answerError(w, r, err)
		return
	}
	var transaction struct {
		TxHash string `json:"txHash"`
	}
	at, ok := v.sites[int64(request.ChainID)]
	if !ok || json.Unmarshal([]byte(request.Tx), &transaction) != nil || transaction.TxHash == "" {
		answerJSON(w, http.StatusBadRequest, relaywire.Message{Message: "Invalid chainId or tx"})
		return
	}
	if err := v.noteTransaction(r.Context(), at, transaction.TxHash, request.RequestID); err != nil {
		v.answerError(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, relaywire.Message{Message: "Transaction indexed"})
}

// noteTransaction ties a hash to the same-chain order that it carries out. Who
// posts it is not trusted: the transaction itself must be the one quoted. A
// transaction that the node has not seen yet is noted when it is named with its
// order, and checked when its outcome is asked for.
func (v *Venue) noteTransaction(ctx context.Context, at *site, hash, requestID string) error {
	match, found, err := at.chain.Fingerprint(ctx, hash)
	if err != nil {
		return err
	}
	since := v.now().Add(-sameChainWindow)
	open, err := v.store.OpenSameChain(ctx, at.facts.ID, since)
	if err != nil {
		return err
	}
	for _, order := range open {
		named := requestID == order.ID.String()
		if found && match == order.Terms.Match && (requestID == "" || named) || !found && named {
			return v.store.SetInHash(ctx, order.ID, hash)
		}
	}
	return nil
}

// refreshSameChain looks up what became of the user's own transaction.
func (v *Venue) refreshSameChain(ctx context.Context, order orders.Order) (orders.Order, error) {
	at := v.byChain[order.Terms.OriginChain]
	if order.Status != orders.Pending || at == nil {
		return order, nil
	}
	match, found, err := at.chain.Fingerprint(ctx, order.InHash)
	if err != nil || !found {
		return order, err
	}
	if match != order.Terms.Match {
		// The client named its approval, or somebody a transaction of his own.
		if err := v.store.DropInHash(ctx, order.ID); err != nil {
			return order, err
		}
		return v.store.Get(ctx, order.ID)
	}
	var status orders.Status
	reason := relaywire.NoReason
	outcome, err := at.chain.Outcome(ctx, trade.Signed{Hash: order.InHash})
	switch {
	case err != nil:
		return order, err
	case outcome == trade.Succeeded:
		status = orders.Success
	case outcome == trade.Reverted:
		status, reason = orders.Failure, "EXECUTION_REVERTED"
	default:
		return order, nil
	}
	if err := v.store.SettleSameChain(ctx, order.ID, status, reason); err != nil {
		return order, err
	}
	return v.store.Get(ctx, order.ID)
}
