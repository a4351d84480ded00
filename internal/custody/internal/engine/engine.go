// Package engine carries out authenticated custody requests: the queries, and the
// activities with their fingerprints.
//
// It owns the registry of activity types and the rule that a request runs at most
// once. It must never look into a header or verify a signature itself.
//
// Layer: domain (custody).
package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"tenfold/catalog"
	"tenfold/internal/custody/internal/authn"
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/sqldb"
	"tenfold/internal/stamp"
)

// Engine serves requests on one store.
type Engine struct {
	store         *store.Store
	authenticator *authn.Authenticator
	party         stamp.RelyingParty
	limits        catalog.Limits
	now           func() time.Time
}

// New returns an engine whose passkeys belong to the relying party.
func New(s *store.Store, party stamp.RelyingParty, now func() time.Time) *Engine {
	return &Engine{
		store:         s,
		authenticator: authn.New(s, party),
		party:         party,
		limits:        catalog.CurrentLimits(),
		now:           now,
	}
}

// Query answers a read: name is the last part of its path. The answer is JSON;
// the error is a *wire.Error, or unclassified for a failure of ours.
func (e *Engine) Query(ctx context.Context, name string, header http.Header, body []byte) ([]byte, error) {
	q, known := queries[name]
	if !known {
		return nil, wire.Missing("Not Found")
	}
	proof, err := e.authenticator.Verify(ctx, header, body)
	if err != nil {
		return nil, err
	}
	var envelope wire.Query
	if err := wire.Decode(body, &envelope); err != nil {
		return nil, err
	}
	if err := wire.CheckOrganizationID(envelope.OrganizationID); err != nil {
		return nil, err
	}
	caller, err := e.authenticator.Resolve(ctx, proof, envelope.OrganizationID, q.access, e.now().UnixMilli())
	if err != nil {
		return nil, err
	}
	var answer any
	err = e.store.Read(ctx, func(tx *store.Tx) (err error) {
		answer, err = q.answer(view{tx: tx, caller: caller, organizationID: envelope.OrganizationID}, body)
		return err
	})
	if err != nil {
		return nil, err
	}
	return wire.Encode(answer)
}

// Submit carries out a write: name is the last part of its path. The same body
// runs once; later it is answered with the activity of then, without the secrets
// that the first answer disclosed.
func (e *Engine) Submit(ctx context.Context, name string, header http.Header, body []byte) ([]byte, error) {
	byType, known := activities[name]
	if !known {
		return nil, wire.Missing("Not Found")
	}
	proof, err := e.authenticator.Verify(ctx, header, body)
	if err != nil {
		return nil, err
	}
	var request wire.Submit
	if err := wire.Decode(body, &request); err != nil {
		return nil, err
	}
	kind, known := byType[request.Type]
	if !known {
		return nil, wire.Invalid("bad request body: activity type %q is not served at %s", request.Type, name)
	}
	now := e.now().UnixMilli()
	if err := e.checkRequest(request, now); err != nil {
		return nil, err
	}
	caller, err := e.authenticator.Resolve(ctx, proof, request.OrganizationID, kind.access, now)
	if err != nil {
		return nil, err
	}
	run := execution{engine: e, caller: caller, now: now, request: request, body: body}
	return e.once(ctx, kind, run)
}

// checkRequest applies the checks of an envelope that need no caller.
func (e *Engine) checkRequest(request wire.Submit, now int64) error {
	if err := wire.CheckOrganizationID(request.OrganizationID); err != nil {
		return err
	}
	sent := int64(request.TimestampMs)
	if sent < now-e.limits.Custody.TimestampPastMs || sent > now+e.limits.Custody.TimestampFutureMs {
		return wire.Invalid("invalid timestampMs: must be less than 1 hour old and not more than 5 minutes in the future").Named("INVALID_TIME")
	}
	if len(request.Parameters) == 0 || request.Parameters[0] != '{' {
		return wire.Invalid("bad request body: missing parameters")
	}
	return nil
}

// once runs an activity, or finds the one that the same bytes made before. All
// of it is one transaction: an activity that does not complete leaves nothing.
func (e *Engine) once(ctx context.Context, kind activity, run execution) ([]byte, error) {
	digest := sha256.Sum256(run.body)
	fingerprint := "sha256:" + hex.EncodeToString(digest[:])
	var answer any
	err := e.store.Write(ctx, func(tx *store.Tx) error {
		run.tx = tx
		earlier, err := tx.ActivityByFingerprint(run.caller.Organization.ID, fingerprint)
		if err == nil {
			answer, err = activityAnswer(view{tx: tx, caller: run.caller}, earlier, nil)
			return err
		}
		if !errors.Is(err, sqldb.ErrNotFound) {
			return err
		}
		answer, err = run.perform(kind, fingerprint)
		return err
	})
	if err != nil {
		return nil, err
	}
	return wire.Encode(answer)
}

// execution is one run of an activity.
type execution struct {
	engine     *Engine
	tx         *store.Tx
	caller     authn.Caller
	now        int64
	request    wire.Submit
	body       []byte
	activityID string
}

// perform stores the activity, runs it and completes it.
func (run execution) perform(kind activity, fingerprint string) (any, error) {
	intent, err := wire.DropNulls(run.request.Parameters)
	if err != nil {
		return nil, err
	}
	if run.activityID, err = newID(); err != nil {
		return nil, err
	}
	row := store.Activity{
		ID: run.activityID, OrganizationID: run.caller.Organization.ID, Fingerprint: fingerprint, ActivityType: kind.name,
		Status: wire.StatusPending, Intent: string(intent), Result: "{}", CreatedAt: run.now, UpdatedAt: run.now,
	}
	if err := run.tx.InsertActivity(row); err != nil {
		return nil, err
	}
	if err := run.vote(); err != nil {
		return nil, err
	}
	done, err := kind.execute(run, run.request.Parameters)
	if err != nil {
		return nil, err
	}
	result, err := wire.Encode(done.stored)
	if err != nil {
		return nil, err
	}
	row.Status, row.Result = wire.StatusCompleted, string(result)
	if err := run.tx.CompleteActivity(row, wire.StatusPending); err != nil {
		return nil, err
	}
	return activityAnswer(view{tx: run.tx, caller: run.caller}, row, done.disclosed)
}

// vote records the submitter's request as the first vote.
func (run execution) vote() error {
	id, err := newID()
	if err != nil {
		return err
	}
	return run.tx.InsertVote(store.Vote{
		ID: id, ActivityID: run.activityID, UserID: run.caller.User.ID, Selection: wire.VoteApproved, Message: run.body,
		PublicKey: run.caller.PublicKey, Signature: run.caller.Signature, Scheme: run.caller.Scheme, CreatedAt: run.now,
	})
}

// activityAnswer is {"activity": …} as the caller may see it. disclosed, when not
// nil, stands in for the stored result: it has what is shown once.
func activityAnswer(v view, row store.Activity, disclosed any) (any, error) {
	kind, known := kindOf(row.ActivityType)
	if !known {
		return nil, fmt.Errorf("stored activity of unknown type %s", row.ActivityType)
	}
	result := json.RawMessage(row.Result)
	if disclosed != nil {
		encoded, err := wire.Encode(disclosed)
		if err != nil {
			return nil, err
		}
		result = encoded
	}
	votes, err := v.votes(row)
	if err != nil {
		return nil, err
	}
	return struct {
		Activity wire.Activity `json:"activity"`
	}{wire.Activity{
		ID: row.ID, OrganizationID: row.OrganizationID, Status: row.Status, Type: row.ActivityType,
		Intent: map[string]json.RawMessage{kind.intentKey: json.RawMessage(row.Intent)},
		Result: map[string]json.RawMessage{kind.resultKey: result},
		Votes:  votes, Fingerprint: row.Fingerprint,
		// A completed activity shows these two in the provider's captures.
		CanApprove: false, CanReject: true,
		CreatedAt: wire.TimestampOf(row.CreatedAt), UpdatedAt: wire.TimestampOf(row.UpdatedAt),
	}}, nil
}

// newID makes an id whose order is the order of creation.
func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make id: %w", err)
	}
	return id.String(), nil
}
