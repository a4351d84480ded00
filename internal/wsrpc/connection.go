package wsrpc

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/coder/websocket"

	"tenfold/internal/session"
)

// connection is one live page.
type connection struct {
	socket     *websocket.Conn
	session    session.Session
	sessionKey string
	token      string

	outbox chan []byte
	done   chan struct{}

	mu         sync.Mutex
	loggedIn   bool
	subscribed map[string]bool
	ended      bool
	code       websocket.StatusCode
	reason     string
}

func newConnection(socket *websocket.Conn, who session.Session, token string) *connection {
	return &connection{
		socket: socket, session: who, sessionKey: session.Key(token), token: token,
		outbox: make(chan []byte, outboxLength), done: make(chan struct{}), subscribed: map[string]bool{},
	}
}

// serve reads and writes until either fails, the session ends, or somebody ends it.
func (c *connection) serve(log *slog.Logger, lifetime time.Duration) {
	expiry := time.AfterFunc(lifetime, c.expire)
	defer expiry.Stop()
	var writing sync.WaitGroup
	writing.Go(c.write)
	err := c.read()
	c.end(websocket.StatusNormalClosure, "closed")
	writing.Wait()
	log.Debug("live connection ended", slog.String("reason", c.reason), slog.Any("error", err))
}

// read ends when the socket does.
func (c *connection) read() error {
	for {
		kind, message, err := c.socket.Read(context.Background())
		if err != nil {
			return err
		}
		if kind != websocket.MessageText {
			c.send(failure(nil, parseError))
			continue
		}
		if answer := c.answer(message); answer != nil {
			c.send(answer)
		}
	}
}

// write drains the outbox and pings, each with a deadline. It is the one that
// closes the socket, after the last message.
func (c *connection) write() {
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	for {
		var err error
		select {
		case <-c.done:
			c.drain()
			_ = c.socket.Close(c.code, c.reason)
			return
		case message := <-c.outbox:
			err = c.put(message)
		case <-ping.C:
			ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
			err = c.socket.Ping(ctx)
			cancel()
		}
		if err != nil {
			c.end(websocket.StatusPolicyViolation, "too slow")
			_ = c.socket.CloseNow()
			return
		}
	}
}

// drain writes what was queued before the end, such as the word that the
// session has expired.
func (c *connection) drain() {
	for {
		select {
		case message := <-c.outbox:
			if c.put(message) != nil {
				return
			}
		default:
			return
		}
	}
}

func (c *connection) put(message []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	return c.socket.Write(ctx, websocket.MessageText, message)
}

// send queues a message; a full queue means that the reader does not keep up.
func (c *connection) send(message []byte) {
	select {
	case c.outbox <- message:
	default:
		c.end(websocket.StatusPolicyViolation, "too slow")
	}
}

func (c *connection) notify(topic string, message []byte) {
	c.mu.Lock()
	wanted := c.subscribed[topic]
	c.mu.Unlock()
	if wanted {
		c.send(message)
	}
}

// expire tells the page and ends the connection.
func (c *connection) expire() {
	message, err := encodeNotification(TopicSession, []any{map[string]string{"state": "expired"}})
	if err == nil {
		c.notify(TopicSession, message)
	}
	c.end(websocket.StatusPolicyViolation, "session expired")
}

// end stops the connection once; the first reason counts.
func (c *connection) end(code websocket.StatusCode, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended, c.code, c.reason = true, code, reason
	close(c.done)
}
