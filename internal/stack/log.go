package stack

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// logWriter merges the children's lines into one log, each line whole and with
// its program's name in front.
type logWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func newLogWriter(out io.Writer) *logWriter { return &logWriter{out: out} }

// say prints a line of the stack's own.
func (l *logWriter) say(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintln(l.out, text)
}

func (l *logWriter) prefixed(name string) io.Writer {
	return &prefixedWriter{log: l, prefix: fmt.Appendf(nil, "%-8s │ ", name)}
}

type prefixedWriter struct {
	log    *logWriter
	prefix []byte
	mu     sync.Mutex
	rest   []byte // an unfinished line
}

// Write passes complete lines on and keeps the rest until its end arrives.
func (w *prefixedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, p...)
	for {
		end := bytes.IndexByte(w.rest, '\n')
		if end < 0 {
			return len(p), nil
		}
		line := append(append([]byte{}, w.prefix...), w.rest[:end+1]...)
		w.rest = w.rest[end+1:]
		w.log.mu.Lock()
		_, err := w.log.out.Write(line)
		w.log.mu.Unlock()
		if err != nil {
			return len(p), fmt.Errorf("write the log: %w", err)
		}
	}
}
