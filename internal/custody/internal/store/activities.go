package store

import (
	"fmt"

	"tenfold/internal/custody/internal/store/queries"
	"tenfold/internal/seal"
	"tenfold/internal/sqldb"
)

// InsertActivity stores a new activity. The error is sqldb.ErrUniqueViolation
// when the organization has one with this fingerprint.
func (tx *Tx) InsertActivity(a Activity) error {
	if err := tx.queries.InsertActivity(tx.ctx, queries.InsertActivityParams(a)); err != nil {
		return fmt.Errorf("insert activity: %w", err)
	}
	return nil
}

// CompleteActivity moves an activity from the status before to a's own and
// stores its result. The error is sqldb.ErrNotFound when it was not in before.
func (tx *Tx) CompleteActivity(a Activity, before string) error {
	changed, err := tx.queries.CompleteActivity(tx.ctx, queries.CompleteActivityParams{
		ID: a.ID, Status: before, Status_2: a.Status, Result: a.Result, UpdatedAt: a.UpdatedAt,
	})
	if err != nil {
		return fmt.Errorf("complete activity: %w", err)
	}
	if changed == 0 {
		return fmt.Errorf("complete activity: %w", sqldb.ErrNotFound)
	}
	return nil
}

// ActivityByFingerprint reads an organization's activity, or sqldb.ErrNotFound.
func (tx *Tx) ActivityByFingerprint(organizationID, fingerprint string) (Activity, error) {
	a, err := tx.queries.ActivityByFingerprint(tx.ctx,
		queries.ActivityByFingerprintParams{OrganizationID: organizationID, Fingerprint: fingerprint})
	if err != nil {
		return Activity{}, fmt.Errorf("read activity: %w", err)
	}
	return a, nil
}

// Activity reads an activity of any organization, or sqldb.ErrNotFound: the
// caller checks whose it is.
func (tx *Tx) Activity(id string) (Activity, error) {
	a, err := tx.queries.Activity(tx.ctx, id)
	if err != nil {
		return Activity{}, fmt.Errorf("read activity: %w", err)
	}
	return a, nil
}

// InsertVote stores a vote.
func (tx *Tx) InsertVote(v Vote) error {
	if err := tx.queries.InsertVote(tx.ctx, queries.InsertVoteParams(v)); err != nil {
		return fmt.Errorf("insert vote: %w", err)
	}
	return nil
}

// Votes reads an activity's votes in the order they were given.
func (tx *Tx) Votes(activityID string) ([]Vote, error) {
	found, err := tx.queries.Votes(tx.ctx, activityID)
	if err != nil {
		return nil, fmt.Errorf("read votes: %w", err)
	}
	return found, nil
}

// InsertSignatureAudit stores the record of a signature that is about to be made.
func (tx *Tx) InsertSignatureAudit(a SignatureAudit) (err error) {
	place := seal.Place{Owner: a.OrganizationID, Table: "signature_audit", Row: a.ID}
	a.Mac, err = tx.authenticate(place, [][]byte{
		text(a.ActivityID), text(a.UserID), text(a.CredentialID), text(a.WalletAccountID),
		text(a.Purpose), text(a.PayloadDigest), number(a.CreatedAt),
	})
	if err != nil {
		return err
	}
	if err := tx.queries.InsertSignatureAudit(tx.ctx, queries.InsertSignatureAuditParams(a)); err != nil {
		return fmt.Errorf("write signature audit: %w", err)
	}
	return nil
}
