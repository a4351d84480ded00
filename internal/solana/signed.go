package solana

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// CheckSigned proves that signed is u with u.From's signature filled in: the same
// message bytes, and a signature that verifies. The hash is the signature in
// base58. crypto/ed25519 refuses non-canonical signatures; a small-order key,
// which it would take, can't be u.From, whose key custody derived.
func (a *Adapter) CheckSigned(u chain.Unsigned, signed []byte) (chain.Signed, error) {
	signature, message, err := split(signed)
	if err != nil {
		return chain.Signed{}, mismatch(err)
	}
	_, want, err := split(u.Bytes)
	if err != nil {
		return chain.Signed{}, mismatch(err)
	}
	if !bytes.Equal(message, want) {
		return chain.Signed{}, mismatch(errors.New("another message was signed"))
	}
	from, err := parseAddress(u.From)
	if err != nil {
		return chain.Signed{}, mismatch(err)
	}
	if !ed25519.Verify(from[:], message, signature) {
		return chain.Signed{}, mismatch(fmt.Errorf("the signature is not %s's", from))
	}
	return chain.Signed{Bytes: signed, Hash: solana.SignatureFromBytes(signature).String()}, nil
}

func mismatch(cause error) error {
	return fault.Wrap(fault.SignatureMismatch, "The signature does not belong to this transaction. Nothing was sent.", cause)
}

// Broadcast hands the bytes to a node, and to the next one when that one fails:
// the same bytes can land only once. The node's own trial run stays on, so that a
// transaction that would fail is refused before it costs a fee. A refusal is
// broadcast_refused, and it is not proof that the transaction did not land.
func (a *Adapter) Broadcast(ctx context.Context, s chain.Signed) error {
	config := map[string]any{"encoding": "base64", "preflightCommitment": commitment}
	var signature string
	err := a.nodes.Call(ctx, &signature, "sendTransaction", toBase64(s.Bytes), config)
	var refusal *node.RefusalError
	if errors.As(err, &refusal) {
		raw := refusedReason(refusal)
		if said := strings.ToLower(raw + refusal.Message); strings.Contains(said, "already been processed") || strings.Contains(said, "alreadyprocessed") {
			return nil
		}
		return fault.Wrap(fault.BroadcastRefused, fault.FriendlyMessage(raw), fmt.Errorf("broadcast %s on %s: %s: %w", s.Hash, a.chain.Name, raw, err))
	}
	if err != nil {
		return a.classify(fmt.Errorf("broadcast %s on %s: %w", s.Hash, a.chain.Name, err))
	}
	return nil
}

// refusedReason reads the transaction error that a preflight refusal carries.
func refusedReason(r *node.RefusalError) string {
	var data struct {
		Err  json.RawMessage `json:"err"`
		Logs []string        `json:"logs"`
	}
	raw, err := json.Marshal(r.Data)
	if err != nil || json.Unmarshal(raw, &data) != nil || len(data.Err) == 0 || string(data.Err) == "null" {
		return r.Message
	}
	if said := reason(data.Err, data.Logs); strings.Contains(said, "custom program error") {
		return said
	}
	return r.Message
}
