// Package movement owns the transfers and swaps that are being carried out:
// what they consist of, which states they may pass through, how they are
// confirmed, and the engine that drives each one to its end and resumes it
// after a crash. The state column is the truth; everything else can be lost.
//
// It must never sign, never send bytes that are not stored, never send
// different bytes for the same step, and never call something final that it has
// not read from a chain.
//
// Layer: domain.
package movement

import "slices"

// State is where a movement stands.
type State string

// The states of a movement. Drafted is the moment of its making; NeedsSignature
// waits for the person. Signed bytes are durable but not known to be sent. Sent
// is known to a node, Confirming is in a block. Bridging waits for a venue,
// Delivering checks on the destination chain. Delayed is late but moving;
// NeedsAction won't end without a person.
const (
	Drafted        State = "draft"
	NeedsSignature State = "needs_signature"
	Signed         State = "signed"
	Sent           State = "sent"
	Confirming     State = "confirming"
	Bridging       State = "bridging"
	Delivering     State = "delivering"
	Delayed        State = "delayed"
	NeedsAction    State = "needs_action"
	Done           State = "done"
	Refunded       State = "refunded"
	Failed         State = "failed"
	Expired        State = "expired"
	Cancelled      State = "cancelled"
)

// stateRule is one row of the table of states: where a movement may go from
// there. A state without successors is final.
type stateRule struct {
	state State
	next  []State
}

// stateTable is the only place where states and moves are defined. The SQL
// constraint, the API's enumeration and the tests are checked against it.
var stateTable = []stateRule{
	{Drafted, []State{NeedsSignature}},
	{NeedsSignature, []State{Signed, Cancelled, Expired}},
	{Signed, []State{Sent, Failed, Expired}},
	{Sent, []State{Confirming, Failed, Expired}},
	{Confirming, []State{Bridging, Done, Failed, Expired}},
	{Bridging, []State{Delivering, Delayed, NeedsAction, Refunded}},
	{Delivering, []State{Delayed, NeedsAction, Done}},
	{Delayed, []State{Delivering, NeedsAction, Done, Refunded}},
	{NeedsAction, []State{Delivering, Done, Refunded}},
	{Done, nil},
	{Refunded, nil},
	{Failed, nil},
	{Expired, nil},
	{Cancelled, nil},
}

// States lists every state in the order of a movement's life.
func States() []State {
	all := make([]State, len(stateTable))
	for i, rule := range stateTable {
		all[i] = rule.state
	}
	return all
}

// MayBecome tells whether a movement may go from s to next.
func (s State) MayBecome(next State) bool {
	return slices.Contains(successors(s), next)
}

// Final tells whether a movement in this state will never change again. An
// unknown word is not final: it is nothing.
func (s State) Final() bool {
	return s.known() && len(successors(s)) == 0
}

func (s State) known() bool {
	return slices.ContainsFunc(stateTable, func(r stateRule) bool { return r.state == s })
}

func successors(s State) []State {
	for _, rule := range stateTable {
		if rule.state == s {
			return rule.next
		}
	}
	return nil
}

// Running tells whether the engine has work with a movement in this state.
func (s State) Running() bool {
	return s.known() && !s.Final() && s != Drafted && s != NeedsSignature
}

// StepState is where one transaction of a movement stands.
type StepState string

// The states of a step. Confirming is included in a block, Confirmed settled by
// the chain's finality rule: only then is the next step sent.
const (
	StepNeedsSignature StepState = "needs_signature"
	StepSigned         StepState = "signed"
	StepSent           StepState = "sent"
	StepConfirming     StepState = "confirming"
	StepConfirmed      StepState = "confirmed"
	StepFailed         StepState = "failed"
	StepExpired        StepState = "expired"
)

// StepStates lists every state of a step in the order of its life.
func StepStates() []StepState {
	return []StepState{StepNeedsSignature, StepSigned, StepSent, StepConfirming, StepConfirmed, StepFailed, StepExpired}
}

// Kind says what a movement is.
type Kind string

// The kinds of movement.
const (
	KindTransfer Kind = "transfer"
	KindSwap     Kind = "swap"
)

// StepKind says what one transaction of a movement does.
type StepKind string

// The kinds of step.
const (
	StepTransfer StepKind = "transfer"
	StepApprove  StepKind = "approve"
	StepSwap     StepKind = "swap"
	StepDeposit  StepKind = "deposit"
)

// StepKinds lists every kind of step.
func StepKinds() []StepKind { return []StepKind{StepTransfer, StepApprove, StepSwap, StepDeposit} }
