package venue

import (
	"errors"
	"net/http"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/relaywire"
	"tenfold/localnet/venue/internal/trade"
)

// Handler serves Relay's API.
func (v *Venue) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /chains", v.serveChains)
	mux.HandleFunc("GET /chains/health", v.serveChainHealth)
	mux.HandleFunc("POST /currencies/v2", v.serveCurrencies)
	mux.HandleFunc("GET /currencies/token/price", v.servePrice(func(price float64, _ string) any {
		return map[string]any{"price": price}
	}))
	mux.HandleFunc("GET /currencies/token/price/v2", v.servePrice(func(_ float64, text string) any {
		return map[string]any{"price": text}
	}))
	mux.HandleFunc("POST /quote", v.serveQuote)
	mux.HandleFunc("POST /quote/v2", v.serveQuote)
	mux.HandleFunc("GET /intents/status/v2", v.serveStatusV2)
	mux.HandleFunc("GET /intents/status/v3", v.serveStatus)
	mux.HandleFunc("POST /transactions/index", v.serveIndex)
	mux.HandleFunc("POST /transactions/single", v.serveSingle)
	return withOrigins(mux)
}

// withOrigins lets browsers of any origin call, as the public API does. Nothing
// here depends on who calls, and no cookie is read.
func withOrigins(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		if r.Method == http.MethodOptions {
			header.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
			header.Set("Access-Control-Allow-Headers", "content-type, x-api-key, relay-sdk-version")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (v *Venue) serveQuote(w http.ResponseWriter, r *http.Request) {
	var request relaywire.QuoteRequest
	if err := decode(r, &request); err != nil {
		v.answerError(w, r, err)
		return
	}
	fault := faultOf(request.Referrer)
	if fault.refusal != nil {
		v.answerError(w, r, fault.refusal)
		return
	}
	understood, err := v.understand(request)
	if err != nil {
		v.answerError(w, r, err)
		return
	}
	made, err := v.offerFor(r.Context(), understood)
	if err != nil {
		v.answerError(w, r, err)
		return
	}
	if err := v.store.Add(r.Context(), made.trade.ID, v.termsOf(made)); err != nil {
		v.answerError(w, r, err)
		return
	}
	quote := v.answer(made)
	if fault.alter != nil {
		fault.alter(&quote)
	}
	answerJSON(w, http.StatusOK, quote)
}

func (v *Venue) termsOf(made *offer) orders.Terms {
	t := made.trade
	terms := orders.Terms{
		Operation: t.Operation, User: t.User, Recipient: t.Recipient, RefundTo: made.refundTo,
		OriginChain: t.In.ChainID, DestinationChain: t.Out.ChainID, In: t.In.Address, Out: t.Out.Address,
		AmountIn: t.AmountIn.String(), AmountOut: t.AmountOut.String(), MinimumOut: t.MinimumOut.String(),
		Execution: made.charge.Execution.RatString(), Referrer: made.referrer,
	}
	if terms.SameChain() {
		terms.Match = made.origin.chain.Match(made.steps)
	}
	return terms
}

// status reads an order; the outcome of a user's own transaction is looked up
// when it is asked for.
func (v *Venue) status(r *http.Request) (relaywire.Status, error) {
	id, err := trade.ParseRequestID(r.URL.Query().Get("requestId"))
	if err != nil {
		return relaywire.Status{}, malformed("querystring/requestId must be a request id")
	}
	order, err := v.store.Get(r.Context(), id)
	if errors.Is(err, orders.ErrUnknown) {
		return relaywire.Status{
			Status: string(orders.Waiting), InTxHashes: []string{}, TxHashes: []string{},
			FailReason: relaywire.NoReason, RefundFailReason: relaywire.NoReason,
		}, nil
	}
	if err != nil {
		return relaywire.Status{}, err
	}
	if order.Terms.SameChain() {
		if order, err = v.refreshSameChain(r.Context(), order); err != nil {
			return relaywire.Status{}, err
		}
	}
	paid, err := v.store.PaidHashes(r.Context(), id)
	if err != nil {
		return relaywire.Status{}, err
	}
	return v.statusOf(order, paid), nil
}

func (v *Venue) statusOf(order orders.Order, paid []string) relaywire.Status {
	answer := relaywire.Status{
		Status: string(order.Status), InTxHashes: []string{}, TxHashes: paid,
		UpdatedAt: order.UpdatedAt.UnixMilli(), QuoteCreatedAt: order.CreatedAt.UnixMilli(),
		OriginChainID:      venueID(order.Terms.OriginChain),
		DestinationChainID: venueID(order.Terms.DestinationChain),
		FailReason:         order.FailReason, RefundFailReason: order.RefundFailReason,
	}
	if order.InHash != "" {
		answer.InTxHashes = []string{order.InHash}
		if order.Terms.SameChain() && order.Status == orders.Success {
			answer.TxHashes = []string{order.InHash}
		}
	}
	if statusFault(order.Terms.Referrer, order.Status, v.now().Sub(order.UpdatedAt)) {
		answer.Status = unknownStatus
	}
	return answer
}

// venueID is the API's id of a chain of the catalog.
func venueID(chainID int64) int64 {
	facts, _ := catalog.ChainByID(chainID)
	return facts.Venues[catalogName].ChainID
}

func (v *Venue) serveStatus(w http.ResponseWriter, r *http.Request) {
	answer, err := v.status(r)
	if err != nil {
		v.answerError(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, answer)
}

// serveStatusV2 has no word for submitted: it says pending.
func (v *Venue) serveStatusV2(w http.ResponseWriter, r *http.Request) {
	answer, err := v.status(r)
	if err != nil {
		v.answerError(w, r, err)
		return
	}
	if answer.Status == string(orders.Submitted) {
		answer.Status = string(orders.Pending)
	}
	answerJSON(w, http.StatusOK, relaywire.StatusV2{
		Status: answer.Status, InTxHashes: answer.InTxHashes, TxHashes: answer.TxHashes, Time: answer.UpdatedAt,
		OriginChainID: answer.OriginChainID, DestinationChainID: answer.DestinationChainID,
	})
}
