// Package custodyclient is the app server's only way to custody: it speaks the
// provider's HTTP API, for our own custody and for the hosted one alike. It
// stamps with the parent organization's API key, or forwards what a person has
// stamped, byte for byte.
//
// It must never hold a user's key, alter stamped bytes, log a stamp, or follow
// a redirect with one.
//
// Layer: domain.
package custodyclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"tenfold/internal/fault"
	"tenfold/internal/stamp"
)

// Version is sent as X-Client-Version with every request.
const Version = "tenfold-app@1"

const (
	maxResponseBytes = 4 << 20
	requestTimeout   = 10 * time.Second
)

// UnavailableMessage is what a person sees when custody does not answer.
const UnavailableMessage = "The key custody service can't be reached. Nothing was signed. Please try again in a moment."

// Client talks to one custody service as one parent organization.
type Client struct {
	baseURL        string
	organizationID string
	signer         *stamp.Signer
	http           *http.Client
	now            func() time.Time
}

// Options configure a Client.
type Options struct {
	// BaseURL is the service's address without path, such as http://localhost:8090.
	BaseURL string
	// OrganizationID is the parent organization.
	OrganizationID string
	// Signer stamps with the parent's API key.
	Signer *stamp.Signer
	// Transport carries the requests; http.DefaultTransport when nil.
	Transport http.RoundTripper
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// New makes a client. It contacts nobody.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{
		baseURL:        strings.TrimRight(o.BaseURL, "/"),
		organizationID: o.OrganizationID,
		signer:         o.Signer,
		now:            o.Now,
		http: &http.Client{
			Transport: o.Transport,
			Timeout:   requestTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return errors.New("custody answered with a redirect")
			},
		},
	}
}

// OrganizationID is the parent organization.
func (c *Client) OrganizationID() string { return c.organizationID }

// stamped is a body with the header that authenticates it.
type stamped struct {
	body        []byte
	headerName  string
	headerValue string
}

// call stamps the request as the parent organization and decodes the answer.
func (c *Client) call(ctx context.Context, path string, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("custody: encode %s: %w", path, err)
	}
	header, err := c.signer.Stamp(body)
	if err != nil {
		return fmt.Errorf("custody: stamp %s: %w", path, err)
	}
	return c.post(ctx, path, stamped{body: body, headerName: stamp.Header, headerValue: header}, answer)
}

// post sends the exact bytes. A refusal is a *Refusal; a service that can't be
// reached or understood is the fault custody_unavailable.
func (c *Client) post(ctx context.Context, path string, s stamped, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.baseURL+path, bytes.NewReader(s.body))
	if err != nil {
		return fmt.Errorf("custody: %s: %w", path, err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Client-Version", Version)
	request.Header.Set(s.headerName, s.headerValue)
	response, err := c.http.Do(request)
	if err != nil {
		return unavailable(path, err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxResponseBytes))
	if err != nil {
		return unavailable(path, err)
	}
	if response.StatusCode != http.StatusOK {
		return refusalOf(path, response.StatusCode, raw)
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return unavailable(path, err)
	}
	return nil
}

func unavailable(path string, cause error) error {
	return fault.Wrap(fault.CustodyUnavailable, UnavailableMessage, fmt.Errorf("custody %s: %w", path, cause))
}
