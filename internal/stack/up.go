// Package stack runs the three programs together for one person on one machine:
// the local network, custody and the app server, as child processes with one
// log and one end. It owns the data folder's lock and the app server's custody
// key file, and must never hold a person's key or talk to a chain.
//
// Layer: wiring.
package stack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tenfold/internal/process"
)

// UpCommand starts everything that a newcomer needs and keeps it running.
type UpCommand struct {
	DataDir     string `help:"Folder that holds all state." default:".tenfold" env:"TENFOLD_DATA_DIR" type:"path"`
	Localnet    string `help:"The localnet program." type:"path" placeholder:"FILE"`
	AppPort     int    `help:"Port of the app server." default:"8080" env:"TENFOLD_APP_PORT"`
	CustodyPort int    `help:"Port of custody." default:"8090" env:"TENFOLD_CUSTODY_PORT"`
	EVMPort     int    `help:"Port of the local EVM chains." name:"evm-port" default:"8545" env:"TENFOLD_EVM_PORT"`
	SolanaPort  int    `help:"Port of the local Solana; its WebSocket also takes the next one." default:"8899" env:"TENFOLD_SOLANA_PORT"`
	VenuePort   int    `help:"Port of the local venue." default:"8600" env:"TENFOLD_VENUE_PORT"`
	Dev         bool   `help:"Serve the page from Vite with hot reload instead of the built one; run it in the repository."`
	DevPort     int    `help:"Port of Vite with --dev." default:"5173"`
}

// Start and stop bounds. A fresh folder deploys every pool first, hence the
// generous start.
const (
	startTimeout = 3 * time.Minute
	stopTimeout  = 8 * time.Second
)

// Run starts the programs, says when all are healthy and returns when the
// context ends (nil) or when one of them stopped by itself (an error).
func (c *UpCommand) Run(ctx context.Context) error {
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	release, err := lockFolder(c.DataDir)
	if err != nil {
		return err
	}
	defer release()
	if err := c.checkPorts(); err != nil {
		return err
	}
	keyFile, err := prepareCustody(ctx, c.custodyDir(), filepath.Join(c.DataDir, "app"))
	if err != nil {
		return err
	}
	programs, err := c.programs(keyFile)
	if err != nil {
		return err
	}
	return c.supervise(ctx, programs)
}

func (c *UpCommand) supervise(ctx context.Context, programs []program) error {
	log := newLogWriter(os.Stderr)
	group := newGroup(log)
	defer group.stop(stopTimeout)
	for _, p := range programs {
		if err := group.start(p); err != nil {
			return err
		}
	}
	startCtx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := group.awaitHealthy(startCtx, programs); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	log.say("Tenfold is ready: " + c.appURL())
	select {
	case <-ctx.Done():
		log.say("Stopping Tenfold")
		return nil
	case exited := <-group.exits:
		return fmt.Errorf("%s stopped by itself (%s); the lines above say why", exited.name, exited.reason)
	}
}

type portUse struct {
	port          int
	purpose, flag string
}

func (c *UpCommand) checkPorts() error {
	ports := []portUse{
		{c.AppPort, "app server", "--app-port or TENFOLD_APP_PORT"},
		{c.CustodyPort, "custody", "--custody-port or TENFOLD_CUSTODY_PORT"},
		{c.EVMPort, "local EVM chains", "--evm-port or TENFOLD_EVM_PORT"},
		{c.SolanaPort, "local Solana", "--solana-port or TENFOLD_SOLANA_PORT"},
		{c.SolanaPort + 1, "local Solana's WebSocket", "--solana-port or TENFOLD_SOLANA_PORT"},
		{c.VenuePort, "local venue", "--venue-port or TENFOLD_VENUE_PORT"},
	}
	if c.Dev {
		ports = append(ports, portUse{c.DevPort, "Vite", "--dev-port"})
	}
	for _, p := range ports {
		listener, err := process.Listen(fmt.Sprintf("localhost:%d", p.port), p.purpose, p.flag)
		if err != nil {
			return err
		}
		if err := listener.Close(); err != nil {
			return fmt.Errorf("give port %d back: %w", p.port, err)
		}
	}
	return nil
}

func (c *UpCommand) custodyDir() string { return filepath.Join(c.DataDir, "custody") }
func (c *UpCommand) appURL() string     { return fmt.Sprintf("http://localhost:%d", c.AppPort) }
func (c *UpCommand) custodyURL() string { return fmt.Sprintf("http://localhost:%d", c.CustodyPort) }
func (c *UpCommand) venueURL() string   { return fmt.Sprintf("http://localhost:%d", c.VenuePort) }

// localnetProgram is the localnet binary: the one named, or the one beside this
// program.
func (c *UpCommand) localnetProgram(self string) (string, error) {
	path := c.Localnet
	if path == "" {
		path = filepath.Join(filepath.Dir(self), "localnet")
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("the localnet program is not at %s; build it with `make build` or name it with --localnet", path)
	}
	return path, nil
}
