package solana

import (
	"slices"

	"tenfold/internal/chain"
)

// fold makes one effect of a swap and the wrapping around it: a wrap of exactly
// what the swap takes turns it into a swap of SOL, and closing the wrapped
// account after it turns what it gives the sender into SOL. Opening the sender's
// own wrapped account on the way says nothing more and is left out when it is
// closed again. Whatever does not fit stays in the list, for checks to refuse.
func (r *reader) fold() []chain.Effect {
	swap := r.index(chain.EffectSwap)
	if swap < 0 {
		return r.list
	}
	e := r.list[swap]
	coin, wrapped, own := r.chain.TokenAddress, r.chain.WrappedToken.Address, r.from.String()
	var drop []int
	if i := r.index(chain.EffectWrap); i >= 0 && i < swap && e.Asset == wrapped && r.list[i].Amount.Cmp(e.Amount) == 0 {
		e.Asset, drop = coin, append(drop, i)
	}
	if i := r.index(chain.EffectUnwrap); i > swap {
		switch {
		case e.AssetOut == wrapped && e.Recipient == own:
			e.AssetOut, drop = coin, append(drop, i)
		case e.Asset == coin: // the wrap above was for this swap, so the account is empty again
			drop = append(drop, i)
		}
		if j := r.openedWrapped(wrapped, own); j >= 0 && j < swap && slices.Contains(drop, i) {
			drop = append(drop, j)
		}
	}
	r.list[swap] = e
	var kept []chain.Effect
	for i, effect := range r.list {
		if !slices.Contains(drop, i) {
			kept = append(kept, effect)
		}
	}
	return kept
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
	return slices.IndexFunc(r.list, func(e chain.Effect) bool {
		return e.Kind == chain.EffectCreateAccount && e.Asset == wrapped && e.Recipient == own
	})
}
