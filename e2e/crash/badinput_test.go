package crash

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"tenfold/catalog"
	"tenfold/internal/apphttp"
)

// refused calls the API and returns its refusal.
func (p *person) refused(t *testing.T, method, path string, body any) *problem {
	t.Helper()
	err := p.call(t.Context(), method, path, p.nextKey(), body, nil)
	var refusal *problem
	if !errors.As(err, &refusal) {
		t.Fatalf("%s %s was not refused: %v", method, path, err)
	}
	return refusal
}

func (p *problem) expect(t *testing.T, status int, code, detail string) {
	t.Helper()
	if p.Status != status || p.Code != code || p.Detail != detail {
		t.Errorf("refused with %d %s %q, want %d %s %q", p.Status, p.Code, p.Detail, status, code, detail)
	}
}

const (
	badAddress   = "Please enter a valid recipient address"
	badSolana    = "The provided address is not a valid Solana address"
	badAmount    = "Please enter a valid amount"
	noBalance    = "Insufficient balance"
	selfTransfer = "Self-transfers within the same chain are not allowed."
)

func TestBadTransfers(t *testing.T) {
	t.Parallel()
	p := newPerson(t, start(t))
	p.fund(t)
	good := "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" // of EIP-55
	ether, sol := native(t, base), native(t, catalog.SolanaChainID)
	for _, c := range []struct {
		name      string
		asset     catalog.Asset
		amount    string
		recipient string
		status    int
		code      string
		detail    string
	}{
		{"wrong mixed-case checksum", ether, "1", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeaEd", 400, "invalid_address", badAddress},
		{"too short an address", ether, "1", good[:41], 400, "invalid_address", badAddress},
		{"no address", ether, "1", "", 400, "invalid_address", badAddress},
		{"Solana address that fails base58", sol, "1", "0OIl" + p.solana[4:], 400, "invalid_address", badSolana},
		{"EVM address on Solana", sol, "1", good, 400, "invalid_address", badSolana},
		{"Solana address on an EVM chain", ether, "1", p.solana, 400, "invalid_address", badAddress},
		{"amount zero", ether, "0", good, 400, "amount_zero", badAmount},
		{"negative amount", ether, "-1", good, 400, "invalid_amount", badAmount},
		{"decimals in base units", ether, "1.5", good, 400, "invalid_amount", badAmount},
		{"exponent", ether, "1e18", good, 400, "invalid_amount", badAmount},
		{"no amount", ether, "", good, 400, "invalid_amount", badAmount},
		{"more than 256 bits", ether, strings.Repeat("9", 90), good, 400, "invalid_amount", badAmount},
		{"above the balance", ether, "5000000000000000001", good, 422, "insufficient_balance", noBalance},
		{"the whole balance, nothing left for the fee", ether, "5000000000000000000", good, 422, "insufficient_balance", noBalance},
		{"token above the balance", token(t, base, "USDC"), "5000000001", good, 422, "insufficient_balance", noBalance},
		{"SOL above the balance", sol, "50000000001", strangerSolana(t), 422, "insufficient_balance", noBalance},
		{"to oneself", ether, "1", p.evm, 400, "self_transfer", selfTransfer},
		{"to oneself in lower case", ether, "1", strings.ToLower(p.evm), 400, "self_transfer", selfTransfer},
		{"to oneself on Solana", sol, "1", p.solana, 400, "self_transfer", selfTransfer},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.refused(t, http.MethodPost, "/movements", apphttp.MovementRequest{
				Kind: "transfer", ChainID: c.asset.ChainID, Asset: c.asset.Address, Amount: c.amount, Recipient: c.recipient,
			}).expect(t, c.status, c.code, c.detail)
		})
	}
	t.Run("fields of a swap", func(t *testing.T) {
		p.refused(t, http.MethodPost, "/movements", map[string]any{
			"kind": "transfer", "chainId": base, "asset": ether.Address, "amount": "1", "recipient": good, "quoteId": "x",
		}).expect(t, 400, "invalid_request", "The request is not valid.")
	})
	t.Run("unknown field", func(t *testing.T) {
		p.refused(t, http.MethodPost, "/movements", map[string]any{
			"kind": "transfer", "chainId": base, "asset": ether.Address, "amount": "1", "recipient": good, "gasPrice": "1",
		}).expect(t, 400, "invalid_request", "The request is not valid.")
	})
	var list apphttp.MovementList
	p.must(t, http.MethodGet, "/movements", nil, &list)
	if len(list.Movements) != 0 {
		t.Errorf("refused requests left movements: %+v", list.Movements)
	}
	if got := balance(t, ether, p.evm); got.String() != "5000000000000000000" {
		t.Errorf("something was sent: %s is left", got)
	}
}

func TestBadSwaps(t *testing.T) {
	t.Parallel()
	w := start(t)
	p := newPerson(t, w)
	p.fund(t)
	ether, usdc := native(t, base), token(t, base, "USDC")
	ask := func(from, to catalog.Asset, amount string) map[string]any {
		return map[string]any{
			"fromChainId": from.ChainID, "fromAsset": from.Address, "toChainId": to.ChainID, "toAsset": to.Address, "amount": amount,
		}
	}
	unknown := usdc
	unknown.Address = strangerEVM(t)
	for _, c := range []struct {
		name   string
		ask    map[string]any
		status int
		code   string
		detail string
	}{
		{"same asset in and out", ask(ether, ether, "1000"), 400, "same_asset", "Please select different tokens"},
		{"amount zero", ask(ether, usdc, "0"), 400, "amount_zero", badAmount},
		{"negative amount", ask(ether, usdc, "-5"), 400, "invalid_amount", badAmount},
		{"above the balance", ask(ether, usdc, "5000000000000000001"), 422, "insufficient_balance", noBalance},
		{"unknown asset", ask(ether, unknown, "1000"), 400, "unsupported_asset", "Please select an asset"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.refused(t, http.MethodPost, "/quotes", c.ask).expect(t, c.status, c.code, c.detail)
		})
	}
	var list apphttp.QuoteList
	p.must(t, http.MethodPost, "/quotes", ask(ether, usdc, "10000000000000000"), &list)
	q := list.Quotes[0]
	t.Run("altered quote", func(t *testing.T) {
		wrong := strings.Repeat("0", len(q.Digest))
		p.refused(t, http.MethodPost, "/movements", apphttp.MovementRequest{Kind: "swap", QuoteID: q.ID, Digest: wrong}).
			expect(t, 409, "quote_altered", "The quote has changed since it was shown. Please review it again.")
	})
	t.Run("quote of another", func(t *testing.T) {
		other := newPerson(t, w)
		theirs := other.refused(t, http.MethodPost, "/movements", apphttp.MovementRequest{Kind: "swap", QuoteID: q.ID, Digest: q.Digest})
		missing := other.refused(t, http.MethodPost, "/movements", apphttp.MovementRequest{Kind: "swap", QuoteID: "nothing", Digest: q.Digest})
		if *theirs != *missing || theirs.Code != "quote_not_found" {
			t.Errorf("another's quote is told %+v, a missing one %+v", theirs, missing)
		}
	})
	t.Run("one quote, two keys", func(t *testing.T) {
		var first, second apphttp.Movement
		accept := apphttp.MovementRequest{Kind: "swap", QuoteID: q.ID, Digest: q.Digest}
		p.must(t, http.MethodPost, "/movements", accept, &first)
		p.must(t, http.MethodPost, "/movements", accept, &second)
		if first.ID != second.ID {
			t.Errorf("one quote made two movements")
		}
	})
	if got := balance(t, ether, p.evm); got.String() != "5000000000000000000" {
		t.Errorf("something was sent: %s is left", got)
	}
}
