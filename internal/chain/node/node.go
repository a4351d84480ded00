// Package node talks JSON-RPC over HTTP to the nodes of one chain: several
// URLs, tried in order of health, each proved to belong to the chain before its
// word is taken. It is a mechanism that internal/evm and internal/solana share;
// it knows no chain's methods and must never put a URL's path or query, which
// may hold an access key, into an error or a log.
package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

const (
	attemptTimeout   = 8 * time.Second // of one node, before the next is tried
	maximumAnswer    = 16 << 20        // bytes
	shortestCooldown = time.Second
	longestCooldown  = 30 * time.Second
)

// Caller asks one node. The result must be a pointer; an answer that does not
// fit it is the node's fault.
type Caller interface {
	Call(ctx context.Context, result any, method string, args ...any) error
}

// Identity asks a node which chain it serves.
type Identity func(ctx context.Context, node Caller) (string, error)

// Pool is the nodes of one chain. It is safe for concurrent use.
type Pool struct {
	identity Identity

	mu       sync.Mutex
	expected string // what identity must answer; empty until the first node pins it
	members  []*member
}

type member struct {
	host     string // for errors: never the whole URL
	client   *rpc.Client
	verified bool
	failures int
	rested   time.Time // after this moment the node is worth a try again
}

// UnreachableError says that no node gave an answer.
type UnreachableError struct{ Causes []error }

// Error lists what each node did wrong.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("no node answered: %v", errors.Join(e.Causes...))
}

// Unwrap gives the causes.
func (e *UnreachableError) Unwrap() []error { return e.Causes }

// Open prepares a pool; nothing is sent yet. A node whose identity differs from
// expected is never used; with an empty expected, the first answer is the rule.
func Open(urls []string, identity Identity, expected string) (*Pool, error) {
	if len(urls) == 0 {
		return nil, errors.New("a chain needs at least one RPC URL")
	}
	p := &Pool{identity: identity, expected: expected}
	for _, text := range urls {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, errors.New("an RPC URL must be http:// or https:// with a host")
		}
		client, err := rpc.DialOptions(context.Background(), text, rpc.WithHTTPClient(httpClient()))
		if err != nil {
			return nil, fmt.Errorf("prepare the node at %s: %w", u.Host, withoutURL(err))
		}
		p.members = append(p.members, &member{host: u.Host, client: client})
	}
	return p, nil
}

// Close drops the connections.
func (p *Pool) Close() {
	for _, m := range p.members {
		m.client.Close()
	}
}

// Call asks the healthiest node, and the next one when that one fails.
func (p *Pool) Call(ctx context.Context, result any, method string, args ...any) error {
	return p.OnOne(ctx, func(ctx context.Context, n Caller) error {
		return n.Call(ctx, result, method, args...)
	})
}

// OnOne runs all of work's calls on one and the same node, so that they see one
// consistent view of the chain. When the node fails, work starts over on the
// next. Any error that is not the node's (a refusal, or work's own) ends it.
func (p *Pool) OnOne(ctx context.Context, work func(context.Context, Caller) error) error {
	var causes []error
	for _, m := range p.inOrder() {
		err := p.try(ctx, m, work)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("ask the node at %s: %w", m.host, ctx.Err())
		}
		var broken *brokenError
		if !errors.As(err, &broken) {
			return err
		}
		causes = append(causes, fmt.Errorf("%s: %w", m.host, broken.cause))
	}
	return &UnreachableError{Causes: causes}
}

func (p *Pool) try(ctx context.Context, m *member, work func(context.Context, Caller) error) error {
	err := p.verify(ctx, m)
	if err == nil {
		err = work(ctx, m)
	}
	var broken *brokenError
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil || !errors.As(err, &broken):
		m.failures, m.rested = 0, time.Time{}
	case ctx.Err() == nil:
		m.rested = time.Now().Add(min(shortestCooldown<<min(m.failures, 5), longestCooldown))
		m.failures++
	}
	return err
}

// verify asks a node once which chain it serves.
func (p *Pool) verify(ctx context.Context, m *member) error {
	p.mu.Lock()
	verified := m.verified
	p.mu.Unlock()
	if verified {
		return nil
	}
	got, err := p.identity(ctx, m)
	if err != nil {
		return &brokenError{fmt.Errorf("ask which chain it serves: %w", err)}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.expected == "" {
		p.expected = got
	}
	if got != p.expected {
		return &brokenError{fmt.Errorf("it serves chain %q instead of %q", got, p.expected)}
	}
	m.verified = true
	return nil
}

// inOrder lists the nodes that are worth a try first, the resting ones last,
// each group in the configured order.
func (p *Pool) inOrder() []*member {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	var ready, resting []*member
	for _, m := range p.members {
		if m.rested.After(now) {
			resting = append(resting, m)
		} else {
			ready = append(ready, m)
		}
	}
	return append(ready, resting...)
}

// Call asks this node alone.
func (m *member) Call(ctx context.Context, result any, method string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	return classify(m.client.CallContext(ctx, result, method, args...))
}

func httpClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 8
	return &http.Client{
		Transport: boundedTransport{transport},
		// A node has no reason to send its callers elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// boundedTransport cuts answers off at maximumAnswer, so that a hostile node
// can't fill our memory.
type boundedTransport struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, maximumAnswer), answer.Body}
	return answer, nil
}
