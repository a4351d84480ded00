package network

import (
	"errors"
	"fmt"
	"net"

	"tenfold/internal/process"
)

// listen binds a port of this machine; 0 takes any free one.
func listen(port int, purpose, flag string) (net.Listener, error) {
	return process.Listen(fmt.Sprintf("localhost:%d", port), purpose, flag)
}

func portOf(listener net.Listener) int { return listener.Addr().(*net.TCPAddr).Port }

// freeSolanaPort finds the port of the Solana service, which takes the next one
// too; a given port is only checked. The ports are free again on return, as
// another process binds them.
func freeSolanaPort(port int) (int, error) {
	const purpose, flag = "local Solana", "--solana-port"
	const attempts = 50
	for range attempts {
		first, err := listen(port, purpose, flag)
		if err != nil {
			return 0, err
		}
		found := portOf(first)
		second, err := listen(found+1, purpose, flag)
		first.Close()
		if err == nil {
			second.Close()
			return found, nil
		}
		if port != 0 {
			return 0, err
		}
	}
	return 0, errors.New("found no two free ports in a row for the local Solana")
}
