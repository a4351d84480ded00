// Package process holds what every long-running program of the product does in
// the same way: when it stops and how it takes a port. It is a mechanism and
// knows no domain.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
)

// StopWithStdin names the environment variable that ties a program's life to
// its standard input: when it is "1", end of input stops the program. A parent
// that is killed closes the pipe, so no child outlives it; this works on Linux
// and macOS alike.
const StopWithStdin = "TENFOLD_STOP_WITH_STDIN"

// Context is cancelled by SIGINT, SIGTERM and, where StopWithStdin asks for it,
// the end of standard input. A second signal ends the process at once.
func Context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(130)
	}()
	if os.Getenv(StopWithStdin) == "1" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	return ctx, cancel
}

// Listen takes a TCP address on this machine. When the port is in use, the
// error is one line that says who wants it and with which flag to choose
// another.
func Listen(address, purpose, flag string) (net.Listener, error) {
	listener, err := net.Listen("tcp4", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is already in use (%s); stop the program that holds it or choose another with %s", address, purpose, flag)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s (%s): %w", address, purpose, err)
	}
	return listener, nil
}
