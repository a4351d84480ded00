// Package swap owns the carrying out of an accepted quote: it finds the quote
// again, checks that it is the one that was shown and still fresh, builds its
// transactions, and lets nothing through that decodes to something else. It
// must never ask a venue for a new price behind the person's back.
//
// Layer: domain.
package swap

// Request accepts a quote. Digest is the one that came with it.
type Request struct {
	QuoteID string
	Digest  string
}
