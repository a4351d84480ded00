package venue_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
)

// Relay's own client (npm @relayprotocol/relay-sdk and its Solana adapter)
// quotes, executes and follows orders against the venue.
func TestOfficialClient(t *testing.T) {
	t.Parallel()
	user, onSolana := newEVMUser(t, base), newSolanaUser(t)
	settings, err := json.Marshal(object{
		"venue": shared.url, "solanaRpc": shared.solana.url,
		"evmKey": "0x" + hex.EncodeToString(crypto.FromECDSA(user.key)), "solanaKey": hex.EncodeToString(onSolana.key),
	})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=tap", filepath.Join("sdktest", "relay-client.test.js"))
	command.Env = append(os.Environ(), "SDKTEST="+string(settings))
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
