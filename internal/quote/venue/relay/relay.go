// Package relay is the client of Relay's HTTP API, and so of the local venue,
// which speaks it too. It turns Relay's answers into the product's words and
// decodes them with care: an answer is a claim, and whatever is signed because of
// it is checked once more by quote.Verify. It is an edge of the quote domain, and
// must never follow a URL that an answer names.
package relay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tenfold/catalog"
	"tenfold/internal/fault"
	"tenfold/internal/quote"
)

// Name is the venue's id in the catalog.
const Name = "relay"

// Config says where the API is.
type Config struct {
	BaseURL string // "https://api.relay.link", or the local venue's
	APIKey  string // optional; raises the rate limits
	// Referrer names the caller to Relay; optional. The local venue makes the faults
	// that tests ask for by it.
	Referrer string
	Now      func() time.Time
}

// Venue is the client. It is safe for concurrent use.
type Venue struct {
	base   *url.URL
	config Config
	client *http.Client
	now    func() time.Time
}

var _ quote.Venue = (*Venue)(nil)

// New makes the client. Nothing is sent yet.
func New(c Config) (*Venue, error) {
	base, err := url.Parse(strings.TrimRight(c.BaseURL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("relay: the base URL must be http:// or https:// with a host")
	}
	now := c.Now
	if now == nil {
		now = time.Now
	}
	return &Venue{base: base, config: c, now: now, client: &http.Client{
		Timeout:       callTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Name is the venue's id in the catalog.
func (v *Venue) Name() string { return Name }

// Quote asks for an offer that spends exactly the amount. The refund address is
// the person's own, always named: Relay's documents contradict each other on what
// happens without one.
func (v *Venue) Quote(ctx context.Context, ask quote.Ask) (quote.Offer, error) {
	from, err := currencyOf(ask.From)
	if err != nil {
		return quote.Offer{}, err
	}
	to, err := currencyOf(ask.To)
	if err != nil {
		return quote.Offer{}, err
	}
	body := quoteRequest{
		User: ask.User, Recipient: ask.Recipient, RefundTo: ask.User,
		OriginChainID: from.ChainID, DestinationChainID: to.ChainID,
		OriginCurrency: from.Address, DestinationCurrency: to.Address,
		Amount: ask.Amount.String(), TradeType: "EXACT_INPUT",
		SlippageTolerance: strconv.FormatInt(ask.SlippageBps, 10), ExplicitDeposit: true, Referrer: v.config.Referrer,
	}
	var answer quoteAnswer
	if err := v.post(ctx, "/quote/v2", body, &answer); err != nil {
		return quote.Offer{}, err
	}
	offer, err := answer.offer(ask)
	if err != nil {
		return quote.Offer{}, unusable(err)
	}
	offer.QuotedAt = v.now()
	return offer, nil
}

// Index tells Relay of a transaction right after its broadcast.
func (v *Venue) Index(ctx context.Context, chainID int64, hash, requestID string) error {
	c, known := catalog.ChainByID(chainID)
	if !known {
		return fault.New(fault.UnsupportedChain, messageNoRoute)
	}
	body := map[string]string{
		"chainId": strconv.FormatInt(c.Venues[Name].ChainID, 10), "txHash": hash, "requestId": requestID,
	}
	return v.post(ctx, "/transactions/index", body, &struct{}{})
}

var (
	requestIDForm = regexp.MustCompile(`^0x[0-9a-f]{64}$`)
	decimalForm   = regexp.MustCompile(`^-?[0-9]{1,30}(\.[0-9]{1,40})?$`)
)

// Status asks how far an order has come.
func (v *Venue) Status(ctx context.Context, requestID string) (quote.Status, error) {
	var answer statusAnswer
	if err := v.get(ctx, "/intents/status/v3", url.Values{"requestId": {requestID}}, &answer); err != nil {
		return quote.Status{}, err
	}
	return answer.status(), nil
}

// Price is US dollars per whole unit, a plain decimal string.
func (v *Venue) Price(ctx context.Context, asset catalog.Asset) (string, error) {
	c, err := currencyOf(asset)
	if err != nil {
		return "", err
	}
	var answer struct {
		Price numeral `json:"price"`
	}
	query := url.Values{"address": {c.Address}, "chainId": {strconv.FormatInt(c.ChainID, 10)}}
	if err := v.get(ctx, "/currencies/token/price", query, &answer); err != nil {
		return "", err
	}
	price, err := answer.Price.decimal()
	if err != nil || strings.HasPrefix(price, "-") {
		return "", unusable(fmt.Errorf("the price of %s is %q", asset.Symbol, answer.Price))
	}
	return price, nil
}

// currencyOf is Relay's name of an asset: its own chain id, small letters on EVM
// chains, and its own placeholder for a native coin.
func currencyOf(asset catalog.Asset) (currency, error) {
	c, known := catalog.ChainByID(asset.ChainID)
	named, served := c.Venues[Name]
	if !known || !served {
		return currency{}, fault.New(fault.UnsupportedChain, messageNoRoute)
	}
	address := asset.Address
	if asset.Native {
		address = named.NativeToken
	}
	if c.IsEVM {
		address = strings.ToLower(address)
	}
	return currency{ChainID: named.ChainID, Address: address}, nil
}

// assetOf is currencyOf's inverse; false for what the catalog does not have.
func assetOf(c currency) (catalog.Asset, bool) {
	on, known := catalog.ByVenueChainID(Name, c.ChainID)
	if !known {
		return catalog.Asset{}, false
	}
	if on.SameAddress(c.Address, on.Venues[Name].NativeToken) {
		return on.NativeAsset(), true
	}
	return on.AssetAt(c.Address)
}
