// Package custodycommand is the command line of the custody provider.
//
// It owns flags, start and stop. It must never decide anything about custody.
//
// Layer: edge of the custody domain.
package custodycommand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"tenfold/internal/custody"
	"tenfold/internal/custody/custodyhttp"
	"tenfold/internal/process"
	"tenfold/internal/stamp"
)

// Command is "tenfold custody".
type Command struct {
	Init  InitCommand  `cmd:"" help:"Make a data folder with its parent organization."`
	Serve ServeCommand `cmd:"" default:"withargs" help:"Serve an initialised data folder."`
}

// InitCommand is "tenfold custody init".
type InitCommand struct {
	Data             string `required:"" placeholder:"DIR" help:"Data folder to make." env:"TENFOLD_CUSTODY_DATA"`
	OrganizationName string `required:"" placeholder:"NAME" help:"Name of the parent organization."`
	APIPublicKey     string `required:"" name:"api-public-key" placeholder:"HEX" help:"Compressed P-256 public key of the parent's API key."`

	// Stdout receives the answer; nil is the standard output.
	Stdout io.Writer `kong:"-"`
}

// Run makes the data folder and prints {"organizationId":…,"userId":…} on one line.
func (c *InitCommand) Run(ctx context.Context) error {
	parent, err := custody.Initialise(ctx, c.Data, c.OrganizationName, c.APIPublicKey)
	if errors.Is(err, custody.ErrInitialised) {
		return fmt.Errorf("%s: %w; use another folder, or delete this one with all its keys", c.Data, custody.ErrInitialised)
	}
	if err != nil {
		return err
	}
	out := c.Stdout
	if out == nil {
		out = os.Stdout
	}
	return json.NewEncoder(out).Encode(parent)
}

// ServeCommand is "tenfold custody".
type ServeCommand struct {
	Data   string   `required:"" placeholder:"DIR" help:"Data folder." env:"TENFOLD_CUSTODY_DATA"`
	Listen string   `default:"localhost:8090" placeholder:"ADDR" help:"Address to listen on." env:"TENFOLD_CUSTODY_LISTEN"`
	RPID   string   `required:"" name:"rp-id" placeholder:"ID" help:"Relying party id of passkeys: the site's host name." env:"TENFOLD_RP_ID"`
	Origin []string `required:"" placeholder:"URL" help:"Origin of a page that may use passkeys and embed the frames; repeatable." env:"TENFOLD_CUSTODY_ORIGINS"`
}

// Limits on slow clients, and on how long a stop waits for running requests.
const (
	headerTimeout = 5 * time.Second
	bodyTimeout   = 15 * time.Second
	answerTimeout = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	stopTimeout   = 4 * time.Second
	headerBytes   = 64 << 10
)

// Run serves until ctx is done, then lets running requests finish.
func (c *ServeCommand) Run(ctx context.Context) (err error) {
	for _, origin := range c.Origin {
		if err := checkOrigin(origin); err != nil {
			return err
		}
	}
	logger := slog.Default().With(slog.String("program", "custody"))
	provider, err := custody.Open(ctx, custody.Settings{
		DataDir:      c.Data,
		RelyingParty: stamp.RelyingParty{ID: c.RPID, Origins: c.Origin},
	})
	if err != nil {
		return fmt.Errorf("open %s: %w", c.Data, err)
	}
	defer func() { err = errors.Join(err, provider.Close()) }()
	listener, err := process.Listen(c.Listen, "custody", "--listen")
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           custodyhttp.Handler(provider, c.Origin, logger),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		WriteTimeout:      answerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
	logger.InfoContext(ctx, "custody ready", slog.String("address", listener.Addr().String()))
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve custody: %w", err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		return errors.Join(fmt.Errorf("stop custody: %w", err), server.Close())
	}
	logger.InfoContext(ctx, "custody stopped")
	return nil
}

// checkOrigin accepts scheme://host[:port] and nothing more, since origins are
// compared exactly.
func checkOrigin(origin string) error {
	parsed, err := url.Parse(origin)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" ||
		origin != parsed.Scheme+"://"+parsed.Host {
		return fmt.Errorf("--origin %s: want scheme://host[:port] without a path", origin)
	}
	return nil
}
