package venue

import (
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"tenfold/catalog"
	"tenfold/localnet/contracts"
	"tenfold/localnet/venue/internal/relaywire"
)

const defaultCurrencyLimit = 20

func (v *Venue) serveChains(w http.ResponseWriter, _ *http.Request) {
	answer := relaywire.Chains{Chains: []relaywire.Chain{}}
	for _, at := range v.ordered {
		answer.Chains = append(answer.Chains, at.describe())
	}
	answerJSON(w, http.StatusOK, answer)
}

// describe is the chain's entry in GET /chains.
func (s *site) describe() relaywire.Chain {
	described := relaywire.Chain{
		ID: s.venueID, Name: s.facts.Slug, DisplayName: s.facts.Name, HTTPRPCURL: s.rpcURL, WSRPCURL: s.wsURL,
		ExplorerURL: s.facts.Explorer.URL, ExplorerName: s.facts.Explorer.Name,
		ExplorerPaths: relaywire.ExplorerPaths{
			Transaction: strings.TrimSuffix(s.facts.Explorer.TransactionPath, "{hash}"),
			Address:     strings.TrimSuffix(s.facts.Explorer.AddressPath, "{address}"),
		},
		DepositEnabled: true, TokenSupport: "Limited",
		Currency:       s.chainCurrency(s.facts.NativeAsset()),
		FeaturedTokens: []relaywire.ChainCurrency{}, ERC20Currencies: []relaywire.ChainCurrency{},
		SolverCurrencies: []relaywire.ChainCurrency{s.chainCurrency(s.facts.NativeAsset())},
		VMType:           s.vmType(), SolverAddresses: []string{s.wireAddress(s.chain.Solver())}, Tags: []string{},
		Protocol: relaywire.Protocol{V2: relaywire.ProtocolV2{
			ChainID: s.facts.Slug, Depository: s.depository, DepositoryVault: s.vault,
		}},
	}
	for _, asset := range s.facts.Assets() {
		if !asset.Native {
			token := s.chainCurrency(asset)
			described.FeaturedTokens = append(described.FeaturedTokens, token)
			described.ERC20Currencies = append(described.ERC20Currencies, token)
			described.SolverCurrencies = append(described.SolverCurrencies, token)
		}
	}
	if s.facts.IsEVM {
		described.Contracts = &relaywire.Contracts{
			Multicall3:  strings.ToLower(contracts.Multicall3Address.Hex()),
			ERC20Router: strings.ToLower(contracts.RouterAddress.Hex()),
		}
	}
	return described
}

func (s *site) vmType() string {
	if s.facts.IsEVM {
		return "evm"
	}
	return "svm"
}

func (s *site) chainCurrency(asset catalog.Asset) relaywire.ChainCurrency {
	return relaywire.ChainCurrency{
		ID: strings.ToLower(asset.Symbol), Symbol: asset.Symbol, Name: asset.Name,
		Address: s.wireAddress(asset.Address), Decimals: asset.Decimals, SupportsBridging: true,
	}
}

// serveChainHealth answers whether the named chain, or every chain, can be read.
func (v *Venue) serveChainHealth(w http.ResponseWriter, r *http.Request) {
	asked := v.ordered
	if text := r.URL.Query().Get("chainId"); text != "" {
		at, ok := v.siteByText(text)
		if !ok {
			answerJSON(w, http.StatusBadRequest, relaywire.Error{Message: errUnsupportedChain.message, ErrorCode: errUnsupportedChain.code})
			return
		}
		asked = []*site{at}
	}
	healthy := true
	for _, at := range asked {
		if _, err := at.chain.Balance(r.Context(), at.chain.Solver(), at.facts.NativeAsset()); err != nil {
			healthy = false
		}
	}
	answerJSON(w, http.StatusOK, map[string]bool{"healthy": healthy})
}

func (v *Venue) siteByText(text string) (*site, bool) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, false
	}
	at, ok := v.sites[id]
	return at, ok
}

func (v *Venue) serveCurrencies(w http.ResponseWriter, r *http.Request) {
	var filter relaywire.CurrenciesRequest
	if err := decode(r, &filter); err != nil {
		v.answerError(w, r, err)
		return
	}
	limit := defaultCurrencyLimit
	if filter.Limit != nil {
		limit = *filter.Limit
	}
	found := []relaywire.Currency{}
	for _, at := range v.ordered {
		for _, asset := range at.facts.Assets() {
			if len(found) < limit && at.listed(asset, filter) {
				currency := v.currency(asset)
				currency.VMType = at.vmType()
				found = append(found, currency)
			}
		}
	}
	answerJSON(w, http.StatusOK, found)
}

// listed says whether an asset passes every filter that is set. All assets are
// verified and on the default list.
func (s *site) listed(asset catalog.Asset, filter relaywire.CurrenciesRequest) bool {
	switch {
	case len(filter.ChainIDs) > 0 && !slices.Contains(filter.ChainIDs, s.venueID):
		return false
	case filter.Address != "" && !s.facts.SameAddress(asset.Address, filter.Address):
		return false
	case filter.Verified != nil && !*filter.Verified:
		return false
	case len(filter.Tokens) > 0 && !s.namedBy(asset, filter.Tokens):
		return false
	case filter.Term != "":
		term := strings.ToLower(filter.Term)
		return strings.Contains(strings.ToLower(asset.Symbol), term) || strings.Contains(strings.ToLower(asset.Name), term) ||
			s.facts.SameAddress(asset.Address, filter.Term)
	}
	return true
}

// namedBy reads texts of the form chainId:address.
func (s *site) namedBy(asset catalog.Asset, tokens []string) bool {
	for _, token := range tokens {
		chainID, address, _ := strings.Cut(token, ":")
		if chainID == strconv.FormatInt(s.venueID, 10) && s.facts.SameAddress(asset.Address, address) {
			return true
		}
	}
	return false
}

// servePrice answers in the shape of one of the two price endpoints: a JSON
// number, or text. The number is for display only, so a float may carry it.
func (v *Venue) servePrice(shape func(price float64, text string) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		at, ok := v.siteByText(query.Get("chainId"))
		if !ok {
			answerJSON(w, http.StatusBadRequest, relaywire.PriceError{Error: "Unsupported chain"})
			return
		}
		asset, ok := at.facts.AssetAt(query.Get("address"))
		price, priced := new(big.Rat), false
		if ok {
			price, priced = v.book.Price(asset.PriceSymbol)
		}
		if !priced {
			answerJSON(w, http.StatusBadRequest, relaywire.PriceError{Error: "Unsupported currency"})
			return
		}
		number, _ := price.Float64()
		answerJSON(w, http.StatusOK, shape(number, strings.TrimSuffix(strings.TrimRight(price.FloatString(6), "0"), ".")))
	}
}
