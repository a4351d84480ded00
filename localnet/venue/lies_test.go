package venue_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/gagliardetto/solana-go"
)

// Each lying quote differs from its details in the one way that it is named
// after: read with the contracts' own interfaces.
func TestLyingQuotesLieInTheNamedWay(t *testing.T) {
	t.Parallel()
	user := newEVMUser(t, base)
	spent := coins(5, asset(t, base, "USDC"))
	lie := func(referrer string) quoteJSON {
		return quote(t, pair(t, base, "USDC", base, "native", spent).with(object{"user": user.address.Hex(), "referrer": referrer}))
	}
	approval := func(q quoteJSON) []any { return arguments(t, shared.set.Token.ABI, q.Steps[0].evmData(t).Data) }
	swap := func(q quoteJSON) []any { return arguments(t, shared.set.Router.ABI, q.Steps[1].evmData(t).Data) }

	honest := lie("")
	router := common.HexToAddress(honest.Steps[1].evmData(t).To)
	if args := swap(honest); args[3] != user.address || args[1].(*big.Int).Cmp(honest.minimum(t)) != 0 {
		t.Errorf("an honest swap pays %v at least %v", args[3], args[1])
	}
	if args := swap(lie("fault-lie-recipient")); args[3] == user.address {
		t.Error("lie-recipient pays the user")
	}
	if args := swap(lie("fault-lie-minimum")); args[1].(*big.Int).Sign() != 0 {
		t.Errorf("lie-minimum asks for at least %v", args[1])
	}
	if args := approval(lie("fault-lie-spender")); args[0] == router || args[1].(*big.Int).Cmp(spent) != 0 {
		t.Errorf("lie-spender approves %v for %v", args[1], args[0])
	}
	if args := approval(lie("fault-lie-allowance")); args[0] != router || args[1].(*big.Int).Cmp(spent) <= 0 {
		t.Errorf("lie-allowance approves %v for %v", args[1], args[0])
	}
	if data := lie("fault-lie-value").Steps[1].evmData(t); integer(t, data.Value).Sign() == 0 {
		t.Error("lie-value takes no native coin")
	}
	if data := lie("fault-lie-target").Steps[1].evmData(t); common.HexToAddress(data.To) == router {
		t.Error("lie-target calls the router")
	}
	if data := lie("fault-lie-chain").Steps[1].evmData(t); data.ChainID == base {
		t.Error("lie-chain is on the right chain")
	}
}

func arguments(t *testing.T, contract abi.ABI, data string) []any {
	t.Helper()
	raw := common.FromHex(data)
	method, err := contract.MethodById(raw)
	if err != nil {
		t.Fatal(err)
	}
	values, err := method.Inputs.Unpack(raw[4:])
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestLyingQuotesOnSolana(t *testing.T) {
	t.Parallel()
	user := solana.NewWallet().PublicKey().String()
	lie := func(referrer string) solanaTransaction {
		q := quote(t, pair(t, solanaID, "USDC", solanaID, "USDT", big.NewInt(5_000_000)).with(object{"user": user, "referrer": referrer}))
		var data solanaTransaction
		if err := json.Unmarshal(q.Steps[0].Items[0].Data, &data); err != nil {
			t.Fatal(err)
		}
		return data
	}
	honest, extra, diverted := lie(""), lie("fault-lie-instruction"), lie("fault-lie-recipient")
	if len(extra.Instructions) != len(honest.Instructions)+1 {
		t.Errorf("%d instructions, an honest quote has %d", len(extra.Instructions), len(honest.Instructions))
	}
	added := extra.Instructions[len(extra.Instructions)-1]
	if _, err := solana.PublicKeyFromBase58(added.Keys[1].PublicKey); err != nil || added.Keys[0].PublicKey != user {
		t.Errorf("the added instruction has accounts %+v", added.Keys)
	}
	swapOf := func(tx solanaTransaction) []string {
		var accounts []string
		for _, key := range tx.Instructions[len(tx.Instructions)-1].Keys {
			accounts = append(accounts, key.PublicKey)
		}
		return accounts
	}
	for i, account := range swapOf(diverted) {
		if receives := i == 3; (account != swapOf(honest)[i]) != receives {
			t.Errorf("account %d of the diverted swap is %s, of the honest one %s", i, account, swapOf(honest)[i])
		}
	}
}

// Oddities that the real API has too.
func TestOddQuotes(t *testing.T) {
	t.Parallel()
	odd := func(referrer string) map[string]json.RawMessage {
		request := pair(t, base, "native", base, "USDC", coins(1, asset(t, base, "native")))
		q := quote(t, request.with(object{"user": stranger, "referrer": referrer}))
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(q.Steps[0].Items[0].Data, &fields); err != nil {
			t.Fatal(err)
		}
		return fields
	}
	if gas := string(odd("any-app")["gas"]); !strings.HasPrefix(gas, `"`) {
		t.Errorf("gas is %s, want text", gas)
	}
	if gas := string(odd("fault-gas-number")["gas"]); strings.HasPrefix(gas, `"`) || gas == "" {
		t.Errorf("gas is %q, want a number", gas)
	}
	if gas, present := odd("fault-gas-missing")["gas"]; present {
		t.Errorf("gas is %s, want none", gas)
	}
}
