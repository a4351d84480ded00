package quote

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"tenfold/internal/fault"
)

// digest covers every fact of an offer and its expiry: whoever echoes it has
// seen these facts. The stored offer is digested again at the confirmation, so
// a changed row is found out too.
func digest(s Stored) (string, error) {
	facts, err := json.Marshal(struct {
		ID        string
		Offer     Offer
		ExpiresAt int64
	}{s.ID, s.Offer, s.ExpiresAt.UnixMilli()})
	if err != nil {
		return "", fmt.Errorf("quote: encode facts: %w", err)
	}
	sum := sha256.Sum256(facts)
	return hex.EncodeToString(sum[:]), nil
}

// Accept finds an offer again for its confirmation. Faults: quote_not_found for
// a missing one and for another person's, quote_altered when the digest is not
// the one of the stored facts, quote_expired.
func (s *Service) Accept(ctx context.Context, organizationID, id, echoed string) (Stored, error) {
	stored, ok, err := s.store.Quote(ctx, organizationID, id)
	if err != nil {
		return Stored{}, fmt.Errorf("quote: find: %w", err)
	}
	if !ok {
		return Stored{}, fault.New(fault.QuoteNotFound, "This quote does not exist. Please get a new one.")
	}
	facts, err := digest(stored)
	if err != nil {
		return Stored{}, err
	}
	if subtle.ConstantTimeCompare([]byte(facts), []byte(echoed)) != 1 {
		return Stored{}, fault.New(fault.QuoteAltered, "The quote has changed since it was shown. Please review it again.")
	}
	if !s.now().Before(stored.ExpiresAt) {
		return Stored{}, fault.New(fault.QuoteExpired, "This quote has expired. Please get a new one.")
	}
	return stored, nil
}
