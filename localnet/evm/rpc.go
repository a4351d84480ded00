package evm

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth"
	"github.com/ethereum/go-ethereum/eth/filters"
	"github.com/ethereum/go-ethereum/eth/tracers"
	_ "github.com/ethereum/go-ethereum/eth/tracers/native" // callTracer and prestateTracer
	"github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/rpc"
)

const (
	batchItems         = 1000
	batchResponseBytes = 25 << 20
)

// publicModules are the JSON-RPC namespaces that anyone on this machine may
// call. Of debug only tracing is served: the rest can rewind or damage a chain.
var publicModules = []string{"eth", "net", "web3", "txpool", "debug"}

func newPublicServer(backend *eth.Ethereum) (*rpc.Server, error) {
	apis := slices.DeleteFunc(backend.APIs(), func(api rpc.API) bool { return api.Namespace == "debug" })
	apis = append(apis, tracers.APIs(backend.APIBackend)...)
	events := filters.NewFilterSystem(backend.APIBackend, filters.Config{})
	apis = append(apis,
		rpc.API{Namespace: "eth", Service: filters.NewFilterAPI(events)},
		rpc.API{Namespace: "web3", Service: web3API{}},
	)
	server := rpc.NewServer()
	server.SetBatchLimits(batchItems, batchResponseBytes)
	if err := node.RegisterApis(apis, publicModules, server); err != nil {
		return nil, fmt.Errorf("register JSON-RPC: %w", err)
	}
	return server, nil
}

// web3API is the web3 namespace, which the node itself keeps private.
type web3API struct{}

// ClientVersion names the program, as web3_clientVersion.
func (web3API) ClientVersion() string { return "Tenfold-localnet/go-ethereum" }

// Sha3 is the Keccak-256 hash of the input, as web3_sha3.
func (web3API) Sha3(input hexutil.Bytes) hexutil.Bytes { return crypto.Keccak256(input) }

// endpoint serves one chain: JSON-RPC over HTTP, and over WebSocket on the
// same path.
type endpoint struct {
	http, websocket http.Handler
}

func newEndpoint(server *rpc.Server) endpoint {
	// Origins are checked by localOnly before a request comes here.
	return endpoint{http: server, websocket: server.WebsocketHandler([]string{"*"})}
}

// ServeHTTP implements http.Handler: WebSocket for who asks to upgrade, else HTTP.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		e.websocket.ServeHTTP(w, r)
		return
	}
	e.http.ServeHTTP(w, r)
}

// byChainID routes /<chain id> to the chain's endpoint.
func byChainID(chains []*chain) http.Handler {
	endpoints := map[string]endpoint{}
	ids := make([]string, 0, len(chains))
	for _, c := range chains {
		id := strconv.FormatInt(c.spec.ChainID, 10)
		endpoints[id] = newEndpoint(c.server)
		ids = append(ids, id)
	}
	unknown := "no chain at this path; one of /" + strings.Join(ids, " /")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found, ok := endpoints[strings.Trim(r.URL.Path, "/")]
		if !ok {
			http.Error(w, unknown, http.StatusNotFound)
			return
		}
		found.ServeHTTP(w, r)
	})
}

// LocalOnly lets only this machine's own pages and programs through. A foreign
// Host header means that another site's name was pointed at this machine (DNS
// rebinding); a foreign Origin is another site's page. Pages of any localhost
// port get CORS headers.
func LocalOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopbackHost(r.Host) {
			http.Error(w, "this server answers to localhost only", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			page, err := url.Parse(origin)
			if err != nil || !isLoopbackHost(page.Host) {
				http.Error(w, "this server answers to localhost pages only", http.StatusForbidden)
				return
			}
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
			w.Header().Set("Access-Control-Allow-Headers", "*")
			w.Header().Set("Access-Control-Max-Age", "600")
			w.Header().Add("Vary", "Origin")
			if r.Method == http.MethodOptions {
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// isLoopbackHost says whether a host, with or without port, is this machine.
func isLoopbackHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
