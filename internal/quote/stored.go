package quote

import "time"

// Stored is an offer that was made to a person. Its digest covers every fact
// that he was shown, so that a confirmation is of these facts or of nothing.
type Stored struct {
	ID             string // UUIDv7
	OrganizationID string
	Offer          Offer
	Digest         string // hex sha256 over the facts
	CreatedAt      time.Time
	ExpiresAt      time.Time
}
