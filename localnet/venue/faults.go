package venue

import (
	"encoding/hex"
	"strings"
	"time"

	"tenfold/localnet/venue/internal/orders"
	"tenfold/localnet/venue/internal/relaywire"
)

// unknownStatus is a status that no list of Relay's statuses for v3 names.
const unknownStatus = "delayed"

const (
	// slowFill is longer than the official client waits for a fill.
	slowFill = 160 * time.Second
	// unknownFor is how long the unknown status is shown.
	unknownFor = 3 * time.Second
)

// strangers are who the lying quotes pay: nobody has their keys.
const (
	evmStranger    = "00000000000000000000000000000000bad0bad0"
	solanaStranger = "Stranger11111111111111111111111111111111111"
)

// fault is what a referrer value makes of a quote: a refusal, or an alteration
// that happens after the order was kept.
type fault struct {
	refusal *refusal
	alter   func(*relaywire.Quote)
}

// faultOf reads the fault that a request asks for by its referrer; any other
// referrer is an ordinary one. README.md lists them all.
func faultOf(referrer string) fault {
	name, isFault := strings.CutPrefix(referrer, "fault-")
	if !isFault {
		return fault{}
	}
	if refusal, ok := quoteRefusals[name]; ok {
		return fault{refusal: refusal}
	}
	return fault{alter: quoteAlterations[name]}
}

var quoteRefusals = map[string]*refusal{
	"too-low":           errAmountTooLow,
	"liquidity":         errLiquidity,
	"no-route":          errNoRoutes,
	"too-large":         errTransactionSize,
	"unauthorized":      {401, "UNAUTHORIZED", "Unauthorized"},
	"too-many-requests": errTooManyRequests,
	"unavailable":       errUnavailable,
	"internal":          {500, "UNKNOWN_ERROR", "Internal server error"},
}

var quoteAlterations = map[string]func(*relaywire.Quote){
	"gas-missing": func(q *relaywire.Quote) {
		eachEVM(q, func(_ string, tx *relaywire.EVMTransaction) { tx.Gas = nil })
	},
	"gas-number": func(q *relaywire.Quote) {
		eachEVM(q, func(_ string, tx *relaywire.EVMTransaction) { tx.Gas = 300_000 })
	},
	"empty-step": func(q *relaywire.Quote) {
		empty := relaywire.Step{ID: "authorize", Kind: "signature", Items: []relaywire.Item{}}
		q.Steps = append([]relaywire.Step{empty}, q.Steps...)
	},
	"usd-missing": func(q *relaywire.Quote) {
		q.Details.CurrencyIn.AmountUSD, q.Details.CurrencyOut.AmountUSD = "", ""
	},
	"lie-recipient": lieRecipient,
	"lie-spender": func(q *relaywire.Quote) {
		eachEVM(q, func(step string, tx *relaywire.EVMTransaction) {
			if step == "approve" {
				tx.Data = tx.Data[:firstWord] + word(evmStranger) + tx.Data[secondWord:]
			}
		})
	},
	"lie-allowance": func(q *relaywire.Quote) {
		eachEVM(q, func(step string, tx *relaywire.EVMTransaction) {
			if step == "approve" {
				tx.Data = tx.Data[:secondWord] + strings.Repeat("f", wordDigits)
			}
		})
	},
	"lie-value": func(q *relaywire.Quote) {
		eachEVM(q, func(step string, tx *relaywire.EVMTransaction) {
			if step != "approve" {
				tx.Value += "0" // ten times as much; "00" when it was nothing
				if tx.Value == "00" {
					tx.Value = "1000000000000000000"
				}
			}
		})
	},
	"lie-target": func(q *relaywire.Quote) {
		eachEVM(q, func(step string, tx *relaywire.EVMTransaction) {
			if step != "approve" {
				tx.To = "0x" + evmStranger
			}
		})
	},
	"lie-chain": func(q *relaywire.Quote) {
		eachEVM(q, func(_ string, tx *relaywire.EVMTransaction) { tx.ChainID++ })
	},
	"lie-minimum": lieMinimum,
	"lie-instruction": func(q *relaywire.Quote) {
		eachSolana(q, func(tx *relaywire.SolanaTransaction) {
			tx.Instructions = append(tx.Instructions, transferToStranger(q.Details.Sender))
		})
	},
}

// Positions in the hex text of a call: 0x, selector, words of 32 bytes.
const (
	wordDigits = 64
	firstWord  = 2 + 8
	secondWord = firstWord + wordDigits
)

// word is an address as a word of calldata.
func word(addressDigits string) string {
	return strings.Repeat("0", wordDigits-len(addressDigits)) + strings.ToLower(addressDigits)
}

func eachEVM(q *relaywire.Quote, change func(step string, tx *relaywire.EVMTransaction)) {
	for _, step := range q.Steps {
		for i, item := range step.Items {
			if tx, ok := item.Data.(relaywire.EVMTransaction); ok {
				change(step.ID, &tx)
				step.Items[i].Data = tx
			}
		}
	}
}

func eachSolana(q *relaywire.Quote, change func(tx *relaywire.SolanaTransaction)) {
	for _, step := range q.Steps {
		for i, item := range step.Items {
			if tx, ok := item.Data.(relaywire.SolanaTransaction); ok {
				change(&tx)
				step.Items[i].Data = tx
			}
		}
	}
}

// lieRecipient leaves the details as they are and pays a stranger in the bytes:
// whoever the call names as recipient or depositor, and on Solana the account
// that the last paying instruction pays.
func lieRecipient(q *relaywire.Quote) {
	eachEVM(q, func(step string, tx *relaywire.EVMTransaction) {
		for _, honest := range []string{q.Details.Recipient, q.Details.Sender} {
			if step != "approve" && strings.HasPrefix(honest, "0x") {
				tx.Data = strings.ReplaceAll(tx.Data, word(honest[2:]), word(evmStranger))
			}
		}
	})
	eachSolana(q, divert)
}

// receivers says which account an instruction pays or credits, by the first bytes
// of its data: of the pool's swap, the depository's deposits, a System transfer
// and a token transfer.
var receivers = []struct {
	prefix  string
	account int
}{
	{"f8c69e91e17587c8", 3}, {"0d9e0ddf5fd51c06", 2}, {"0b9c60da27a3b413", 2}, {"02000000", 1}, {"0c", 2},
}

// divert makes the last instruction that pays anybody pay a stranger.
func divert(tx *relaywire.SolanaTransaction) {
	for i := len(tx.Instructions) - 1; i >= 0; i-- {
		for _, receiver := range receivers {
			if strings.HasPrefix(tx.Instructions[i].Data, receiver.prefix) {
				tx.Instructions[i].Keys[receiver.account].PublicKey = solanaStranger
				return
			}
		}
	}
}

// lieMinimum asks the router for nothing at all in return: the first word of a
// call that pays native coin, the second of one that pays a token.
func lieMinimum(q *relaywire.Quote) {
	eachEVM(q, func(step string, tx *relaywire.EVMTransaction) {
		at := secondWord
		if tx.Value != "0" {
			at = firstWord
		}
		if step == "swap" && len(tx.Data) > at+wordDigits {
			tx.Data = tx.Data[:at] + strings.Repeat("0", wordDigits) + tx.Data[at+wordDigits:]
		}
	})
}

// transferToStranger is a System transfer of one SOL: instruction 2, then the
// lamports, little-endian.
func transferToStranger(sender string) relaywire.Instruction {
	const oneSOL = "00ca9a3b00000000"
	return relaywire.Instruction{
		ProgramID: "11111111111111111111111111111111", Data: hex.EncodeToString([]byte{2, 0, 0, 0}) + oneSOL,
		Keys: []relaywire.AccountMeta{
			{PublicKey: sender, IsSigner: true, IsWritable: true}, {PublicKey: solanaStranger, IsWritable: true},
		},
	}
}

// statusFault says whether a status is to be reported as one nobody knows.
func statusFault(referrer string, status orders.Status, since time.Duration) bool {
	return referrer == "fault-unknown-status" && since < unknownFor && (status == orders.Pending || status == orders.Success)
}
