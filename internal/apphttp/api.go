// Package apphttp is the app server's REST edge: the operations under /api/v1,
// their requests and answers, who may call them, and how failures are told.
// The structs here are the contract; the OpenAPI document is made from them.
//
// It must never decide a domain question, show the cause of a failure, or keep
// state.
//
// Layer: edge.
package apphttp

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"tenfold/internal/account"
	"tenfold/internal/movement"
	"tenfold/internal/portfolio"
	"tenfold/internal/quote"
	"tenfold/internal/session"
	"tenfold/internal/strictjson"
	"tenfold/internal/swap"
	"tenfold/internal/transfer"
)

// Prefix is the path under which every operation lies.
const Prefix = "/api/v1"

// Sessions opens, finds and closes sessions.
type Sessions interface {
	Open(ctx context.Context, stamped session.Stamped) (session.Opened, error)
	Authenticate(ctx context.Context, token string) (session.Session, error)
	Close(ctx context.Context, token string) error
}

// ServerSigner sends an allow-listed custody call stamped by the parent organization.
type ServerSigner interface {
	ServerSign(ctx context.Context, methodName string, params []byte) ([]byte, error)
}

// Accounts answers which addresses a person has.
type Accounts interface {
	Of(ctx context.Context, organizationID string) ([]account.Account, error)
}

// Portfolios reads what a person holds.
type Portfolios interface {
	Of(ctx context.Context, organizationID string) (portfolio.Portfolio, error)
}

// Faucet gives starting funds on a local network.
type Faucet interface {
	Claim(ctx context.Context, organizationID string) ([]account.FaucetTransaction, error)
}

// Quotes asks venues for offers.
type Quotes interface {
	Ask(ctx context.Context, organizationID string, request quote.Request) ([]quote.Stored, error)
}

// Transfers prepares payments.
type Transfers interface {
	Draft(ctx context.Context, organizationID string, request transfer.Request) (movement.Draft, error)
	Maximum(ctx context.Context, organizationID string, request transfer.MaximumRequest) (transfer.Maximum, error)
}

// Swaps prepares the transactions of an accepted quote.
type Swaps interface {
	Draft(ctx context.Context, organizationID string, request swap.Request) (movement.Draft, error)
}

// Movements creates, confirms and lists movements.
type Movements interface {
	Create(ctx context.Context, intent movement.Intent, build movement.Build) (movement.Movement, error)
	Confirm(ctx context.Context, confirmation movement.Confirmation) (movement.Movement, error)
	Cancel(ctx context.Context, cancellation movement.Cancellation) (movement.Movement, error)
	Get(ctx context.Context, organizationID, id string) (movement.Movement, error)
	List(ctx context.Context, organizationID string, page movement.Page) ([]movement.Movement, error)
}

// Limiter answers whether one more request of the key may pass.
type Limiter interface {
	Allow(key string) bool
}

// Limits are the limiters of the operations that strangers can call, or that
// cost something outside.
type Limits struct {
	ServerSign, Sessions, Quotes Limiter
}

// PublicConfig is what the page needs to know before anybody signs in.
type PublicConfig struct {
	Network             string
	CustodyBaseURL      string
	CustodyOrganization string
	AuthFrameURL        string
	RPID                string
	Version             string
}

// Services is what the operations call. A zero Services is enough to emit the
// document.
type Services struct {
	Sessions   Sessions
	ServerSign ServerSigner
	Accounts   Accounts
	Portfolios Portfolios
	Faucet     Faucet // nil outside a local network
	Quotes     Quotes
	Transfers  Transfers
	Swaps      Swaps
	Movements  Movements
	Limits     Limits
	Config     PublicConfig
	// SecureCookies is set when the page is served over https.
	SecureCookies bool
	Log           *slog.Logger
	Now           func() time.Time
}

// API is the set of registered operations.
type API struct {
	Services
	log      *slog.Logger
	huma     huma.API
	mux      *http.ServeMux
	document []byte
}

var installOnce sync.Once

// installGlobals sets huma's two process-wide values. They say how this
// product's API looks, so no other use of huma may share the process.
func installGlobals() {
	installOnce.Do(func() {
		huma.NewError = validationProblem
		huma.DefaultArrayNullable = false
	})
}

// New registers every operation. It fails only when the document can't be made,
// which is a programming error.
func New(services Services) (*API, error) {
	installGlobals()
	config := huma.DefaultConfig("Tenfold", "1")
	config.Info.Description = "The app server of Tenfold. Amounts are decimal strings of base units, times epoch milliseconds."
	config.CreateHooks = nil
	config.DocsPath, config.OpenAPIPath, config.SchemasPath = "", "", ""
	config.RejectUnknownQueryParameters = true
	// A body that two readers could understand differently is refused.
	json := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: strictjson.Unmarshal}
	config.Formats = map[string]huma.Format{"application/json": json, "json": json}
	config.Components.SecuritySchemes = securitySchemes()
	if services.Now == nil {
		services.Now = time.Now
	}
	a := &API{Services: services, log: services.Log, mux: http.NewServeMux()}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.huma = humago.New(a.mux, config)
	a.registerPublic()
	a.registerSessions()
	a.registerAccounts()
	a.registerPortfolio()
	a.registerQuotes()
	a.registerMovements()
	a.registerTransfers()
	document, err := a.huma.OpenAPI().MarshalJSON()
	if err != nil {
		return nil, err
	}
	a.document = document
	a.mux.HandleFunc("GET "+Prefix+"/openapi.json", a.serveDocument)
	return a, nil
}

// Document is the OpenAPI 3.1 document as JSON.
func (a *API) Document() []byte { return a.document }

func (a *API) serveDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(a.document)
}
