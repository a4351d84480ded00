package stack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// lockFolder makes sure that one stack runs on a data folder. The kernel gives
// the lock back when the process ends, however it ends.
func lockFolder(dir string) (release func(), err error) {
	path := filepath.Join(dir, "lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock file: %w", err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		holder, _ := os.ReadFile(path)
		_ = file.Close()
		return nil, fmt.Errorf("already running on %s (process %s); stop that one first, or set TENFOLD_DATA_DIR to another folder", dir, strings.TrimSpace(string(holder)))
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt(fmt.Appendln(nil, os.Getpid()), 0)
	}
	return func() { _ = file.Close() }, nil
}
