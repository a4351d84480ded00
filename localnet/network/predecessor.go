package network

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// predecessorPatience is far more than the Solana service takes to notice that
// the program which started it was killed.
const predecessorPatience = 3 * time.Second

// awaitPredecessor waits for the service that a killed network left behind: it
// ends by itself, but holds its ports and folder for a moment longer than we
// take to be started again.
func awaitPredecessor(ctx context.Context, dir string) {
	raw, err := os.ReadFile(processFile(dir))
	if err != nil {
		return // none was started, or it cannot be known
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil || pid <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, predecessorPatience)
	defer cancel()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for syscall.Kill(pid, 0) == nil { // signal 0 only asks whether it lives
		select {
		case <-ctx.Done():
			return // if it matters, a port or the folder will be found in use
		case <-look.C:
		}
	}
}

// rememberProcess notes the running service for awaitPredecessor.
func rememberProcess(dir string, pid int) error {
	if err := os.WriteFile(processFile(dir), []byte(strconv.Itoa(pid)+"\n"), 0o600); err != nil {
		return fmt.Errorf("note the Solana service's process: %w", err)
	}
	return nil
}

func processFile(dir string) string { return filepath.Join(dir, "service.pid") }
