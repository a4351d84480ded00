package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"tenfold/catalog"
)

// program is one child: how to start it and how to tell that it works.
type program struct {
	name      string
	waitsFor  string // what a person reads while it is not healthy
	path      string
	dir       string // working folder; this process's own when empty
	arguments []string
	env       []string
	healthURL string
}

func (c *UpCommand) programs(keyFile string) ([]program, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	localnet, err := c.localnetProgram(self)
	if err != nil {
		return nil, err
	}
	programs := []program{c.localnetChild(localnet), c.custodyChild(self), c.appChild(self, keyFile)}
	if c.Dev {
		programs = append(programs, c.pageChild())
	}
	return programs, nil
}

// pageChild is Vite, which the app server passes page requests to.
func (c *UpCommand) pageChild() program {
	return program{
		name: "page", waitsFor: "Vite", path: "node", dir: "web",
		arguments: []string{"node_modules/vite/bin/vite.js", "--port", strconv.Itoa(c.DevPort), "--strictPort"},
		healthURL: c.pageURL() + "/",
	}
}

func (c *UpCommand) pageURL() string { return fmt.Sprintf("http://localhost:%d", c.DevPort) }

func (c *UpCommand) localnetChild(path string) program {
	return program{
		name:     "localnet",
		waitsFor: "the local network (nine EVM chains, Solana, the venue)",
		path:     path,
		arguments: []string{
			"--data", filepath.Join(c.DataDir, "localnet"),
			"--evm-port", strconv.Itoa(c.EVMPort),
			"--solana-port", strconv.Itoa(c.SolanaPort),
			"--venue-port", strconv.Itoa(c.VenuePort),
		},
		healthURL: c.venueURL() + "/health",
	}
}

func (c *UpCommand) custodyChild(self string) program {
	return program{
		name:     "custody",
		waitsFor: "custody",
		path:     self,
		arguments: []string{
			"custody",
			"--data", c.custodyDir(),
			"--listen", fmt.Sprintf("localhost:%d", c.CustodyPort),
			"--rp-id", "localhost",
			"--origin", c.appURL(),
		},
		healthURL: c.custodyURL() + "/health",
	}
}

// appChild runs the app server as an operator would: everything local about it
// is an address.
func (c *UpCommand) appChild(self, keyFile string) program {
	env := []string{}
	for _, chain := range catalog.Chains() {
		name := fmt.Sprintf("TENFOLD_RPC_%d", chain.ID)
		url := fmt.Sprintf("http://localhost:%d/%d", c.EVMPort, chain.ID)
		if !chain.IsEVM {
			url = fmt.Sprintf("http://localhost:%d", c.SolanaPort)
		}
		if os.Getenv(name) == "" {
			env = append(env, name+"="+url)
		}
	}
	arguments := []string{
		"serve",
		"--listen", fmt.Sprintf("localhost:%d", c.AppPort),
		"--data", filepath.Join(c.DataDir, "app"),
		"--network", "local",
		"--origin", c.appURL(),
		"--rp-id", "localhost",
		"--custody-url", c.custodyURL(),
		"--custody-key-file", keyFile,
		"--relay-url", c.venueURL(),
		"--faucet-url", c.venueURL() + "/faucet",
	}
	if c.Dev {
		arguments = append(arguments, "--page-url", c.pageURL())
	}
	return program{
		name: "app", waitsFor: "the app server", path: self, arguments: arguments, env: env,
		healthURL: c.appURL() + "/api/v1/health",
	}
}
