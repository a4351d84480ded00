package wsrpc

import (
	"bytes"
	"encoding/json"
	"slices"

	"tenfold/internal/session"
)

// The dialect's errors.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

var (
	eventMissing    = rpcError{-32000, "Event not provided"}
	invalidRequest  = rpcError{-32600, "Invalid Request"}
	methodNotFound  = rpcError{-32601, "Method not found"}
	invalidParams   = rpcError{-32602, "Invalid params"}
	paramsMissing   = rpcError{-32604, "Params not found"}
	eventForbidden  = rpcError{-32606, "Event forbidden"}
	parseError      = rpcError{-32700, "Parse error"}
	builtinMethods  = []string{"rpc.login", "rpc.on", "rpc.off", "__listMethods"}
	acknowledgement = "ok"
)

type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// answer handles one message; nil for a notification, which wants no answer.
func (c *connection) answer(message []byte) []byte {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		return failure(nil, parseError)
	}
	if r.Version != "2.0" || r.Method == "" {
		return failure(r.ID, invalidRequest)
	}
	result, problem := c.call(r)
	if len(r.ID) == 0 {
		return nil
	}
	if problem != nil {
		return failure(r.ID, *problem)
	}
	return success(r.ID, result)
}

func (c *connection) call(r request) (any, *rpcError) {
	switch r.Method {
	case "rpc.login":
		return c.login(r.Params)
	case "rpc.on":
		return c.subscribe(r.Params, true)
	case "rpc.off":
		return c.subscribe(r.Params, false)
	case "__listMethods":
		return builtinMethods, nil
	}
	return nil, &methodNotFound
}

// login proves that the page, not only its cookie, belongs to the session. The
// client wants exactly true, else it says "authentication failed".
func (c *connection) login(params json.RawMessage) (any, *rpcError) {
	if absent(params) {
		return nil, &paramsMissing
	}
	var credentials struct {
		CSRFToken string `json:"csrfToken"`
	}
	if err := json.Unmarshal(params, &credentials); err != nil {
		return nil, &invalidParams
	}
	ok := session.SameCSRFToken(c.token, credentials.CSRFToken)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loggedIn = c.loggedIn || ok
	return ok, nil
}

// subscribe answers {event: "ok"} for each known event.
func (c *connection) subscribe(params json.RawMessage, on bool) (any, *rpcError) {
	if absent(params) {
		return nil, &eventMissing
	}
	var events []string
	if err := json.Unmarshal(params, &events); err != nil {
		return nil, &invalidParams
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if on && !c.loggedIn {
		return nil, &eventForbidden
	}
	result := map[string]string{}
	for _, event := range events {
		switch {
		case !slices.Contains(topics, event):
			result[event] = "provided event invalid"
		case on:
			c.subscribed[event], result[event] = true, acknowledgement
		default:
			delete(c.subscribed, event)
			result[event] = acknowledgement
		}
	}
	return result, nil
}

func absent(params json.RawMessage) bool {
	return len(params) == 0 || bytes.Equal(params, []byte("null"))
}

func success(id json.RawMessage, result any) []byte {
	message, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		Result  any             `json:"result"`
		ID      json.RawMessage `json:"id"`
	}{"2.0", result, id})
	if err != nil {
		return nil
	}
	return message
}

func failure(id json.RawMessage, problem rpcError) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	message, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		Error   rpcError        `json:"error"`
		ID      json.RawMessage `json:"id"`
	}{"2.0", problem, id})
	if err != nil {
		return nil
	}
	return message
}

// encodeNotification is the dialect's push: "notification" instead of "method".
func encodeNotification(topic string, params []any) ([]byte, error) {
	return json.Marshal(struct {
		Notification string `json:"notification"`
		Params       []any  `json:"params"`
	}{topic, params})
}
