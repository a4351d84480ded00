package movement

import (
	"tenfold/internal/amount"
	"tenfold/internal/fault"
)

// Codes of problems that only a running movement can have.
const (
	codeStepFailed       = "transaction_failed"
	codeNeverLanded      = "transaction_never_landed"
	codeBroadcastRefused = string(fault.BroadcastRefused)
	codeDelayed          = "venue_delayed"
	codeVenueFailed      = "venue_failed"
	codeRefunded         = "venue_refunded"
	codeDeliveryMissing  = "delivery_not_found"
	codeBelowMinimum     = "below_minimum"
)

// Where the money is, in words for the person.
const (
	fundsStay      = "Nothing left your wallet but the network fee."
	fundsUntouched = "Nothing left your wallet."
	fundsApproved  = "Only the approval was carried out. Nothing else left your wallet but the network fee."
	fundsAtVenue   = "The amount is with the venue, on its way to you or back."
	fundsHeld      = "The amount is with the venue."
	fundsArrived   = "What arrived is in your wallet."
	fundsReturned  = "The refund is in your wallet on the chain it came from."
)

// stepFailed is for a transaction that was mined and reverted.
func stepFailed(m Movement, raw string) *Problem {
	return &Problem{Code: codeStepFailed, Message: fault.FriendlyMessage(raw), FundsWhere: m.fundsIfStopped(fundsStay)}
}

// neverLanded is for a transaction that provably can't be mined any more.
func neverLanded(m Movement) *Problem {
	return &Problem{
		Code: codeNeverLanded, Message: "The transaction was not accepted by the network in time. Please try again.",
		FundsWhere: m.fundsIfStopped(fundsUntouched),
	}
}

// refusedByNode is for a transaction that no node takes and that never was sent.
func refusedByNode(m Movement, f *fault.Error) *Problem {
	return &Problem{Code: codeBroadcastRefused, Message: f.Message, FundsWhere: m.fundsIfStopped(fundsUntouched)}
}

// fundsIfStopped says where the money is when the current step is the last that
// will have happened.
func (m Movement) fundsIfStopped(nothingBefore string) string {
	for _, s := range m.Steps {
		if s.State == StepConfirmed {
			return fundsApproved
		}
	}
	return nothingBefore
}

func delayed() *Problem {
	return &Problem{Code: codeDelayed, Message: "The delivery takes longer than usual. We keep watching it.", FundsWhere: fundsAtVenue}
}

func venueFailed(reason string) *Problem {
	message, funds := "The venue could not deliver and has not refunded yet. We keep watching it.", fundsAtVenue
	if reason == "MANUAL_REFUND_REQUIRED" {
		message, funds = "The venue could not deliver and needs to be asked for the refund. Please contact support.", fundsHeld
	}
	return &Problem{Code: codeVenueFailed, Message: message, FundsWhere: funds}
}

func refundedProblem(r Refund) *Problem {
	text := amount.Format(r.Amount, r.Asset.Decimals) + " " + r.Asset.Symbol
	return &Problem{
		Code: codeRefunded, Message: "The venue could not deliver and gave back " + text + ".", FundsWhere: fundsReturned,
	}
}

func deliveryMissing() *Problem {
	return &Problem{
		Code:       codeDeliveryMissing,
		Message:    "The venue says that it has delivered, but the chain does not show it. We keep watching it.",
		FundsWhere: fundsAtVenue,
	}
}

func belowMinimum() *Problem {
	return &Problem{Code: codeBelowMinimum, Message: "Less arrived than the quote promised at least.", FundsWhere: fundsArrived}
}
