package apphttp

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/internal/transfer"
)

// MaximumTransfer is the most that can be sent.
type MaximumTransfer struct {
	Amount string `json:"amount" doc:"Base units of the asset."`
	Fee    string `json:"fee" doc:"Base units of the native coin kept back for the network."`
	Rent   string `json:"rent" doc:"Base units of the native coin kept back for new accounts."`
}

type maximumInput struct {
	ChainID   int64  `query:"chainId" required:"true"`
	Asset     string `query:"asset" required:"true" maxLength:"64"`
	Recipient string `query:"recipient" maxLength:"128"`
}

func (a *API) registerTransfers() {
	huma.Register(a.huma, a.operation("getMaximumTransfer", http.MethodGet, "/transfers/max",
		"What can be sent after fee and rent", signedIn),
		func(ctx context.Context, in *maximumInput) (*answer[MaximumTransfer], error) {
			most, err := a.Transfers.Maximum(ctx, sessionOf(ctx).OrganizationID, transfer.MaximumRequest{
				ChainID: in.ChainID, Asset: in.Asset, Recipient: in.Recipient,
			})
			if err != nil {
				return nil, a.failed(ctx, "getMaximumTransfer", err)
			}
			return &answer[MaximumTransfer]{Body: MaximumTransfer{
				Amount: most.Amount.String(), Fee: most.Fee.String(), Rent: most.Rent.String(),
			}}, nil
		})
}
