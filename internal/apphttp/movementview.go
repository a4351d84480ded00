package apphttp

import (
	"encoding/hex"
	"math/big"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/catalog"
	"tenfold/internal/movement"
)

// MovementState is a movement's state; its values come from the domain's table.
type MovementState string

// Schema implements huma.SchemaProvider.
func (MovementState) Schema(huma.Registry) *huma.Schema { return enumOf(movement.States()) }

// StepState is a step's state; its values come from the domain.
type StepState string

// Schema implements huma.SchemaProvider.
func (StepState) Schema(huma.Registry) *huma.Schema { return enumOf(movement.StepStates()) }

// StepKind is what a step does; its values come from the domain.
type StepKind string

// Schema implements huma.SchemaProvider.
func (StepKind) Schema(huma.Registry) *huma.Schema { return enumOf(movement.StepKinds()) }

func enumOf[T ~string](values []T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// MovementFrom is what leaves.
type MovementFrom struct {
	ChainID  int64  `json:"chainId"`
	Asset    string `json:"asset"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
	Owner    string `json:"owner"`
	Amount   string `json:"amount"`
}

// MovementTo is what arrives.
type MovementTo struct {
	ChainID   int64   `json:"chainId"`
	Asset     string  `json:"asset"`
	Symbol    string  `json:"symbol"`
	Decimals  int     `json:"decimals"`
	Recipient string  `json:"recipient"`
	Amount    *string `json:"amount" doc:"What really arrived, null until read from the chain."`
	Minimum   *string `json:"minimum" doc:"The least that a swap brings."`
}

// MovementFee bounds the network's charge on the origin chain.
type MovementFee struct {
	ChainID int64  `json:"chainId"`
	Asset   string `json:"asset"`
	Amount  string `json:"amount"`
	Rent    string `json:"rent"`
}

// MovementRefund is what a venue gave back on the origin chain.
type MovementRefund struct {
	ChainID  int64  `json:"chainId"`
	Asset    string `json:"asset"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
	Amount   string `json:"amount"`
}

// FeePaid is what the network took.
type FeePaid struct {
	ChainID int64  `json:"chainId"`
	Asset   string `json:"asset"`
	Amount  string `json:"amount"`
}

// MovementStep is one transaction.
type MovementStep struct {
	Index               int       `json:"index"`
	Kind                StepKind  `json:"kind"`
	ChainID             int64     `json:"chainId"`
	State               StepState `json:"state"`
	SignWith            string    `json:"signWith" doc:"The address that signs."`
	TransactionType     string    `json:"transactionType" enum:"TRANSACTION_TYPE_ETHEREUM,TRANSACTION_TYPE_SOLANA"`
	UnsignedTransaction string    `json:"unsignedTransaction" doc:"Hex without 0x, as sign_transaction takes it."`
	Hash                *string   `json:"hash"`
	ExplorerURL         *string   `json:"explorerUrl"`
	BlockNumber         *uint64   `json:"blockNumber"`
}

// TimelineEntry is one change of state.
type TimelineEntry struct {
	State MovementState `json:"state"`
	At    int64         `json:"at" doc:"Epoch milliseconds."`
}

// MovementProblem says why a movement is not done and where the money is.
type MovementProblem struct {
	Code       string `json:"code"`
	Message    string `json:"message"`
	FundsWhere string `json:"fundsWhere"`
}

// Movement is a transfer or swap being carried out.
type Movement struct {
	ID                  string           `json:"id"`
	Kind                string           `json:"kind" enum:"transfer,swap"`
	State               MovementState    `json:"state"`
	Version             int64            `json:"version" doc:"Grows with every change; an older one is stale."`
	Venue               *string          `json:"venue"`
	QuoteID             *string          `json:"quoteId"`
	From                MovementFrom     `json:"from"`
	To                  MovementTo       `json:"to"`
	MaximumFee          MovementFee      `json:"maximumFee"`
	FeesPaid            []FeePaid        `json:"feesPaid"`
	Steps               []MovementStep   `json:"steps"`
	DeliveryHash        *string          `json:"deliveryHash"`
	DeliveryExplorerURL *string          `json:"deliveryExplorerUrl"`
	Simulated           string           `json:"simulated" enum:"matches,unavailable"`
	CreatedAt           int64            `json:"createdAt"`
	UpdatedAt           int64            `json:"updatedAt"`
	ExpiresAt           *int64           `json:"expiresAt" doc:"When the wait for a signature ends; null afterwards."`
	Timeline            []TimelineEntry  `json:"timeline"`
	Problem             *MovementProblem `json:"problem"`
	Refund              *MovementRefund  `json:"refund"`
}

// TransformSchema implements huma.SchemaTransformer: a problem and a refund may
// be null, which huma can't say of a referenced object.
func (Movement) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["problem"] = orNull(r.Schema(reflect.TypeFor[MovementProblem](), true, "MovementProblem"))
	s.Properties["refund"] = orNull(r.Schema(reflect.TypeFor[MovementRefund](), true, "MovementRefund"))
	return s
}

func orNull(reference *huma.Schema) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{reference, {Type: "null"}}}
}

// MovementView shows a movement as the API and the live updates do.
func MovementView(m movement.Movement) Movement {
	view := Movement{
		ID: m.ID, Kind: string(m.Kind), State: MovementState(m.State), Version: m.Version,
		Venue: optional(m.Venue), QuoteID: optional(m.QuoteID),
		From:         fromView(m.From),
		To:           toView(m.To),
		MaximumFee:   maximumFeeView(m),
		FeesPaid:     []FeePaid{},
		Steps:        []MovementStep{},
		DeliveryHash: optional(m.DeliveryHash),
		Simulated:    string(m.Simulated),
		CreatedAt:    m.CreatedAt.UnixMilli(), UpdatedAt: m.UpdatedAt.UnixMilli(),
		Timeline: []TimelineEntry{},
	}
	if m.State == movement.NeedsSignature {
		at := m.ExpiresAt.UnixMilli()
		view.ExpiresAt = &at
	}
	if m.DeliveryHash != "" {
		view.DeliveryExplorerURL = explorerURL(deliveryChain(m), m.DeliveryHash)
	}
	for _, s := range m.Steps {
		view.Steps = append(view.Steps, stepView(s))
		if s.FeePaid != nil {
			view.FeesPaid = append(view.FeesPaid, feePaidView(s))
		}
	}
	for _, t := range m.Timeline {
		view.Timeline = append(view.Timeline, TimelineEntry{State: MovementState(t.State), At: t.At.UnixMilli()})
	}
	if p := m.Problem; p != nil {
		view.Problem = &MovementProblem{Code: p.Code, Message: p.Message, FundsWhere: p.FundsWhere}
	}
	if r := m.Refund; r != nil {
		view.Refund = &MovementRefund{
			ChainID: r.Asset.ChainID, Asset: r.Asset.Address, Symbol: r.Asset.Symbol, Decimals: r.Asset.Decimals,
			Amount: r.Amount.String(),
		}
	}
	return view
}

func fromView(f movement.From) MovementFrom {
	return MovementFrom{
		ChainID: f.Asset.ChainID, Asset: f.Asset.Address, Symbol: f.Asset.Symbol, Decimals: f.Asset.Decimals,
		Owner: f.Owner, Amount: f.Amount.String(),
	}
}

func toView(t movement.To) MovementTo {
	return MovementTo{
		ChainID: t.Asset.ChainID, Asset: t.Asset.Address, Symbol: t.Asset.Symbol, Decimals: t.Asset.Decimals,
		Recipient: t.Recipient, Amount: amountOrNull(t.Amount), Minimum: amountOrNull(t.Minimum),
	}
}

func maximumFeeView(m movement.Movement) MovementFee {
	chain, _ := catalog.ChainByID(m.From.Asset.ChainID)
	return MovementFee{
		ChainID: chain.ID, Asset: chain.TokenAddress,
		Amount: m.MaximumFee.Amount.String(), Rent: m.MaximumFee.Rent.String(),
	}
}

func feePaidView(s movement.Step) FeePaid {
	chain, _ := catalog.ChainByID(s.Unsigned.ChainID)
	return FeePaid{ChainID: chain.ID, Asset: chain.TokenAddress, Amount: s.FeePaid.String()}
}

func stepView(s movement.Step) MovementStep {
	view := MovementStep{
		Index: s.Index, Kind: StepKind(s.Kind), ChainID: s.Unsigned.ChainID, State: StepState(s.State),
		SignWith: s.Unsigned.From, TransactionType: "TRANSACTION_TYPE_ETHEREUM",
		UnsignedTransaction: hex.EncodeToString(s.Unsigned.Bytes),
	}
	if s.Unsigned.ChainID == catalog.SolanaChainID {
		view.TransactionType = "TRANSACTION_TYPE_SOLANA"
	}
	if s.Signed != nil {
		hash := s.Signed.Hash
		view.Hash, view.ExplorerURL = &hash, explorerURL(s.Unsigned.ChainID, hash)
	}
	if s.BlockNumber != 0 {
		number := s.BlockNumber
		view.BlockNumber = &number
	}
	return view
}

// deliveryChain is where the delivery transaction is: a refund happens on the
// origin chain.
func deliveryChain(m movement.Movement) int64 {
	if m.State == movement.Refunded {
		return m.From.Asset.ChainID
	}
	return m.To.Asset.ChainID
}

func explorerURL(chainID int64, hash string) *string {
	chain, ok := catalog.ChainByID(chainID)
	if !ok {
		return nil
	}
	url := chain.Explorer.TransactionURL(hash)
	return &url
}

func amountOrNull(v *big.Int) *string {
	if v == nil {
		return nil
	}
	text := v.String()
	return &text
}
