package solana

import (
	"slices"

	"github.com/gagliardetto/solana-go"

	"tenfold/internal/chain"
)

// entry is an effect with the token accounts that it takes from and gives to,
// zero where it has none.
type entry struct {
	chain.Effect
	source, target solana.PublicKey
}

// fold makes one effect of what belongs together: a swap through two pools, an
// unwrap of a part, and the wrapping around a swap. Whatever does not fit stays in
// the list, for checks to refuse.
func (r *reader) fold() []chain.Effect {
	r.joinSwaps()
	r.joinUnwrap()
	r.foldWrapping()
	effects := make([]chain.Effect, len(r.list))
	for i, e := range r.list {
		effects[i] = e.Effect
	}
	return effects
}

// joinSwaps makes one swap of two that follow each other at once, when the second
// spends from the sender's account that the first pays, and no more than it is
// sure to pay. The minimum is the second's.
func (r *reader) joinSwaps() {
	i := slices.IndexFunc(r.list, func(e entry) bool { return e.Kind == chain.EffectSwap })
	if i < 0 || i+1 >= len(r.list) || r.list[i+1].Kind != chain.EffectSwap {
		return
	}
	first, second := r.list[i], r.list[i+1]
	_, between := r.chain.AssetAt(first.AssetOut)
	joins := between && first.target == second.source && first.Recipient == r.from.String() && first.Contract == second.Contract &&
		second.Amount.Cmp(first.MinimumOut) <= 0 && first.Asset != second.AssetOut
	if !joins {
		return
	}
	second.Via, second.Asset, second.Amount, second.source = first.AssetOut, first.Asset, first.Amount, first.source
	r.list = slices.Replace(r.list, i, i+2, second)
}

// joinUnwrap makes one unwrap of a transfer to the temporary account and its
// closing. With a swap in the transaction the account is the swap's.
func (r *reader) joinUnwrap() {
	i, transfer := r.index(chain.EffectUnwrap), r.index(chain.EffectTransfer)
	swaps := slices.ContainsFunc(r.list, func(e entry) bool { return e.Kind == chain.EffectSwap })
	if swaps || i < 0 || transfer < 0 || transfer+1 != i {
		return
	}
	paid, closed := r.list[transfer], r.list[i]
	if !r.temporary.is(closed.source) || paid.target != closed.source {
		return
	}
	closed.Amount, closed.MinimumOut = paid.Amount, paid.Amount
	r.list = slices.Replace(r.list, transfer, i+1, closed)
}

// foldWrapping makes one effect of a swap and the wrapping around it: a wrap of
// exactly what the swap takes turns it into a swap of SOL, and closing the wrapped
// account that it pays turns what it gives the sender into SOL. Opening the
// sender's own wrapped account on the way says nothing more and is left out when
// it is closed again.
func (r *reader) foldWrapping() {
	swap := r.index(chain.EffectSwap)
	if swap < 0 {
		return
	}
	e := r.list[swap]
	coin, wrapped, own := r.chain.TokenAddress, r.chain.WrappedToken.Address, r.from.String()
	var drop []int
	if i := r.index(chain.EffectWrap); i >= 0 && i < swap && e.Asset == wrapped && r.list[i].Amount.Cmp(e.Amount) == 0 {
		e.Asset, drop = coin, append(drop, i)
	}
	if i := r.index(chain.EffectUnwrap); i > swap {
		closed := r.list[i].source
		switch {
		case e.AssetOut == wrapped && e.Recipient == own && e.target == closed:
			e.AssetOut, drop = coin, append(drop, i)
		case e.Asset == coin && e.source == closed: // the wrap above was for this swap, so the account is empty again
			drop = append(drop, i)
		}
		ordinary := closed == tokenAccount(r.from, solana.WrappedSol)
		if j := r.openedWrapped(wrapped, own); ordinary && j >= 0 && j < swap && slices.Contains(drop, i) {
			drop = append(drop, j)
		}
	}
	r.list[swap] = e
	var kept []entry
	for i, effect := range r.list {
		if !slices.Contains(drop, i) {
			kept = append(kept, effect)
		}
	}
	r.list = kept
}

// index is the place of the only effect of a kind, -1 when there is not exactly
// one.
func (r *reader) index(kind chain.EffectKind) int {
	found := -1
	for i, e := range r.list {
		if e.Kind == kind {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

func (r *reader) openedWrapped(wrapped, own string) int {
	return slices.IndexFunc(r.list, func(e entry) bool {
		return e.Kind == chain.EffectCreateAccount && e.Asset == wrapped && e.Recipient == own
	})
}
