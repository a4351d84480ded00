package movement

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"tenfold/internal/chain"
	"tenfold/internal/fault"
)

// Messages for a person.
const (
	messageNotFound      = "This movement does not exist."
	messageExpired       = "This review has expired. Nothing was sent. Please review it again."
	messageAlreadySigned = "This movement was already confirmed."
	messageNonceTaken    = "Another transaction of yours took this one's place. Nothing was sent. Please review it again."
	messageKeyReused     = "This request key was already used for something else."
	messageInProgress    = "Another transaction of yours on this chain is still being sent. Please try again in a moment."
	messageSigned        = "The signatures do not belong to this movement. Nothing was sent."
)

// InProgress is the code for a movement that has to wait for another one's
// transactions.
const InProgress fault.Code = "transaction_in_progress"

// maxPage bounds a list.
const maxPage = 101

// Service creates, confirms, cancels and lists movements.
type Service struct {
	store    Store
	chains   Chains
	observer Observer
	poke     func()
	now      func() time.Time
}

// NewService makes the service. poke wakes the engine.
func NewService(store Store, chains Chains, observer Observer, poke func(), now func() time.Time) *Service {
	return &Service{store: store, chains: chains, observer: observer, poke: poke, now: now}
}

// Create makes the movement of an intent, once: the same key with the same body
// gives the same movement, without building it again; another body is
// idempotency_key_reused. Build's faults pass through.
func (s *Service) Create(ctx context.Context, intent Intent, build Build) (Movement, error) {
	if m, done, err := s.replayed(ctx, intent.OrganizationID, intent.Idempotency); done || err != nil {
		return m, err
	}
	draft, err := build(ctx)
	if err != nil {
		return Movement{}, err
	}
	if err := s.checkLane(ctx, draft); err != nil {
		return Movement{}, err
	}
	m, err := s.fromDraft(intent, draft)
	if err != nil {
		return Movement{}, err
	}
	err = s.store.InsertMovement(ctx, m, intent.Idempotency)
	if errors.Is(err, ErrTaken) {
		return s.afterCollision(ctx, intent, draft)
	}
	if err != nil {
		return Movement{}, fmt.Errorf("movement: insert: %w", err)
	}
	return m, nil
}

// checkLane refuses transactions that would take the place of ones that are
// signed and not sent yet, such as the swap that waits for its approval.
func (s *Service) checkLane(ctx context.Context, d Draft) error {
	for _, step := range d.Steps {
		u := step.Unsigned
		if u.Nonce == nil {
			continue
		}
		used, err := s.store.NonceInUse(ctx, u.ChainID, u.From, *u.Nonce)
		if err != nil {
			return fmt.Errorf("movement: find nonce: %w", err)
		}
		if used {
			return fault.New(InProgress, messageInProgress)
		}
	}
	return nil
}

// replayed answers a key that was seen before.
func (s *Service) replayed(ctx context.Context, organizationID string, key Idempotency) (m Movement, done bool, err error) {
	use, known, err := s.store.Key(ctx, organizationID, key.Key)
	if err != nil {
		return Movement{}, false, fmt.Errorf("movement: find key: %w", err)
	}
	if !known {
		return Movement{}, false, nil
	}
	if use.BodyHash != key.BodyHash {
		return Movement{}, false, fault.New(fault.KeyReused, messageKeyReused)
	}
	m, err = s.Get(ctx, organizationID, use.MovementID)
	return m, err == nil, err
}

// afterCollision settles a lost race: the same request twice at once, or one
// quote confirmed under two keys. The movement that won is the answer as long
// as it waits for its signature.
func (s *Service) afterCollision(ctx context.Context, intent Intent, draft Draft) (Movement, error) {
	if m, done, err := s.replayed(ctx, intent.OrganizationID, intent.Idempotency); done || err != nil {
		return m, err
	}
	m, ok, err := s.store.MovementOfQuote(ctx, intent.OrganizationID, draft.QuoteID)
	switch {
	case err != nil:
		return Movement{}, fmt.Errorf("movement: find by quote: %w", err)
	case !ok:
		return Movement{}, fault.New(fault.KeyReused, messageKeyReused)
	case m.State == NeedsSignature && s.now().Before(m.ExpiresAt):
		return m, nil
	case m.State == NeedsSignature || m.State == Cancelled || m.State == Expired:
		return Movement{}, fault.New(fault.QuoteExpired, "This quote has expired. Please get a new one.")
	default:
		return Movement{}, fault.New(fault.AlreadySigned, messageAlreadySigned)
	}
}

func (s *Service) fromDraft(intent Intent, d Draft) (Movement, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Movement{}, fmt.Errorf("movement: new id: %w", err)
	}
	now := s.now()
	m := Movement{
		ID: id.String(), OrganizationID: intent.OrganizationID, UserID: intent.UserID,
		Kind: d.Kind, State: Drafted, Version: 1,
		Venue: d.Venue, QuoteID: d.QuoteID, RequestID: d.RequestID,
		From: d.From, To: d.To, MaximumFee: d.maximumFee(), Simulated: d.Simulated,
		Timeline:  []Moment{{State: Drafted, At: now}},
		CreatedAt: now, UpdatedAt: now, ExpiresAt: d.ExpiresAt, ExpectedSeconds: d.ExpectedSeconds,
	}
	for i, step := range d.Steps {
		m.Steps = append(m.Steps, Step{Index: i, Kind: step.Kind, State: StepNeedsSignature, Unsigned: step.Unsigned})
	}
	if len(m.Steps) == 0 {
		return Movement{}, errors.New("movement: a draft without steps")
	}
	return m, m.become(NeedsSignature, now)
}

// Confirm takes the signatures of all steps: it proves that each signs exactly
// the bytes that were built, stores them, and only then wakes the engine. The
// same confirmation again gives the same movement and sends nothing twice.
// Faults: movement_not_found, movement_expired, already_signed,
// signature_mismatch, idempotency_key_reused.
func (s *Service) Confirm(ctx context.Context, c Confirmation) (Movement, error) {
	if m, done, err := s.replayed(ctx, c.OrganizationID, c.Idempotency); done || err != nil {
		return m, err
	}
	was, err := s.Get(ctx, c.OrganizationID, c.MovementID)
	if err != nil {
		return Movement{}, err
	}
	signed, err := s.checkSignatures(was, c.Signatures)
	if err != nil {
		return Movement{}, err
	}
	if was.State != NeedsSignature {
		return alreadyAnswered(was, signed)
	}
	now := s.now()
	if !now.Before(was.ExpiresAt) {
		return Movement{}, s.expire(ctx, was, messageExpired)
	}
	m := was.clone()
	for i := range m.Steps {
		m.Steps[i].Signed, m.Steps[i].State = &signed[i], StepSigned
	}
	if err := m.become(Signed, now); err != nil {
		return Movement{}, err
	}
	m.UpdatedAt = now
	err = s.store.SaveSigned(ctx, m, was, c.Idempotency)
	switch {
	case errors.Is(err, ErrNonceTaken):
		return Movement{}, s.expire(ctx, was, messageNonceTaken)
	case errors.Is(err, ErrStale), errors.Is(err, ErrTaken):
		// Somebody answered at the same moment: what is stored now decides.
		return s.Confirm(ctx, c)
	case err != nil:
		return Movement{}, fmt.Errorf("movement: save signatures: %w", err)
	}
	m.Version++
	s.observer.MovementChanged(m)
	s.poke()
	return m, nil
}

// checkSignatures pairs each step with its signature. It needs no state, so a
// wrong signature is told as such whatever became of the movement.
func (s *Service) checkSignatures(m Movement, given []Signature) ([]chain.Signed, error) {
	if len(given) != len(m.Steps) {
		return nil, fault.Wrap(fault.SignatureMismatch, messageSigned, fmt.Errorf("%d signatures for %d steps", len(given), len(m.Steps)))
	}
	signed := make([]chain.Signed, len(m.Steps))
	seen := make([]bool, len(m.Steps))
	for _, g := range given {
		if g.Step < 0 || g.Step >= len(m.Steps) || seen[g.Step] {
			return nil, fault.Wrap(fault.SignatureMismatch, messageSigned, fmt.Errorf("signature for step %d", g.Step))
		}
		seen[g.Step] = true
		u := m.Steps[g.Step].Unsigned
		adapter, ok := s.chains.Adapter(u.ChainID)
		if !ok {
			return nil, fmt.Errorf("movement: no adapter of chain %d", u.ChainID)
		}
		checked, err := adapter.CheckSigned(u, g.SignedTransaction)
		if err != nil {
			return nil, err
		}
		signed[g.Step] = checked
	}
	return signed, nil
}

// alreadyAnswered decides a confirmation of a movement that no longer waits: the
// very signatures that are stored are a repetition, others are refused.
func alreadyAnswered(m Movement, signed []chain.Signed) (Movement, error) {
	switch m.State {
	case Expired, Cancelled:
		if m.Steps[0].Signed == nil {
			return Movement{}, fault.New(fault.MovementExpired, messageExpired)
		}
	}
	for i, s := range signed {
		if m.Steps[i].Signed == nil || m.Steps[i].Signed.Hash != s.Hash {
			return Movement{}, fault.New(fault.AlreadySigned, messageAlreadySigned)
		}
	}
	return m, nil
}

// expire ends a movement whose signatures came too late and says so.
func (s *Service) expire(ctx context.Context, was Movement, message string) error {
	if err := s.end(ctx, was, Expired); err != nil && !errors.Is(err, ErrStale) {
		return err
	}
	return fault.New(fault.MovementExpired, message).With("Nothing left your wallet.")
}

// Cancel gives up a movement that is not signed. Cancelling twice is no error; a
// signed one is already_signed.
func (s *Service) Cancel(ctx context.Context, c Cancellation) (Movement, error) {
	was, err := s.Get(ctx, c.OrganizationID, c.MovementID)
	if err != nil {
		return Movement{}, err
	}
	switch {
	case was.State == Cancelled:
		return was, nil
	case was.State == Expired && was.Steps[0].Signed == nil:
		return was, nil
	case was.State != NeedsSignature:
		return Movement{}, fault.New(fault.AlreadySigned, messageAlreadySigned)
	}
	err = s.end(ctx, was, Cancelled)
	if errors.Is(err, ErrStale) {
		return s.Cancel(ctx, c)
	}
	if err != nil {
		return Movement{}, err
	}
	return s.Get(ctx, c.OrganizationID, c.MovementID)
}

// end moves an unsigned movement to a final state.
func (s *Service) end(ctx context.Context, was Movement, state State) error {
	m := was.clone()
	now := s.now()
	if err := m.become(state, now); err != nil {
		return err
	}
	m.UpdatedAt = now
	for i := range m.Steps {
		m.Steps[i].State = StepExpired
	}
	if err := s.store.SaveMovement(ctx, m, was); err != nil {
		return fmt.Errorf("movement: end: %w", err)
	}
	m.Version++
	s.observer.MovementChanged(m)
	return nil
}

// Get finds a person's movement. Another person's is movement_not_found like a
// missing one.
func (s *Service) Get(ctx context.Context, organizationID, id string) (Movement, error) {
	m, ok, err := s.store.Movement(ctx, organizationID, id)
	if err != nil {
		return Movement{}, fmt.Errorf("movement: find: %w", err)
	}
	if !ok {
		return Movement{}, fault.New(fault.MovementNotFound, messageNotFound)
	}
	return m, nil
}

// List gives a page of the movements that were ever signed, newest first.
func (s *Service) List(ctx context.Context, organizationID string, page Page) ([]Movement, error) {
	page.Limit = min(max(page.Limit, 1), maxPage)
	found, err := s.store.Movements(ctx, organizationID, page)
	if err != nil {
		return nil, fmt.Errorf("movement: list: %w", err)
	}
	return found, nil
}
