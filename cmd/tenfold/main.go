// Command tenfold is the app server, the custody provider and the command that
// starts both beside the local network. It only wires: each command lives in
// the package that owns its work.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"

	"tenfold/internal/custody/custodycommand"
	"tenfold/internal/process"
	"tenfold/internal/server"
	"tenfold/internal/stack"
)

type commands struct {
	Serve   server.ServeCommand    `cmd:"" help:"Serve the app: the API, live updates and the page."`
	Custody custodycommand.Command `cmd:"" help:"Serve the custody provider, or initialise it."`
	Up      stack.UpCommand        `cmd:"" help:"Start the local network, custody and the app server together."`
	OpenAPI server.OpenAPICommand  `cmd:"" name:"openapi" help:"Print the app server's OpenAPI document."`
	Version versionCommand         `cmd:"" help:"Print the version."`
}

// version is set by the build.
var version = "development"

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	fmt.Println(version)
	return nil
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	ctx, stop := process.Context()
	defer stop()
	var cli commands
	cli.Serve.Version = version
	parsed := kong.Parse(&cli,
		kong.Name("tenfold"),
		kong.Description("A self-custody wallet and swap client for ten blockchains."),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err := parsed.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "tenfold: "+err.Error())
		os.Exit(1)
	}
}
