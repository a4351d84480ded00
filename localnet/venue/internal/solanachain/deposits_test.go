package solanachain

import (
	"encoding/base64"
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/trade"
)

const depositoryProgram = "TenfoLdDeposit11111111111111111111111111111"

// A data line counts only while the depository is the program that runs: others
// can print whatever they like.
func TestOnlyTheDepositorysOwnLinesCount(t *testing.T) {
	t.Parallel()
	line := "Program data: " + base64.StdEncoding.EncodeToString([]byte("deposit"))
	for name, test := range map[string]struct {
		lines []string
		want  int
	}{
		"its own":               {[]string{"Program " + depositoryProgram + " invoke [1]", line, "Program " + depositoryProgram + " success"}, 1},
		"called by another":     {[]string{"Program Other invoke [1]", "Program " + depositoryProgram + " invoke [2]", line, "Program " + depositoryProgram + " success", "Program Other success"}, 1},
		"another's":             {[]string{"Program Other invoke [1]", line, "Program Other success"}, 0},
		"after it has ended":    {[]string{"Program " + depositoryProgram + " invoke [1]", "Program " + depositoryProgram + " success", "Program Other invoke [1]", line}, 0},
		"of what it calls":      {[]string{"Program " + depositoryProgram + " invoke [1]", "Program Token invoke [2]", line, "Program Token success"}, 0},
		"a log that imitates":   {[]string{"Program Other invoke [1]", "Program log: Program " + depositoryProgram + " invoke [1]", line}, 0},
		"not base64":            {[]string{"Program " + depositoryProgram + " invoke [1]", "Program data: ***"}, 0},
		"two in one invocation": {[]string{"Program " + depositoryProgram + " invoke [1]", line, line}, 2},
	} {
		if got := programData(test.lines, depositoryProgram); len(got) != test.want {
			t.Errorf("%s: %d lines, want %d", name, len(got), test.want)
		}
	}
}

func TestDepositEventsAreParsed(t *testing.T) {
	t.Parallel()
	facts, _ := catalog.ChainByID(catalog.SolanaChainID)
	chain := New(facts, "http://localhost", Programs{}, nil)
	depositor, mint := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	id := trade.RequestID{1, 2, 3}
	event := func(token []byte) []byte {
		raw := append(append([]byte(nil), depositEvent...), depositor[:]...)
		raw = binary.LittleEndian.AppendUint64(append(raw, token...), 77)
		return append(raw, id[:]...)
	}
	for _, test := range []struct {
		raw   []byte
		asset string
	}{
		{event([]byte{0}), facts.TokenAddress}, {event(append([]byte{1}, mint[:]...)), mint.String()},
	} {
		deposit, err := chain.parseDeposit(test.raw)
		if err != nil {
			t.Fatal(err)
		}
		if deposit.Asset != test.asset || deposit.Depositor != depositor.String() || deposit.ID != id || deposit.Amount.Cmp(big.NewInt(77)) != 0 {
			t.Errorf("parsed %+v", deposit)
		}
	}
	good := event([]byte{0})
	for name, raw := range map[string][]byte{
		"empty": nil, "cut off": good[:len(good)-1], "too long": append(append([]byte(nil), good...), 0),
		"another event": append([]byte{9}, good[1:]...), "a token without mint": event([]byte{1}),
	} {
		if _, err := chain.parseDeposit(raw); err == nil {
			t.Errorf("%s was parsed", name)
		}
	}
}
