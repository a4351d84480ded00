package quote

import "errors"

// The ways in which transactions can disagree with their offer. Verify and
// VerifyChanges wrap them in a fault unsafe_transaction; tests and logs tell them
// apart with errors.Is.
var (
	ErrSteps        = errors.New("the transactions are not the offer's steps")
	ErrChain        = errors.New("a transaction is for another chain")
	ErrSender       = errors.New("a transaction is from another sender")
	ErrContract     = errors.New("a contract is called that the venue is not known to have")
	ErrAsset        = errors.New("another asset leaves or arrives")
	ErrAmount       = errors.New("another amount leaves")
	ErrRecipient    = errors.New("another recipient is paid")
	ErrDepositor    = errors.New("the deposit is credited to another")
	ErrSpender      = errors.New("another spender is approved")
	ErrApproval     = errors.New("the approval is not exactly the amount")
	ErrMinimum      = errors.New("less than the minimum may arrive")
	ErrDeadline     = errors.New("the deadline has passed or is too far away")
	ErrOrder        = errors.New("the deposit belongs to another order")
	ErrExtra        = errors.New("a transaction does something more")
	ErrBalance      = errors.New("the simulated balances disagree with the offer")
	ErrOfferItself  = errors.New("the offer is not what was asked for")
	errNoSuchEffect = errors.New("a step does nothing known")
)
