package faucet_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"tenfold/localnet/faucet"
)

const (
	evmAddress    = "0x52908400098527886E0F7030069857D2E4169EE7"
	solanaAddress = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
)

// brokenLane is a chain whose node is down, which a healthy local network
// cannot show.
type brokenLane struct{ id int64 }

func (l brokenLane) ChainID() int64 { return l.id }

func (brokenLane) TopUp(context.Context, string) ([]faucet.Transaction, error) {
	return nil, errors.New("connection refused")
}

// heldLane pays when it is let go, and counts.
type heldLane struct {
	release chan struct{}
	times   atomic.Int32
}

func (*heldLane) ChainID() int64 { return 1 }

func (l *heldLane) TopUp(ctx context.Context, _ string) ([]faucet.Transaction, error) {
	l.times.Add(1)
	<-l.release
	return []faucet.Transaction{{ChainID: 1, Hash: "0x01"}}, ctx.Err()
}

func post(handler http.Handler, method, body string) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest(method, "/faucet", strings.NewReader(body)))
	return recorder
}

func TestBadRequestsAreRefusedInWords(t *testing.T) {
	t.Parallel()
	handler := faucet.New(nil, nil).Handler(slog.New(slog.DiscardHandler))
	for name, c := range map[string]struct {
		body, want string
		method     string
		status     int
	}{
		"fail/no JSON":         {body: "give me", want: "JSON"},
		"fail/no address":      {body: `{}`, want: "is needed"},
		"fail/unknown field":   {body: `{"address":"x"}`, want: "JSON"},
		"fail/short EVM":       {body: `{"evmAddress":"0x1234"}`, want: "40 hexadecimal digits"},
		"fail/EVM without 0x":  {body: `{"evmAddress":"` + evmAddress[2:] + `"}`, want: "40 hexadecimal digits"},
		"fail/mixed checksum":  {body: `{"evmAddress":"0x52908400098527886E0F7030069857D2E4169Ee7"}`, want: "checksum"},
		"fail/zero EVM":        {body: `{"evmAddress":"0x0000000000000000000000000000000000000000"}`, want: "zero address"},
		"fail/Solana on EVM":   {body: `{"evmAddress":"` + solanaAddress + `"}`, want: "evmAddress"},
		"fail/EVM on Solana":   {body: `{"solanaAddress":"` + evmAddress + `"}`, want: "base58"},
		"fail/Solana checksum": {body: `{"solanaAddress":"0OIl"}`, want: "base58"},
		"fail/too long":        {body: `{"evmAddress":"` + strings.Repeat("0", 5000) + `"}`, want: "JSON"},
		"fail/GET":             {method: http.MethodGet, want: "POST", status: http.StatusMethodNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.method == "" {
				c.method, c.status = http.MethodPost, http.StatusBadRequest
			}
			response := post(handler, c.method, c.body)
			var problem struct{ Message string }
			if err := json.Unmarshal(response.Body.Bytes(), &problem); err != nil {
				t.Fatalf("body %s: %v", response.Body, err)
			}
			if response.Code != c.status || !strings.Contains(problem.Message, c.want) {
				t.Errorf("%d %q; want %d with %q", response.Code, problem.Message, c.status, c.want)
			}
		})
	}
}

func TestChainThatDoesNotPayIsNamed(t *testing.T) {
	t.Parallel()
	handler := faucet.New([]faucet.Lane{brokenLane{146}}, nil).Handler(slog.New(slog.DiscardHandler))
	response := post(handler, http.MethodPost, `{"evmAddress":"`+evmAddress+`"}`)
	if response.Code != http.StatusBadGateway || !strings.Contains(response.Body.String(), "chain 146") {
		t.Errorf("%d %s", response.Code, response.Body)
	}
}

// An account asked for twice at the same time is paid once, also when the first
// asker leaves.
func TestSimultaneousRequestsShareOneTopUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lane := &heldLane{release: make(chan struct{})}
		f := faucet.New([]faucet.Lane{lane}, nil)
		ctx, leave := context.WithCancel(t.Context())
		var asking sync.WaitGroup
		for _, asker := range []context.Context{ctx, t.Context()} {
			asking.Go(func() {
				if paid, err := f.Fund(asker, evmAddress, ""); err != nil || len(paid) != 1 {
					t.Errorf("%v, %v; want one payment", paid, err)
				}
			})
			synctest.Wait() // it hangs at the lane, or at the one before it
		}
		leave()
		close(lane.release)
		asking.Wait()
		if times := lane.times.Load(); times != 1 {
			t.Errorf("topped up %d times", times)
		}
	})
}
