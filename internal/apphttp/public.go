package apphttp

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenfold/catalog"
)

// Currency is a chain's native coin.
type Currency struct {
	Name     string `json:"name"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
}

// WrappedToken is the token form of a chain's native coin.
type WrappedToken struct {
	Address  string `json:"address"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
}

// Explorer builds links to a public block explorer.
type Explorer struct {
	Name            string `json:"name"`
	URL             string `json:"url"`
	TransactionPath string `json:"transactionPath" doc:"Contains {hash}."`
	AddressPath     string `json:"addressPath" doc:"Contains {address}."`
}

// Token is a catalog token of a chain.
type Token struct {
	Address  string `json:"address"`
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Decimals int    `json:"decimals"`
	Icon     string `json:"icon"`
}

// Chain is a supported chain.
type Chain struct {
	ID             int64        `json:"id"`
	Name           string       `json:"name"`
	Icon           string       `json:"icon"`
	IsEVM          bool         `json:"isEVM"`
	NativeCurrency Currency     `json:"nativeCurrency"`
	WrappedToken   WrappedToken `json:"wrappedToken"`
	TokenAddress   string       `json:"tokenAddress" doc:"Stands for the native coin."`
	BlockTimeMs    int64        `json:"blockTimeMs"`
	Explorer       Explorer     `json:"explorer"`
	Tokens         []Token      `json:"tokens"`
}

// ChainList is the answer of listChains.
type ChainList struct {
	Chains []Chain `json:"chains"`
}

// CustodyConfig tells the page where custody is.
type CustodyConfig struct {
	BaseURL        string `json:"baseUrl"`
	OrganizationID string `json:"organizationId" doc:"The parent organization."`
	AuthFrameURL   string `json:"authFrameUrl"`
	RPID           string `json:"rpId"`
}

// Config is what the page needs before anybody signs in.
type Config struct {
	Network string        `json:"network" enum:"local,mainnet"`
	Custody CustodyConfig `json:"custody"`
	Faucet  bool          `json:"faucet"`
	Version string        `json:"version"`
}

// Health is the answer of getHealth.
type Health struct {
	Status  string `json:"status" enum:"ok"`
	Version string `json:"version"`
}

type answer[T any] struct {
	Body T
}

func (a *API) registerPublic() {
	huma.Register(a.huma, a.operation("listChains", http.MethodGet, "/chains", "The supported chains and their tokens", public),
		func(context.Context, *struct{}) (*answer[ChainList], error) {
			return &answer[ChainList]{Body: chainList()}, nil
		})
	huma.Register(a.huma, a.operation("getConfig", http.MethodGet, "/config", "What the page needs to know", public),
		func(context.Context, *struct{}) (*answer[Config], error) {
			return &answer[Config]{Body: a.publicConfig()}, nil
		})
	huma.Register(a.huma, a.operation("getHealth", http.MethodGet, "/health", "Whether the server answers", public),
		func(context.Context, *struct{}) (*answer[Health], error) {
			return &answer[Health]{Body: Health{Status: "ok", Version: a.Config.Version}}, nil
		})
	limit := a.limited(func(l Limits) Limiter { return l.ServerSign })
	huma.Register(a.huma, a.operation("serverSign", http.MethodPost, "/server-sign",
		"Send an allow-listed custody call, stamped by the parent organization", public, limit), a.serverSign)
}

func (a *API) publicConfig() Config {
	c := a.Services.Config
	return Config{
		Network: c.Network,
		Custody: CustodyConfig{
			BaseURL: c.CustodyBaseURL, OrganizationID: c.CustodyOrganization,
			AuthFrameURL: c.AuthFrameURL, RPID: c.RPID,
		},
		Faucet:  a.Faucet != nil,
		Version: c.Version,
	}
}

func chainList() ChainList {
	var list ChainList
	for _, c := range catalog.Chains() {
		view := Chain{
			ID: c.ID, Name: c.Name, Icon: c.Icon, IsEVM: c.IsEVM,
			NativeCurrency: Currency(c.NativeCurrency), WrappedToken: WrappedToken(c.WrappedToken),
			TokenAddress: c.TokenAddress, BlockTimeMs: c.BlockTimeMs, Explorer: Explorer(c.Explorer),
			Tokens: []Token{},
		}
		for _, t := range catalog.TokensOn(c.ID) {
			view.Tokens = append(view.Tokens, Token{
				Address: t.Address, Symbol: t.Symbol, Name: t.Name, Decimals: t.Decimals, Icon: t.Icon,
			})
		}
		list.Chains = append(list.Chains, view)
	}
	return list
}

type serverSignInput struct {
	Body struct {
		MethodName string          `json:"methodName" maxLength:"64"`
		Params     json.RawMessage `json:"params"`
	}
}

func (a *API) serverSign(ctx context.Context, in *serverSignInput) (*answer[json.RawMessage], error) {
	result, err := a.ServerSign.ServerSign(ctx, in.Body.MethodName, in.Body.Params)
	if err != nil {
		return nil, a.failed(ctx, "serverSign", err)
	}
	return &answer[json.RawMessage]{Body: result}, nil
}
