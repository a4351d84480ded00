package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"tenfold/catalog"
	"tenfold/internal/account"
	"tenfold/internal/appdb"
	"tenfold/internal/apphttp"
	"tenfold/internal/custodyclient"
	"tenfold/internal/movement"
	"tenfold/internal/portfolio"
	"tenfold/internal/price"
	"tenfold/internal/quote"
	"tenfold/internal/quote/venue/relay"
	"tenfold/internal/ratelimit"
	"tenfold/internal/session"
	"tenfold/internal/swap"
	"tenfold/internal/transfer"
	"tenfold/internal/wsrpc"
	"tenfold/web"
)

// application is the running server's parts that have to be stopped.
type application struct {
	log     *slog.Logger
	store   *appdb.Store
	chains  chainRegistry
	engine  *movement.Engine
	live    *wsrpc.Hub
	handler http.Handler
}

func (a *application) close() {
	a.chains.Close()
	if err := a.store.Close(); err != nil {
		a.log.Error("the database did not close", slog.Any("error", err))
	}
}

// open reads the key, opens the database and makes every part. It contacts
// neither custody nor a chain: the server starts also when they are down.
func open(ctx context.Context, c configuration, version string, log *slog.Logger) (*application, error) {
	key, err := readCustodyKey(c.CustodyKeyFile)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	store, err := appdb.Open(ctx, c.Data)
	if err != nil {
		return nil, err
	}
	chains, err := openChains(c.RPC)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	app := &application{log: log, store: store, chains: chains}
	if err := app.wire(c, key, version); err != nil {
		app.close()
		return nil, err
	}
	return app, nil
}

func (a *application) wire(c configuration, key custodyKey, version string) error {
	custody := custodyclient.New(custodyclient.Options{
		BaseURL: c.CustodyURL, OrganizationID: key.organizationID, Signer: key.signer,
	})
	accounts, err := account.New(custody)
	if err != nil {
		return err
	}
	venue, err := relay.New(relay.Config{BaseURL: c.RelayURL, APIKey: c.RelayAPIKey, Referrer: c.RelayReferrer})
	if err != nil {
		return err
	}
	prices, err := price.New(venue, a.log)
	if err != nil {
		return err
	}
	sessions := session.New(custody, a.store, time.Now, func(key string) { a.live.EndSession(key) })
	a.live = wsrpc.NewHub(wsrpc.Options{
		Sessions: sessions, CookieName: apphttp.CookieName, Origins: []string{c.Origin},
		Log: a.log, Now: time.Now, Refuse: apphttp.WriteProblem,
	})
	quotes := quote.NewService([]quote.Venue{venue}, accounts, a.chains, a.store, time.Now, a.log)
	a.engine = movement.NewEngine(a.store, a.chains, quotes, publisher{a.live}, time.Now, a.log)
	limits, err := rateLimits()
	if err != nil {
		return err
	}
	services := apphttp.Services{
		Sessions: sessions, ServerSign: custody, Accounts: accounts,
		Portfolios: portfolio.New(accounts, a.chains, prices, a.store, time.Now, a.log),
		Quotes:     quotes,
		Transfers:  transfer.New(accounts, a.chains, time.Now),
		Swaps:      swap.New(quotes, a.chains, time.Now),
		Movements:  movement.NewService(a.store, a.chains, publisher{a.live}, a.engine.Poke, time.Now),
		Limits:     limits,
		Config: apphttp.PublicConfig{
			Network: c.Network, CustodyBaseURL: c.CustodyURL, CustodyOrganization: key.organizationID,
			AuthFrameURL: c.AuthFrameURL, RPID: c.RPID, Version: version,
		},
		SecureCookies: strings.HasPrefix(c.Origin, "https://"),
		Log:           a.log, Now: time.Now,
	}
	if c.FaucetURL != "" {
		services.Faucet = account.NewFaucet(c.FaucetURL, accounts)
	}
	api, err := apphttp.New(services)
	if err != nil {
		return err
	}
	a.handler, err = apphttp.Site{API: api, Live: a.live, Page: page(c), Origins: []string{c.Origin}}.Handler()
	return err
}

// page serves the built page, or passes requests on to the page's own
// development server.
func page(c configuration) http.Handler {
	if c.PageURL != "" {
		target, _ := url.Parse(c.PageURL) // checked with the configuration
		return httputil.NewSingleHostReverseProxy(target)
	}
	origins := []string{originOf(c.CustodyURL)}
	if frame := originOf(c.AuthFrameURL); !slices.Contains(origins, frame) {
		origins = append(origins, frame)
	}
	return web.Handler(web.Policy{CustodyOrigins: origins})
}

func rateLimits() (apphttp.Limits, error) {
	rates := catalog.CurrentLimits().Rates
	serverSign, err1 := ratelimit.PerMinute(rates.ServerSignPerMinute, time.Now)
	sessions, err2 := ratelimit.PerMinute(rates.SessionsPerMinute, time.Now)
	quotes, err3 := ratelimit.PerMinute(rates.QuotesPerMinute, time.Now)
	return apphttp.Limits{ServerSign: serverSign, Sessions: sessions, Quotes: quotes}, errors.Join(err1, err2, err3)
}

// publisher spreads what the movements' domain says to the person's live pages.
type publisher struct{ live *wsrpc.Hub }

// MovementChanged implements movement.Observer.
func (p publisher) MovementChanged(m movement.Movement) {
	p.live.Publish(m.OrganizationID, wsrpc.TopicMovements, apphttp.MovementView(m))
}

// BalancesChanged implements movement.Observer.
func (p publisher) BalancesChanged(organizationID string, chainIDs []int64) {
	p.live.Publish(organizationID, wsrpc.TopicBalances, map[string][]int64{"chainIds": chainIDs})
}
