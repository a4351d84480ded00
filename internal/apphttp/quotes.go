package apphttp

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/catalog"
	"tenfold/internal/quote"
)

// QuoteFee is one cost of a quote.
type QuoteFee struct {
	Kind    string  `json:"kind" enum:"network,venue"`
	ChainID int64   `json:"chainId"`
	Asset   string  `json:"asset"`
	Amount  string  `json:"amount"`
	USD     *string `json:"usd"`
}

// QuoteStep is one transaction of a quote.
type QuoteStep struct {
	Kind    string `json:"kind" enum:"approve,swap,deposit"`
	ChainID int64  `json:"chainId"`
}

// Quote is a venue's offer as it was stored for the person.
type Quote struct {
	ID                 string      `json:"id"`
	Venue              string      `json:"venue"`
	FromChainID        int64       `json:"fromChainId"`
	FromAsset          string      `json:"fromAsset"`
	ToChainID          int64       `json:"toChainId"`
	ToAsset            string      `json:"toAsset"`
	AmountIn           string      `json:"amountIn"`
	AmountOut          string      `json:"amountOut"`
	MinimumOut         string      `json:"minimumOut"`
	Recipient          string      `json:"recipient" doc:"Always the person's own address."`
	Fees               []QuoteFee  `json:"fees"`
	FeesUSD            *string     `json:"feesUsd"`
	AmountInUSD        *string     `json:"amountInUsd"`
	AmountOutUSD       *string     `json:"amountOutUsd"`
	PriceImpactPercent *string     `json:"priceImpactPercent" doc:"Signed, negative is a loss."`
	SlippageBps        int64       `json:"slippageBps"`
	TimeSeconds        int64       `json:"timeSeconds"`
	CreatedAt          int64       `json:"createdAt"`
	ExpiresAt          int64       `json:"expiresAt"`
	Steps              []QuoteStep `json:"steps"`
	Digest             string      `json:"digest" doc:"Hex sha256 over the facts, to be echoed at the confirmation."`
}

// QuoteList is the answer of createQuotes, best first.
type QuoteList struct {
	Quotes []Quote `json:"quotes"`
}

type createQuotesInput struct {
	Body struct {
		FromChainID int64  `json:"fromChainId"`
		FromAsset   string `json:"fromAsset" maxLength:"64"`
		ToChainID   int64  `json:"toChainId"`
		ToAsset     string `json:"toAsset" maxLength:"64"`
		Amount      string `json:"amount" maxLength:"100" doc:"Base units."`
	}
}

func (a *API) registerQuotes() {
	limit := a.limited(func(l Limits) Limiter { return l.Quotes })
	huma.Register(a.huma, a.operation("createQuotes", http.MethodPost, "/quotes", "Ask the venues for offers", signedIn, limit),
		func(ctx context.Context, in *createQuotesInput) (*answer[QuoteList], error) {
			b := in.Body
			offers, err := a.Quotes.Ask(ctx, sessionOf(ctx).OrganizationID, quote.Request{
				FromChainID: b.FromChainID, FromAsset: b.FromAsset,
				ToChainID: b.ToChainID, ToAsset: b.ToAsset, Amount: b.Amount,
			})
			if err != nil {
				return nil, a.failed(ctx, "createQuotes", err)
			}
			list := QuoteList{Quotes: []Quote{}}
			for _, one := range offers {
				list.Quotes = append(list.Quotes, quoteView(one))
			}
			return &answer[QuoteList]{Body: list}, nil
		})
}

func quoteView(s quote.Stored) Quote {
	o := s.Offer
	view := Quote{
		ID: s.ID, Venue: o.Venue,
		FromChainID: o.Ask.From.ChainID, FromAsset: o.Ask.From.Address,
		ToChainID: o.Ask.To.ChainID, ToAsset: o.Ask.To.Address,
		AmountIn: o.AmountIn.String(), AmountOut: o.AmountOut.String(), MinimumOut: o.MinimumOut.String(),
		Recipient: o.Ask.Recipient, Fees: []QuoteFee{}, FeesUSD: optional(o.FeesUSD),
		AmountInUSD: optional(o.AmountInUSD), AmountOutUSD: optional(o.AmountOutUSD),
		PriceImpactPercent: optional(o.PriceImpactPercent), SlippageBps: o.Ask.SlippageBps,
		TimeSeconds: o.TimeSeconds, CreatedAt: s.CreatedAt.UnixMilli(), ExpiresAt: s.ExpiresAt.UnixMilli(),
		Steps: []QuoteStep{}, Digest: s.Digest,
	}
	for _, f := range o.Fees {
		view.Fees = append(view.Fees, feeView(f.Asset, string(f.Kind), f.Amount.String(), f.USD))
	}
	for _, step := range o.Steps {
		view.Steps = append(view.Steps, QuoteStep{Kind: string(step.Kind), ChainID: step.ChainID})
	}
	return view
}

func feeView(asset catalog.Asset, kind, amount, usd string) QuoteFee {
	return QuoteFee{Kind: kind, ChainID: asset.ChainID, Asset: asset.Address, Amount: amount, USD: optional(usd)}
}
