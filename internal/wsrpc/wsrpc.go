// Package wsrpc is the live-update edge: JSON-RPC 2.0 over WebSocket at /ws, in
// the dialect of the npm client rpc-websockets (rpc.login, rpc.on, rpc.off,
// __listMethods, pushes with "notification"). A connection belongs to one
// session and hears only of its own person.
//
// It must never answer another origin, outlive its session, or let a slow
// reader hold up anybody.
//
// Layer: edge.
package wsrpc

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"tenfold/internal/fault"
	"tenfold/internal/session"
)

// The topics that a page can subscribe to.
const (
	TopicMovements = "movements" // params [Movement]
	TopicBalances  = "balances"  // params [{chainIds}]
	TopicSession   = "session"   // params [{state:"expired"}], just before the close
)

var topics = []string{TopicMovements, TopicBalances, TopicSession}

// Bounds of a connection.
const (
	maxMessageBytes = 32 << 10
	outboxLength    = 64
	writeTimeout    = 5 * time.Second
	pingInterval    = 20 * time.Second
	pingTimeout     = 10 * time.Second
	// maxPerPerson bounds how many connections one person may hold.
	maxPerPerson = 20
)

// Sessions finds the session of a cookie.
type Sessions interface {
	Authenticate(ctx context.Context, token string) (session.Session, error)
}

// Options configure a Hub.
type Options struct {
	Sessions Sessions
	// CookieName is the session cookie.
	CookieName string
	// Origins are the pages that may connect, compared exactly.
	Origins []string
	Log     *slog.Logger
	Now     func() time.Time
	// Refuse answers a refused upgrade as the REST edge would.
	Refuse func(w http.ResponseWriter, err error)
}

// Hub holds the live connections and spreads notifications to them.
type Hub struct {
	Options
	mu     sync.Mutex
	closed bool
	people map[string]map[*connection]struct{} // organization id → connections
	wait   sync.WaitGroup
}

// NewHub makes the hub.
func NewHub(o Options) *Hub {
	return &Hub{Options: o, people: map[string]map[*connection]struct{}{}}
}

// ServeHTTP upgrades a request that comes from an allowed page with a live session.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !slices.Contains(h.Origins, r.Header.Get("Origin")) {
		h.Refuse(w, fault.New("forbidden_origin", "This page may not connect."))
		return
	}
	cookie, err := r.Cookie(h.CookieName)
	if err != nil {
		h.Refuse(w, fault.New(fault.SessionExpired, session.ExpiredMessage))
		return
	}
	who, err := h.Sessions.Authenticate(r.Context(), cookie.Value)
	if err != nil {
		h.Refuse(w, err)
		return
	}
	// The origin has been compared above, more strictly than the library does.
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	socket.SetReadLimit(maxMessageBytes)
	c := newConnection(socket, who, cookie.Value)
	if !h.add(c) {
		_ = socket.Close(websocket.StatusTryAgainLater, "too many connections")
		return
	}
	defer h.remove(c)
	// A session that was closed while the socket was being made is missed by
	// EndSession, which found no connection of it yet.
	if _, err := h.Sessions.Authenticate(r.Context(), cookie.Value); err != nil {
		_ = socket.Close(websocket.StatusPolicyViolation, "session closed")
		return
	}
	c.serve(h.Log, who.ExpiresAt.Sub(h.Now()))
}

func (h *Hub) add(c *connection) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.people[c.session.OrganizationID]
	if h.closed || len(of) >= maxPerPerson {
		return false
	}
	if of == nil {
		of = map[*connection]struct{}{}
		h.people[c.session.OrganizationID] = of
	}
	of[c] = struct{}{}
	h.wait.Add(1)
	return true
}

func (h *Hub) remove(c *connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.people[c.session.OrganizationID]
	delete(of, c)
	if len(of) == 0 {
		delete(h.people, c.session.OrganizationID)
	}
	h.wait.Done()
}

// Publish sends a notification to the connections of one person that subscribed
// to the topic. It never blocks: a connection that does not keep up is dropped.
func (h *Hub) Publish(organizationID, topic string, params ...any) {
	message, err := encodeNotification(topic, params)
	if err != nil {
		h.Log.Error("notification can't be encoded", slog.String("topic", topic), slog.Any("error", err))
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.people[organizationID] {
		c.notify(topic, message)
	}
}

// EndSession closes the connections of a session that was closed.
func (h *Hub) EndSession(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, of := range h.people {
		for c := range of {
			if c.sessionKey == key {
				c.end(websocket.StatusPolicyViolation, "session closed")
			}
		}
	}
}

// closePatience is how long Close lets pages answer the closing handshake.
const closePatience = 2 * time.Second

// Close ends every connection and returns when they are gone.
func (h *Hub) Close() {
	h.each(func(c *connection) { c.end(websocket.StatusGoingAway, "the server stops") })
	cut := time.AfterFunc(closePatience, func() {
		h.each(func(c *connection) { _ = c.socket.CloseNow() })
	})
	defer cut.Stop()
	h.wait.Wait()
}

// each runs on every connection, and lets no new one in.
func (h *Hub) each(do func(c *connection)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, of := range h.people {
		for c := range of {
			do(c)
		}
	}
}
