package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"tenfold/internal/fault"
)

const (
	callTimeout   = 10 * time.Second
	maximumAnswer = 4 << 20 // bytes
)

func (v *Venue) get(ctx context.Context, path string, query url.Values, into any) error {
	return v.do(ctx, http.MethodGet, path, query, nil, into)
}

func (v *Venue) post(ctx context.Context, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("relay: encode a request: %w", err)
	}
	return v.do(ctx, http.MethodPost, path, nil, raw, into)
}

func (v *Venue) do(ctx context.Context, method, path string, query url.Values, body []byte, into any) error {
	target := *v.base
	target.Path += path
	target.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("relay: make a request: %w", err)
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if v.config.APIKey != "" {
		request.Header.Set("x-api-key", v.config.APIKey)
	}
	answer, err := v.client.Do(request)
	if err != nil {
		return unavailable(fmt.Errorf("%s %s: %w", method, path, withoutURL(err)))
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, maximumAnswer+1))
	if err != nil {
		return unavailable(fmt.Errorf("%s %s: read the answer: %w", method, path, err))
	}
	if len(raw) > maximumAnswer {
		return unavailable(fmt.Errorf("%s %s: the answer is longer than %d bytes", method, path, maximumAnswer))
	}
	if answer.StatusCode != http.StatusOK {
		return refusal(answer.StatusCode, raw)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return unusable(fmt.Errorf("%s %s: decode the answer: %w", method, path, err))
	}
	return nil
}

// withoutURL drops the URL that net/http puts into its errors: it holds people's
// addresses.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func unavailable(cause error) error {
	return fault.Wrap(fault.VenueUnavailable, messageUnavailable, fmt.Errorf("relay: %w", cause))
}

// unusable is an answer that came and can't be true or understood.
func unusable(cause error) error {
	return fault.Wrap(fault.VenueUnavailable, messageMissingData, fmt.Errorf("relay: %w", cause))
}
