package wsrpc

import (
	"encoding/json"
	"testing"

	"tenfold/internal/session"
)

// FuzzAnswer feeds the dialect anything: an answer is always JSON with exactly
// one of result and error, and nobody is subscribed before the login.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","method":"rpc.on","params":["movements"],"id":1}`, `{"jsonrpc":"2.0","method":"rpc.login","params":{"csrfToken":"x"},"id":"y"}`,
		`{"jsonrpc":"2.0","method":"__listMethods"}`, `[]`, `{`, `{"id":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		c := newConnection(nil, session.Session{}, "token")
		answer := c.answer(message)
		if len(c.subscribed) != 0 {
			t.Errorf("%s subscribed without a login", message)
		}
		if answer == nil {
			return
		}
		var parts map[string]json.RawMessage
		if err := json.Unmarshal(answer, &parts); err != nil {
			t.Fatalf("%s answered %s: %v", message, answer, err)
		}
		_, result := parts["result"]
		_, failure := parts["error"]
		if result == failure || string(parts["jsonrpc"]) != `"2.0"` {
			t.Errorf("%s answered %s", message, answer)
		}
	})
}
