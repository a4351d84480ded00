package server

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/catalog"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

func write(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.json")
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	file := write(t, `{"listen":"localhost:1","relayUrl":"http://file.example","custodyUrl":"http://custody.example/",
		"custodyKeyFile":"key","rpc":{"8453":["http://file-node.example"],"1":["http://one.example","http://two.example"]}}`, 0o600)
	c := ServeCommand{Config: file, Listen: "localhost:2", Network: "local"} // a flag, or its environment variable
	got, err := c.configuration([]string{"TENFOLD_RPC_8453=http://a.example, http://b.example", "TENFOLD_RPC_56="})
	if err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]string{
		"the flag wins over the file":        {got.Listen, "localhost:2"},
		"the file over the default":          {got.RelayURL, "http://file.example"},
		"the origin follows the address":     {got.Origin, "http://localhost:2"},
		"the relying party follows it":       {got.RPID, "localhost"},
		"the slash goes":                     {got.CustodyURL, "http://custody.example"},
		"the frame follows custody":          {got.AuthFrameURL, "http://custody.example/auth/"},
		"the environment wins for a chain":   {strings.Join(got.RPC["8453"], " "), "http://a.example http://b.example"},
		"the file has the next":              {strings.Join(got.RPC["1"], " "), "http://one.example http://two.example"},
		"an empty variable changes nothing":  {strings.Join(got.RPC["56"], " "), strings.Join(chainURLs(t, 56), " ")},
		"the public nodes are the last word": {strings.Join(got.RPC["7565164"], " "), strings.Join(chainURLs(t, catalog.SolanaChainID), " ")},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
		}
	}
}

func chainURLs(t *testing.T, id int64) []string {
	t.Helper()
	c, _ := catalog.ChainByID(id)
	if len(c.RPCURLs) == 0 {
		t.Fatalf("chain %d has no public node", id)
	}
	return c.RPCURLs
}

func TestWrongConfiguration(t *testing.T) {
	t.Parallel()
	good := ServeCommand{CustodyKeyFile: "key"}
	for name, c := range map[string]struct {
		change      func(*ServeCommand)
		environment string
		want        string
	}{
		"unknown key":        {func(c *ServeCommand) { c.Config = write(t, `{"listn":"x"}`, 0o600) }, "", `unknown field "listn"`},
		"no such file":       {func(c *ServeCommand) { c.Config = "/nowhere.json" }, "", "read the configuration file"},
		"no key file":        {func(c *ServeCommand) { c.CustodyKeyFile = "" }, "", "--custody-key-file"},
		"unknown network":    {func(c *ServeCommand) { c.Network = "testnet" }, "", "testnet"},
		"no URL":             {func(c *ServeCommand) { c.RelayURL = "api.relay.link" }, "", "relay-url"},
		"odd scheme":         {func(c *ServeCommand) { c.CustodyURL = "file:///etc" }, "", "custody-url"},
		"path in the origin": {func(c *ServeCommand) { c.Origin = "http://localhost:8080/app" }, "", "origin"},
		"unknown chain":      {func(*ServeCommand) {}, "TENFOLD_RPC_5=http://x.example", `"5" is not a supported chain id`},
		"chain without URL":  {func(*ServeCommand) {}, "TENFOLD_RPC_1=,", "TENFOLD_RPC_1"},
		"chain in the file":  {func(c *ServeCommand) { c.Config = write(t, `{"rpc":{"1":[]}}`, 0o600) }, "", "chain 1 has no URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := good
			c.change(&command)
			_, err := command.configuration([]string{c.environment})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want something of %s", err, c.want)
			}
		})
	}
}

// TestErrorsHideURLs keeps access keys in node URLs out of error texts.
func TestErrorsHideURLs(t *testing.T) {
	t.Parallel()
	c := ServeCommand{CustodyKeyFile: "key"}
	_, err := c.configuration([]string{"TENFOLD_RPC_1=ftp://node.example/v2/hunter2"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error is %v", err)
	}
}

func TestCustodyKeyFile(t *testing.T) {
	t.Parallel()
	scalar, public, err := stamp.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	private := fmt.Sprintf("%x", scalar.Expose())
	text := func(organization, public, private string) string {
		return fmt.Sprintf(`{"organizationId":%q,"apiPublicKey":%q,"apiPrivateKey":%q}`, organization, public, private)
	}
	key, err := readCustodyKey(write(t, text("o", public, private), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if key.organizationID != "o" || key.signer.PublicKey() != public {
		t.Errorf("read %s with key %s", key.organizationID, key.signer.PublicKey())
	}
	other := stamptest.NewSigner(t).PublicKey()
	for name, path := range map[string]string{
		"missing":             "/nowhere.json",
		"readable by others":  write(t, text("o", public, private), 0o644),
		"malformed":           write(t, `{`, 0o600),
		"another public key":  write(t, text("o", other, private), 0o600),
		"no organization":     write(t, text("", public, private), 0o600),
		"private key no hex":  write(t, text("o", public, "zz"), 0o600),
		"private key too big": write(t, text("o", public, strings.Repeat("f", 64)), 0o600),
		"unknown field":       write(t, `{"organizationID":"o","x":1}`, 0o600),
	} {
		if _, err := readCustodyKey(path); err == nil || strings.Contains(err.Error(), private) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
