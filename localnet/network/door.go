package network

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const headerTimeout = 10 * time.Second

// door answers 503 until it is opened to a handler. With it a port is taken,
// and says why it is of no use yet, before the service behind it is ready.
type door struct {
	behind atomic.Pointer[http.Handler]
}

func (d *door) open(handler http.Handler) { d.behind.Store(&handler) }

// ServeHTTP implements http.Handler.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if handler := d.behind.Load(); handler != nil {
		(*handler).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintln(w, `{"message":"the local network is starting"}`)
}

// healthy is behind a door, so that it is reached only when every part is ready.
func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintln(w, `{"status":"ok"}`)
}

func (n *Network) serve(listener net.Listener, handler http.Handler) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout}
	n.servers = append(n.servers, server)
	n.running.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			n.fail(fmt.Errorf("serve on %s: %w", listener.Addr(), err))
		}
	})
}
