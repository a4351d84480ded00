package apphttp

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/internal/portfolio"
)

// Portfolio is what the person holds.
type Portfolio struct {
	AsOf     int64            `json:"asOf" doc:"Epoch milliseconds."`
	TotalUSD string           `json:"totalUsd" doc:"Decimal, of the assets with a known price."`
	Chains   []PortfolioChain `json:"chains"`
	Assets   []PortfolioAsset `json:"assets"`
}

// PortfolioChain is one chain's part of a portfolio.
type PortfolioChain struct {
	ChainID  int64  `json:"chainId"`
	Status   string `json:"status" enum:"ok,unavailable"`
	AsOf     int64  `json:"asOf" doc:"Epoch milliseconds when the balances were read, 0 when they never were."`
	ValueUSD string `json:"valueUsd"`
	Message  string `json:"message,omitempty"`
}

// PortfolioAsset is one holding.
type PortfolioAsset struct {
	ChainID  int64   `json:"chainId"`
	Address  string  `json:"address"`
	Symbol   string  `json:"symbol"`
	Name     string  `json:"name"`
	Decimals int     `json:"decimals"`
	Amount   string  `json:"amount" doc:"Base units."`
	PriceUSD *string `json:"priceUsd"`
	ValueUSD *string `json:"valueUsd"`
}

func (a *API) registerPortfolio() {
	huma.Register(a.huma, a.operation("getPortfolio", http.MethodGet, "/portfolio", "What the person holds", signedIn),
		func(ctx context.Context, _ *struct{}) (*answer[Portfolio], error) {
			p, err := a.Portfolios.Of(ctx, sessionOf(ctx).OrganizationID)
			if err != nil {
				return nil, a.failed(ctx, "getPortfolio", err)
			}
			return &answer[Portfolio]{Body: portfolioView(p)}, nil
		})
}

func portfolioView(p portfolio.Portfolio) Portfolio {
	view := Portfolio{
		AsOf: p.AsOf.UnixMilli(), TotalUSD: p.TotalUSD,
		Chains: []PortfolioChain{}, Assets: []PortfolioAsset{},
	}
	for _, c := range p.Chains {
		view.Chains = append(view.Chains, PortfolioChain{
			ChainID: c.ID, Status: string(c.Status), AsOf: millis(c.AsOf), ValueUSD: c.ValueUSD, Message: c.Message,
		})
	}
	for _, one := range p.Assets {
		view.Assets = append(view.Assets, PortfolioAsset{
			ChainID: one.Asset.ChainID, Address: one.Asset.Address, Symbol: one.Asset.Symbol, Name: one.Asset.Name,
			Decimals: one.Asset.Decimals, Amount: one.Amount.String(),
			PriceUSD: optional(one.PriceUSD), ValueUSD: optional(one.ValueUSD),
		})
	}
	return view
}

// optional is null for the empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// millis is 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
