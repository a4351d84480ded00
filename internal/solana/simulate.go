package solana

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// trial is what simulateTransaction says.
type trial struct {
	Err      json.RawMessage `json:"err"`
	Logs     []string        `json:"logs"`
	Units    uint64          `json:"unitsConsumed"`
	Accounts []*accountWire  `json:"accounts"`
}

// run simulates a transaction without signature and gives the accounts watched
// as they would be afterwards. A failing transaction is a fault.
func run(ctx context.Context, n node.Caller, wire []byte, watched []solana.PublicKey) (trial, error) {
	config := map[string]any{
		"encoding": "base64", "commitment": commitment, "sigVerify": false, "replaceRecentBlockhash": true,
	}
	if len(watched) > 0 {
		config["accounts"] = map[string]any{"encoding": "base64", "addresses": watched}
	}
	var answer struct {
		Value trial `json:"value"`
	}
	err := n.Call(ctx, &answer, "simulateTransaction", toBase64(wire), config)
	var refusal *node.RefusalError
	switch {
	case errors.As(err, &refusal) && refusal.MethodMissing():
		return trial{}, fmt.Errorf("%w: %s", chain.ErrSimulationUnavailable, refusal.Message)
	case errors.As(err, &refusal):
		return trial{}, failed(refusal.Message, err)
	case err != nil:
		return trial{}, err
	}
	if raw := string(answer.Value.Err); raw != "" && raw != "null" {
		return trial{}, failed(reason(answer.Value.Err, answer.Value.Logs), fmt.Errorf("simulation: %s", raw))
	}
	return answer.Value, nil
}

// failed words a transaction that would fail.
func failed(raw string, cause error) error {
	shown, code := fault.FriendlyMessage(raw), fault.SimulationFailed
	if shown == messageNoFunds {
		code = fault.InsufficientBalance
	}
	return fault.Wrap(code, shown, fmt.Errorf("%s: %w", raw, cause))
}

var customCode = regexp.MustCompile(`"Custom":\s*(\d+)`)

// reason turns a transaction error into the text that the message table knows:
// web3.js's wording for program errors, the runtime's name for others.
func reason(raw json.RawMessage, logs []string) string {
	text := string(raw)
	if m := customCode.FindStringSubmatch(text); m != nil {
		var code uint64
		if _, err := fmt.Sscan(m[1], &code); err == nil {
			return fmt.Sprintf("custom program error: 0x%x", code)
		}
	}
	for _, line := range logs {
		if _, said, ok := strings.Cut(line, "Error: "); ok {
			return said
		}
	}
	return strings.Trim(text, `"`)
}

// Simulate runs the transactions on the newest state and compares the sender's
// lamports and token accounts before and after. The network fee is not counted,
// rent of new accounts is. Only one transaction can be simulated: a second would
// not see what the first did.
func (a *Adapter) Simulate(ctx context.Context, txs []chain.Unsigned) ([]chain.Change, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	if len(txs) > 1 {
		return nil, fmt.Errorf("%w: Solana simulates one transaction at a time", chain.ErrSimulationUnavailable)
	}
	from, err := parseAddress(txs[0].From)
	if err != nil {
		return nil, err
	}
	m, err := decodeMessage(txs[0].Bytes)
	if err != nil {
		return nil, unsafe(err)
	}
	var changes []chain.Change
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		changes, err = a.simulate(ctx, n, from, m, txs[0].Bytes)
		return err
	})
	if err != nil {
		return nil, a.classify(fmt.Errorf("simulate on %s: %w", a.chain.Name, err))
	}
	return changes, nil
}

// holding is an account of the sender's whose balance is watched.
type holding struct {
	asset  catalog.Asset
	native bool
}

func (a *Adapter) simulate(ctx context.Context, n node.Caller, from solana.PublicKey, m *solana.Message, wire []byte) ([]chain.Change, error) {
	b, err := messageBudget(m)
	if err != nil {
		return nil, unsafe(err)
	}
	watched, holdings := a.holdings(from, m)
	before, err := readAccounts(ctx, n, watched)
	if err != nil {
		return nil, err
	}
	result, err := run(ctx, n, wire, watched)
	if err != nil {
		return nil, err
	}
	after, err := decodeAccounts(result.Accounts, len(watched))
	if err != nil {
		return nil, err
	}
	var changes []chain.Change
	for i, h := range holdings {
		delta, err := h.delta(before[i], after[i])
		if err != nil {
			return nil, err
		}
		if h.native { // nodes take the fee off in a simulation as well
			delta.Add(delta, lamports(b.maximumFee()))
		}
		if delta.Sign() != 0 {
			changes = append(changes, chain.Change{Owner: from.String(), Asset: h.asset.Address, Delta: delta})
		}
	}
	return changes, nil
}

// holdings lists the sender and its associated token accounts of the catalog's
// mints, as far as the transaction touches them.
func (a *Adapter) holdings(from solana.PublicKey, m *solana.Message) (watched []solana.PublicKey, list []holding) {
	touched := map[solana.PublicKey]bool{}
	for _, key := range m.AccountKeys {
		touched[key] = true
	}
	for _, asset := range a.chain.Assets() {
		if asset.Native {
			watched, list = append(watched, from), append(list, holding{asset, true})
			continue
		}
		address := tokenAccount(from, solana.MustPublicKeyFromBase58(asset.Address))
		if touched[address] || m.NumLookups() > 0 {
			watched, list = append(watched, address), append(list, holding{asset, false})
		}
	}
	return watched, list
}

func (h holding) delta(before, after *account) (*big.Int, error) {
	if h.native {
		return new(big.Int).Sub(lamports(after.lamports()), lamports(before.lamports())), nil
	}
	was, err := before.tokens()
	if err != nil {
		return nil, err
	}
	is, err := after.tokens()
	if err != nil {
		return nil, err
	}
	return new(big.Int).Sub(lamports(is), lamports(was)), nil
}
