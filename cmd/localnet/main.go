// Command localnet runs Tenfold's local network: nine EVM chains, Solana, a
// venue and a faucet, all on this machine. It only wires.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"

	"tenfold/internal/process"
	"tenfold/localnet/evm"
	"tenfold/localnet/network"
)

type command struct {
	Data       string `help:"Folder of the network's state and keys." default:".tenfold/localnet" type:"path"`
	EVMPort    int    `help:"Port of the EVM chains; each is at /<chain id>." default:"8545" name:"evm-port"`
	SolanaPort int    `help:"Port of Solana's JSON-RPC; the next one is for WebSocket too." default:"8899"`
	VenuePort  int    `help:"Port of the venue, the faucet and the health check." default:"8600"`
	Assets     string `help:"The checkout's localnet folder, with node_modules. Found by itself as a rule." type:"path" optional:""`
	JSON       bool   `help:"Print the endpoints and the funded test keys as one JSON document when ready." name:"json"`
}

func main() {
	handler := slog.NewTextHandler(os.Stderr, nil)
	slog.SetDefault(slog.New(handler))
	evm.LogNodes(handler)
	ctx, stop := process.Context()
	defer stop()
	var c command
	parsed := kong.Parse(&c,
		kong.Name("localnet"),
		kong.Description("Tenfold's local network: nine EVM chains, Solana, a venue and a faucet."),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err := parsed.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "localnet:", err)
		os.Exit(1)
	}
}

// Run starts the network and keeps it until ctx is done or a part of it fails.
func (c command) Run(ctx context.Context) error {
	running, err := network.Start(ctx, network.Options{
		DataDir: c.Data, Assets: c.Assets, EVMPort: c.EVMPort, SolanaPort: c.SolanaPort, VenuePort: c.VenuePort,
		Log: slog.Default(), ServiceLog: os.Stderr,
	})
	if err != nil && ctx.Err() != nil {
		return nil // stopped while starting
	}
	if err != nil {
		return err
	}
	slog.Info("localnet ready")
	if c.JSON {
		if err := printDocument(running); err != nil {
			return errors.Join(err, running.Close())
		}
	}
	select {
	case <-ctx.Done():
		slog.Info("localnet stopping")
		return running.Close()
	case failure := <-running.Failed():
		if err := running.Close(); err != nil {
			slog.Error("stop after a failure", "error", err)
		}
		return failure
	}
}

func printDocument(running *network.Network) error {
	document, err := running.Document().JSON()
	if err != nil {
		return err
	}
	if _, err := os.Stdout.Write(document); err != nil {
		return fmt.Errorf("print the document: %w", err)
	}
	return nil
}
