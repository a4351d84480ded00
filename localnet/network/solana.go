package network

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gagliardetto/solana-go"

	"tenfold/internal/process"
)

const (
	solanaStartTimeout = 30 * time.Second
	solanaStopTimeout  = 3 * time.Second
)

// solanaService is the Node process that runs Solana.
type solanaService struct {
	port         int
	treasury     solana.PrivateKey
	testAccounts []Account

	command *exec.Cmd
	stdin   io.WriteCloser // the process stops when this ends, also when we are killed
	ended   chan struct{}  // closed when the process is gone
	result  error          // how it went; valid when ended is closed
	stop    sync.Once
	stopped chan struct{} // closed when we asked it to end
	lastLog *lastLine
}

func (s *solanaService) rpcURL() string { return localURL("http", s.port, "") }

// wsURL is the port after the JSON-RPC one, where clients look by convention.
func (s *solanaService) wsURL() string { return localURL("ws", s.port+1, "") }

// startSolana runs the service and returns when it is ready. output gets its log.
func startSolana(ctx context.Context, assets, dir string, port int, output io.Writer) (*solanaService, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("node is missing: the local Solana needs Node.js 20 or newer in PATH (https://nodejs.org)")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create Solana's folder: %w", err)
	}
	awaitPredecessor(ctx, dir)
	if port, err = freeSolanaPort(port); err != nil {
		return nil, err
	}
	s := &solanaService{
		port: port, ended: make(chan struct{}), stopped: make(chan struct{}),
		lastLog: &lastLine{output: output},
	}
	s.command = exec.Command(node, filepath.Join(assets, "solana", "main.js"),
		"--port", strconv.Itoa(port), "--data", dir)
	s.command.Env = append(os.Environ(), process.StopWithStdin+"=1")
	s.command.Stderr = s.lastLog
	// A process group of its own: Ctrl-C in the terminal reaches us alone, and
	// we stop it in order.
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := s.pipes()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("start the Solana service: %w", err)
	}
	if err := s.settle(ctx, dir, stdout); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// settle follows the started process until it is ready and its keys are known.
func (s *solanaService) settle(ctx context.Context, dir string, stdout io.Reader) error {
	ready := make(chan struct{})
	go s.follow(stdout, ready)
	if err := rememberProcess(dir, s.command.Process.Pid); err != nil {
		return err
	}
	if err := s.awaitReady(ctx, ready); err != nil {
		return err
	}
	return s.readKeys(dir)
}

func (s *solanaService) pipes() (stdout io.Reader, err error) {
	if s.stdin, err = s.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start the Solana service: %w", err)
	}
	if stdout, err = s.command.StdoutPipe(); err != nil {
		return nil, fmt.Errorf("start the Solana service: %w", err)
	}
	return stdout, nil
}

// follow reads the service's output until it ends, announces the ready line,
// and takes the process's end.
func (s *solanaService) follow(stdout io.Reader, ready chan<- struct{}) {
	lines := bufio.NewScanner(stdout)
	announced := false
	for lines.Scan() {
		var line struct {
			Ready bool `json:"ready"`
		}
		if !announced && json.Unmarshal(lines.Bytes(), &line) == nil && line.Ready {
			announced = true
			close(ready)
		}
	}
	s.result = s.command.Wait()
	close(s.ended)
}

func (s *solanaService) awaitReady(ctx context.Context, ready <-chan struct{}) error {
	timeout := time.NewTimer(solanaStartTimeout)
	defer timeout.Stop()
	select {
	case <-ready:
		return nil
	case <-s.ended:
		return s.failure()
	case <-ctx.Done():
		return ctx.Err()
	case <-timeout.C:
		return fmt.Errorf("the Solana service was not ready after %s", solanaStartTimeout)
	}
}

// failure says how the process ended, with its own last words.
func (s *solanaService) failure() error {
	return fmt.Errorf("the Solana service ended (%v): %s", s.result, s.lastLog.text())
}

// endedByItself waits for the process to end; nil when it was asked to.
func (s *solanaService) endedByItself() error {
	<-s.ended
	select {
	case <-s.stopped:
		return nil
	default:
		return s.failure()
	}
}

// close asks the process to end and makes it when it does not.
func (s *solanaService) close() error {
	s.stop.Do(func() { close(s.stopped) })
	s.stdin.Close()
	_ = s.command.Process.Signal(syscall.SIGTERM) // gone already is as good
	patience := time.NewTimer(solanaStopTimeout)
	defer patience.Stop()
	select {
	case <-s.ended:
		return nil
	case <-patience.C:
	}
	if err := s.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop the Solana service: %w", err)
	}
	<-s.ended
	return errors.New("the Solana service did not stop when asked and was killed")
}

// readKeys takes the keys that the service keeps in its folder.
func (s *solanaService) readKeys(dir string) error {
	type storedKey struct {
		Address    string `json:"address"`
		PrivateKey string `json:"privateKey"`
	}
	var treasury storedKey
	var accounts []storedKey
	for file, into := range map[string]any{"treasury.json": &treasury, "test-accounts.json": &accounts} {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return fmt.Errorf("read Solana keys: %w", err)
		}
		if json.Unmarshal(raw, into) != nil { // its error could quote a key
			return fmt.Errorf("%s is not a key file of the Solana service", file)
		}
	}
	key, err := solana.PrivateKeyFromBase58(treasury.PrivateKey)
	if err != nil {
		return errors.New("treasury.json holds no Solana key")
	}
	s.treasury = key
	for _, a := range accounts {
		s.testAccounts = append(s.testAccounts, Account{Kind: "solana", Address: a.Address, PrivateKey: a.PrivateKey})
	}
	return nil
}

// lastLine passes the service's log on, line by line, and remembers the last
// one: it is what explains a sudden end.
type lastLine struct {
	output io.Writer

	mu      sync.Mutex
	partial bytes.Buffer
	last    string
}

// Write implements io.Writer.
func (l *lastLine) Write(chunk []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.partial.Write(chunk)
	for {
		line, err := l.partial.ReadString('\n')
		if err != nil {
			l.partial.Reset()
			l.partial.WriteString(line)
			return len(chunk), nil
		}
		if text := strings.TrimSpace(line); text != "" {
			l.last = text
		}
		if _, err := io.WriteString(l.output, line); err != nil {
			return 0, err
		}
	}
}

func (l *lastLine) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rest := strings.TrimSpace(l.partial.String()); rest != "" {
		return rest
	}
	return l.last
}
