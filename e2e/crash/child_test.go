package crash

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// child is one running program.
type child struct {
	name    string
	command *exec.Cmd
	stdin   io.Closer
	stdout  io.Reader
	log     *tail
	once    sync.Once
}

// launch starts a program that ends when this process does, however it ends.
func launch(name string, env []string, arguments ...string) (*child, error) {
	command := exec.Command(filepath.Join(shared.programs, name), arguments...)
	command.Env = append(append(os.Environ(), "TENFOLD_STOP_WITH_STDIN=1"), env...)
	stdin, err1 := command.StdinPipe()
	stdout, err2 := command.StdoutPipe()
	stderr, err3 := command.StderrPipe()
	if err := errors.Join(err1, err2, err3, command.Start()); err != nil {
		return nil, err
	}
	c := &child{name: name + " " + arguments[0], command: command, stdin: stdin, stdout: stdout, log: &tail{}}
	go c.log.follow(stderr)
	return c, nil
}

// stop asks the program to end and waits.
func (c *child) stop() {
	_ = c.stdin.Close()
	c.once.Do(func() { _ = c.command.Wait() })
}

// kill ends the program with SIGKILL and waits until it is gone.
func (c *child) kill(t *testing.T) {
	t.Helper()
	if err := c.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.once.Do(func() { _ = c.command.Wait() })
}

// tail keeps the last lines of a program's log.
type tail struct {
	mu    sync.Mutex
	lines []string
}

func (l *tail) follow(r io.Reader) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		l.mu.Lock()
		l.lines = append(l.lines, scanner.Text())
		if len(l.lines) > 80 {
			l.lines = l.lines[1:]
		}
		l.mu.Unlock()
	}
}

// String joins the lines.
func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// freePorts finds ports that nobody holds, each with a free one after it: the
// Solana service takes two.
func freePorts(n int) ([]int, error) {
	var ports []int
	for len(ports) < n {
		first, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = first.Close() }()
		port := first.Addr().(*net.TCPAddr).Port
		second, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port+1))
		if err != nil {
			continue
		}
		defer func() { _ = second.Close() }()
		ports = append(ports, port)
	}
	return ports, nil
}

// eventually waits for a condition that other programs bring about.
func eventually(t *testing.T, what string, patience time.Duration, condition func() (bool, string)) {
	t.Helper()
	deadline := time.Now().Add(patience)
	last := ""
	for time.Now().Before(deadline) {
		ok, saw := condition()
		if ok {
			return
		}
		last = saw
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s did not happen within %s; last seen: %s", what, patience, last)
}

func waitHealthy(url string) error {
	deadline := time.Now().Add(time.Minute)
	for {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err := healthy(ctx, url)
		cancel()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func healthy(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}
