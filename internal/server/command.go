// Package server wires the app server together: configuration, stores, chain
// adapters, domains, edges, and their start and stop. It is the only place that
// knows all of them and must hold no logic of its own.
//
// Layer: wiring.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"tenfold/internal/process"
)

// ServeCommand runs the app server. Every setting can also come from the
// environment or from the configuration file; a flag wins over the environment,
// the environment over the file.
type ServeCommand struct {
	Listen         string `placeholder:"ADDR" help:"Address to listen on (localhost:8080)." env:"TENFOLD_LISTEN"`
	Data           string `placeholder:"DIR" help:"Folder of the database (.tenfold/app)." env:"TENFOLD_DATA"`
	Network        string `placeholder:"NAME" help:"Label shown to people: local or mainnet." env:"TENFOLD_NETWORK"`
	CustodyURL     string `name:"custody-url" placeholder:"URL" help:"The custody provider's API." env:"TENFOLD_CUSTODY_URL"`
	CustodyKeyFile string `placeholder:"FILE" help:"The parent organization's API key." env:"TENFOLD_CUSTODY_KEY_FILE"`
	AuthFrameURL   string `name:"auth-frame-url" placeholder:"URL" help:"The auth frame (<custody-url>/auth/)." env:"TENFOLD_AUTH_FRAME_URL"`
	RPID           string `name:"rp-id" placeholder:"ID" help:"Relying party id of passkeys (the origin's host)." env:"TENFOLD_RP_ID"`
	Origin         string `placeholder:"URL" help:"Where people open the page (http://<listen>)." env:"TENFOLD_ORIGIN"`
	RelayURL       string `name:"relay-url" placeholder:"URL" help:"The Relay venue's API." env:"TENFOLD_RELAY_URL"`
	RelayAPIKey    string `name:"relay-api-key" placeholder:"KEY" help:"Relay API key, for higher rates." env:"TENFOLD_RELAY_API_KEY"`
	RelayReferrer  string `name:"relay-referrer" placeholder:"NAME" help:"How Relay knows this installation." env:"TENFOLD_RELAY_REFERRER"`
	FaucetURL      string `name:"faucet-url" placeholder:"URL" help:"Faucet of a local network; none otherwise." env:"TENFOLD_FAUCET_URL"`
	PageURL        string `name:"page-url" placeholder:"URL" help:"Pass page requests to this server instead of serving the built page." env:"TENFOLD_PAGE_URL"`
	Config         string `placeholder:"FILE" help:"Configuration file (JSON)." env:"TENFOLD_CONFIG"`

	// Version is shown by the API.
	Version string `kong:"-"`
	// Log is where the server logs; slog.Default() when nil.
	Log *slog.Logger `kong:"-"`
}

// Timeouts of the HTTP server. Answers may take as long as a faucet does.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 90 * time.Second
	idleTimeout   = 2 * time.Minute
	stopTimeout   = 3 * time.Second
	maxHeader     = 64 << 10
)

// Run serves until the context ends and then stops within five seconds.
func (c *ServeCommand) Run(ctx context.Context) error {
	log := c.Log
	if log == nil {
		log = slog.Default()
	}
	settled, err := c.configuration(os.Environ())
	if err != nil {
		return err
	}
	listener, err := process.Listen(settled.Listen, "app server", "--listen")
	if err != nil {
		return err
	}
	app, err := open(ctx, settled, c.Version, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer app.close()
	log.InfoContext(ctx, "app server is ready", slog.String("address", settled.Origin), slog.String("network", settled.Network))
	return serve(ctx, app, listener)
}

// serve runs the HTTP server and the engine until the context ends or the
// server fails.
func serve(ctx context.Context, app *application, listener net.Listener) error {
	server := &http.Server{
		Handler:           app.handler,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       slog.NewLogLogger(app.log.Handler(), slog.LevelDebug),
	}
	engineCtx, stopEngine := context.WithCancel(ctx)
	defer stopEngine()
	engineDone := make(chan struct{})
	go func() {
		defer close(engineDone)
		app.engine.Run(engineCtx)
	}()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
		err = fmt.Errorf("serve: %w", err)
	}
	stopEngine()
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	app.live.Close()
	if shutdownErr := server.Shutdown(stopping); shutdownErr != nil {
		_ = server.Close()
	}
	<-engineDone
	return err
}
