package apphttp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/internal/fault"
	"tenfold/internal/movement"
	"tenfold/internal/swap"
	"tenfold/internal/transfer"
)

// MovementRequest asks for a movement. A transfer has chainId, asset, amount and
// recipient; a swap has quoteId and digest.
type MovementRequest struct {
	Kind      string `json:"kind" enum:"transfer,swap"`
	ChainID   int64  `json:"chainId,omitempty"`
	Asset     string `json:"asset,omitempty" maxLength:"64"`
	Amount    string `json:"amount,omitempty" maxLength:"100" doc:"Base units."`
	Recipient string `json:"recipient,omitempty" maxLength:"128"`
	QuoteID   string `json:"quoteId,omitempty" maxLength:"64"`
	Digest    string `json:"digest,omitempty" maxLength:"64"`
}

// MovementList is one page of movements, newest first.
type MovementList struct {
	Movements []Movement `json:"movements"`
	Next      *string    `json:"next" doc:"To be sent as before for the next page; null at the end."`
}

type createMovementInput struct {
	Keyed
	Body MovementRequest
}

type movementInput struct {
	ID string `path:"id" maxLength:"64"`
}

type listMovementsInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"25"`
	Before string `query:"before" maxLength:"64"`
}

// SignatureList brings the signed transactions of a movement's steps.
type SignatureList struct {
	Signatures []Signature `json:"signatures" minItems:"1" maxItems:"8"`
}

// Signature is the signed form of one step.
type Signature struct {
	Step              int    `json:"step" minimum:"0" maximum:"7"`
	SignedTransaction string `json:"signedTransaction" maxLength:"65536" doc:"Hex, with or without 0x."`
}

type confirmInput struct {
	Keyed
	ID   string `path:"id" maxLength:"64"`
	Body SignatureList
}

type cancelInput struct {
	Keyed
	ID string `path:"id" maxLength:"64"`
}

func (a *API) registerMovements() {
	// A draft asks as much of the nodes as a quote does of the venues, and leaves a row.
	limit := a.limited(func(l Limits) Limiter { return l.Quotes })
	create := a.operation("createMovement", http.MethodPost, "/movements",
		"Build and check the transactions of a transfer or swap", signedIn, limit, a.requireIdempotencyKey)
	create.DefaultStatus = http.StatusCreated
	huma.Register(a.huma, create, a.createMovement)
	huma.Register(a.huma, a.operation("listMovements", http.MethodGet, "/movements", "The person's movements, newest first", signedIn), a.listMovements)
	huma.Register(a.huma, a.operation("getMovement", http.MethodGet, "/movements/{id}", "One movement", signedIn), a.getMovement)
	huma.Register(a.huma, a.operation("confirmMovement", http.MethodPost, "/movements/{id}/signatures",
		"Bring the signed transactions; they are stored, then sent", signedIn, a.requireIdempotencyKey), a.confirmMovement)
	huma.Register(a.huma, a.operation("cancelMovement", http.MethodPost, "/movements/{id}/cancellation",
		"Give up a movement that is not signed", signedIn, a.requireIdempotencyKey), a.cancelMovement)
}

func (a *API) createMovement(ctx context.Context, in *createMovementInput) (*answer[Movement], error) {
	who := sessionOf(ctx)
	build, err := a.buildOf(who.OrganizationID, in.Body)
	if err != nil {
		return nil, a.failed(ctx, "createMovement", err)
	}
	m, err := a.Movements.Create(ctx, movement.Intent{
		OrganizationID: who.OrganizationID, UserID: who.UserID,
		Idempotency: idempotency(in.Key, "createMovement", in.Body),
	}, build)
	return a.movementAnswer(ctx, "createMovement", m, err)
}

// buildOf picks the domain that prepares the movement. Fields of the other kind
// are refused rather than ignored.
func (a *API) buildOf(organizationID string, b MovementRequest) (movement.Build, error) {
	transferFields := b.ChainID != 0 || b.Asset != "" || b.Amount != "" || b.Recipient != ""
	swapFields := b.QuoteID != "" || b.Digest != ""
	switch {
	case b.Kind == string(movement.KindTransfer) && !swapFields:
		request := transfer.Request{ChainID: b.ChainID, Asset: b.Asset, Amount: b.Amount, Recipient: b.Recipient}
		return func(ctx context.Context) (movement.Draft, error) {
			return a.Transfers.Draft(ctx, organizationID, request)
		}, nil
	case b.Kind == string(movement.KindSwap) && !transferFields:
		request := swap.Request{QuoteID: b.QuoteID, Digest: b.Digest}
		return func(ctx context.Context) (movement.Draft, error) {
			return a.Swaps.Draft(ctx, organizationID, request)
		}, nil
	default:
		return nil, fault.New(fault.InvalidRequest, "The request is not valid.")
	}
}

func (a *API) listMovements(ctx context.Context, in *listMovementsInput) (*answer[MovementList], error) {
	// One more than asked tells whether there is a next page.
	found, err := a.Movements.List(ctx, sessionOf(ctx).OrganizationID, movement.Page{Limit: in.Limit + 1, Before: in.Before})
	if err != nil {
		return nil, a.failed(ctx, "listMovements", err)
	}
	list := MovementList{Movements: []Movement{}}
	if len(found) > in.Limit {
		found = found[:in.Limit]
		list.Next = &found[in.Limit-1].ID
	}
	for _, m := range found {
		list.Movements = append(list.Movements, MovementView(m))
	}
	return &answer[MovementList]{Body: list}, nil
}

func (a *API) getMovement(ctx context.Context, in *movementInput) (*answer[Movement], error) {
	m, err := a.Movements.Get(ctx, sessionOf(ctx).OrganizationID, in.ID)
	return a.movementAnswer(ctx, "getMovement", m, err)
}

func (a *API) confirmMovement(ctx context.Context, in *confirmInput) (*answer[Movement], error) {
	confirmation := movement.Confirmation{
		OrganizationID: sessionOf(ctx).OrganizationID, MovementID: in.ID,
		Idempotency: idempotency(in.Key, "confirmMovement "+in.ID, in.Body),
	}
	for _, s := range in.Body.Signatures {
		signed, err := decodeHex(s.SignedTransaction)
		if err != nil {
			return nil, a.failed(ctx, "confirmMovement",
				fault.Wrap(fault.SignatureMismatch, "The signed transaction is not the one that was asked for.", err))
		}
		confirmation.Signatures = append(confirmation.Signatures, movement.Signature{Step: s.Step, SignedTransaction: signed})
	}
	m, err := a.Movements.Confirm(ctx, confirmation)
	return a.movementAnswer(ctx, "confirmMovement", m, err)
}

func (a *API) cancelMovement(ctx context.Context, in *cancelInput) (*answer[Movement], error) {
	m, err := a.Movements.Cancel(ctx, movement.Cancellation{
		OrganizationID: sessionOf(ctx).OrganizationID, MovementID: in.ID,
	})
	return a.movementAnswer(ctx, "cancelMovement", m, err)
}

func (a *API) movementAnswer(ctx context.Context, operation string, m movement.Movement, err error) (*answer[Movement], error) {
	if err != nil {
		return nil, a.failed(ctx, operation, err)
	}
	return &answer[Movement]{Body: MovementView(m)}, nil
}

// idempotency hashes what was asked, not how it was written: the decoded body in
// its one encoding.
func idempotency[T any](key, operation string, body T) movement.Idempotency {
	sum := sha256.New()
	sum.Write([]byte(operation + "\n"))
	// Bodies are structs of strings, numbers and lists: encoding can't fail.
	_ = json.NewEncoder(sum).Encode(body)
	return movement.Idempotency{Key: key, BodyHash: hex.EncodeToString(sum.Sum(nil))}
}

// decodeHex takes custody's two ways of writing a transaction: with and without 0x.
func decodeHex(text string) ([]byte, error) {
	if len(text) > 1 && text[0] == '0' && text[1] == 'x' {
		text = text[2:]
	}
	return hex.DecodeString(text)
}
