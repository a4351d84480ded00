package stack

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"tenfold/internal/process"
)

// exit tells that a child has ended.
type exit struct{ name, reason string }

// group is the running children. It ends them in the reverse order of their
// start, and they end by themselves when this process is killed: each watches
// its standard input, whose other end only this process holds.
type group struct {
	log      *logWriter
	children []*child
	exits    chan exit
}

type child struct {
	name  string
	cmd   *exec.Cmd
	stdin io.WriteCloser
	done  chan struct{}
}

func newGroup(log *logWriter) *group {
	return &group{log: log, exits: make(chan exit, 8)}
}

func (g *group) start(p program) error {
	cmd := exec.Command(p.path, p.arguments...)
	cmd.Dir = p.dir
	cmd.Env = append(append(os.Environ(), p.env...), process.StopWithStdin+"=1")
	// Own process group: the terminal's Ctrl-C reaches this process alone, which
	// then stops the children in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	output := g.log.prefixed(p.name)
	cmd.Stdout, cmd.Stderr = output, output
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("open a pipe to %s: %w", p.name, err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	c := &child{name: p.name, cmd: cmd, stdin: stdin, done: make(chan struct{})}
	g.children = append(g.children, c)
	go func() {
		err := cmd.Wait()
		close(c.done)
		reason := "exit status 0"
		if err != nil {
			reason = err.Error()
		}
		g.exits <- exit{p.name, reason}
	}()
	return nil
}

// awaitHealthy polls every child's health and says what is still awaited
// whenever that changes.
func (g *group) awaitHealthy(ctx context.Context, programs []program) error {
	waiting := map[string]program{}
	for _, p := range programs {
		waiting[p.name] = p
	}
	said := ""
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		names := []string{}
		for _, p := range programs {
			if _, still := waiting[p.name]; !still {
				continue
			}
			if healthy(ctx, p.healthURL) {
				delete(waiting, p.name)
				continue
			}
			names = append(names, p.waitsFor)
		}
		if len(waiting) == 0 {
			return nil
		}
		if text := "Waiting for " + strings.Join(names, ", "); text != said {
			g.log.say(text)
			said = text
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("gave up waiting for %s: %w", strings.Join(names, ", "), ctx.Err())
		case e := <-g.exits:
			return fmt.Errorf("%s stopped while starting (%s); the lines above say why", e.name, e.reason)
		case <-ticker.C:
		}
	}
}

func healthy(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// stop ends the children, the last started first, and kills what has not ended
// within the timeout.
func (g *group) stop(timeout time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for i := len(g.children) - 1; i >= 0; i-- {
		c := g.children[i]
		_ = c.cmd.Process.Signal(syscall.SIGTERM)
		_ = c.stdin.Close()
		select {
		case <-c.done:
		case <-ctx.Done():
			_ = c.cmd.Process.Kill()
			<-c.done
		}
	}
}
