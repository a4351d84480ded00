package crash

import (
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// gate stands before a service on the level of TCP. Shut, connections break and
// none is made, as if the service were gone; deaf, the service gets the request
// and the answer is lost.
type gate struct {
	url, target string

	mu    sync.Mutex
	mode  gateMode
	pipes map[net.Conn]struct{}
}

type gateMode int

const (
	open gateMode = iota
	shut
	deaf
)

func newGate(t *testing.T, target string) *gate {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{target: to.Host, pipes: map[net.Conn]struct{}{}}
	to.Host = listener.Addr().String()
	g.url = to.String()
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { g.pass(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		g.set(shut)
		serving.Wait()
	})
	return g
}

// pass joins a client with the service until either hangs up or the gate is shut.
func (g *gate) pass(client net.Conn) {
	defer func() { _ = client.Close() }()
	if !g.admit(client) {
		return
	}
	defer g.leave(client)
	service, err := net.Dial("tcp4", g.target)
	if err != nil {
		return
	}
	var answers sync.WaitGroup
	answers.Go(func() {
		_ = g.answer(client, service)
		_ = client.Close()
	})
	_, _ = io.Copy(service, client)
	_ = service.Close()
	answers.Wait()
}

var errLost = errors.New("the answer is lost")

// answer copies what the service says, unless the gate is deaf by then.
func (g *gate) answer(client io.Writer, service io.Reader) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := service.Read(buffer)
		if n > 0 && g.now() == deaf {
			return errLost
		}
		if _, writeErr := client.Write(buffer[:n]); writeErr != nil {
			return writeErr
		}
		if err != nil {
			return err
		}
	}
}

func (g *gate) admit(client net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.mode == shut {
		return false
	}
	g.pipes[client] = struct{}{}
	return true
}

func (g *gate) leave(client net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pipes, client)
}

func (g *gate) now() gateMode {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode
}

// set changes the mode; shutting breaks what is open.
func (g *gate) set(mode gateMode) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode = mode
	if mode != shut {
		return
	}
	for client := range g.pipes {
		_ = client.Close()
	}
}

// during sets a mode until the test (or subtest) ends.
func (g *gate) during(t *testing.T, mode gateMode) {
	t.Helper()
	g.set(mode)
	t.Cleanup(func() { g.set(open) })
}
